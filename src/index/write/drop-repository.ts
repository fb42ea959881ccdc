/**
 * Drops a repository with all its rows, in bounded steps: documents are
 * soft-deleted batch by batch, then everything that is known of the repository
 * goes in one transaction. A maintenance run purges the documents.
 */
import { tombstoneStatements } from '../documents/tombstones.ts'
import { dropEdgesStatements } from '../links/edges.ts'
import { isGuardFailure } from '../sql/guards.ts'
import type { Index } from '../sql/index-database.ts'
import { dropWordsStatements } from '../words/write-words.ts'

/** Documents of one transaction. */
const DOCUMENTS_A_BATCH = 200

export interface DropSummary {
  /** Live documents before. */
  readonly documents: number
  /** Removed by this call. */
  readonly removed: number
  /** Nothing is left of the repository. */
  readonly done: boolean
}

const KEY = '(SELECT repository FROM repositories WHERE repo_id = ?1)'
const LIVE = `FROM documents WHERE repository = ${KEY} AND deleted_at IS NULL`

/** The number of live documents of a repository. */
export async function countDocuments({ database }: Index, repoId: number): Promise<number> {
  return (await database.prepare(`SELECT count(*) AS rows ${LIVE}`).bind(repoId).first<number>('rows')) ?? 0
}

/** Removes until `mayContinue` says no, at least one batch. Another call goes on. */
export async function dropRepository(
  index: Index,
  repoId: number,
  nowMs: number,
  mayContinue: (removed: number) => boolean,
): Promise<DropSummary> {
  const { database } = index
  const documents = await countDocuments(index, repoId)
  let removed = 0
  do {
    const { results } = await database
      .prepare(`SELECT document ${LIVE} LIMIT ${DOCUMENTS_A_BATCH}`)
      .bind(repoId)
      .all<{ document: number }>()
    if (results.length === 0) return { documents, removed, done: await dropRest(database, repoId) }
    const numbers = results.map(({ document }) => document)
    await database.batch([
      ...dropWordsStatements(database, numbers),
      ...dropEdgesStatements(database, numbers),
      ...tombstoneStatements(database, numbers, nowMs),
    ])
    removed += numbers.length
  } while (mayContinue(removed))
  return { documents, removed, done: false }
}

/** False if a page has put a document meanwhile. */
async function dropRest(database: D1Database, repoId: number): Promise<boolean> {
  const tables = ['repository_names', 'cursors', 'surface_reads', 'pending_reads', 'removals']
  try {
    await database.batch([
      database.prepare(`INSERT INTO guards (holds) SELECT 0 WHERE EXISTS (SELECT 1 ${LIVE})`).bind(repoId),
      ...tables.map((table) => database.prepare(`DELETE FROM ${table} WHERE repository = ${KEY}`).bind(repoId)),
      database.prepare('DELETE FROM configured_names WHERE repo_id = ?1').bind(repoId),
      database.prepare('DELETE FROM repositories WHERE repo_id = ?1').bind(repoId),
    ])
    return true
  } catch (error) {
    if (isGuardFailure(error)) return false
    throw error
  }
}
