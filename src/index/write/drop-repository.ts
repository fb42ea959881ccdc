/**
 * Drops a repository with all its rows: its documents are soft-deleted, which
 * hides them at once, then everything else that is known of it goes in one
 * transaction. A maintenance run drops words, links and vectors and purges the rows.
 */
import { isGuardFailure } from '../sql/guards.ts'
import type { Index } from '../sql/index-database.ts'

/** Documents that one statement hides, well within the time that a statement may take. */
const DOCUMENTS_A_STATEMENT = 5_000

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
const TABLES = ['repository_names', 'cursors', 'surface_reads', 'pending_reads', 'removals']

/** The number of live documents of a repository. */
export async function countDocuments({ database }: Index, repoId: number): Promise<number> {
  return (await database.prepare(`SELECT count(*) AS rows ${LIVE}`).bind(repoId).first<number>('rows')) ?? 0
}

/** Hides documents until `mayContinue` says no, at least those of one statement; a further call goes on until it is done. */
export async function dropRepository(
  index: Index,
  repoId: number,
  nowMs: number,
  mayContinue: (removed: number) => boolean,
): Promise<DropSummary> {
  const documents = await countDocuments(index, repoId)
  const hide = index.database
    .prepare(
      `UPDATE documents SET deleted_at = ?2, version = version + 1, words_version = 0
       WHERE document IN (SELECT document ${LIVE} LIMIT ${DOCUMENTS_A_STATEMENT}) RETURNING 1`,
    )
    .bind(repoId, nowMs)
  let removed = 0
  do {
    const { results } = await hide.all()
    removed += results.length
    if (results.length < DOCUMENTS_A_STATEMENT && (await dropRest(index.database, repoId))) {
      return { documents, removed, done: true }
    }
  } while (mayContinue(removed))
  return { documents, removed, done: false }
}

/** False if a page has put a document meanwhile. */
async function dropRest(database: D1Database, repoId: number): Promise<boolean> {
  try {
    await database.batch([
      database.prepare(`INSERT INTO guards (holds) SELECT 0 WHERE EXISTS (SELECT 1 ${LIVE})`).bind(repoId),
      ...TABLES.map((table) => database.prepare(`DELETE FROM ${table} WHERE repository = ${KEY}`).bind(repoId)),
      database.prepare('DELETE FROM configured_names WHERE repo_id = ?1').bind(repoId),
      database.prepare('DELETE FROM repositories WHERE repo_id = ?1').bind(repoId),
    ])
    return true
  } catch (error) {
    if (isGuardFailure(error)) return false
    throw error
  }
}
