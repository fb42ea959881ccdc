/**
 * Everything derived, owed anew: what a rebuild starts from, and how much of it
 * is still to do. Nothing is dropped that answers questions now; each row goes
 * when its successor is there. Rows that belong to no document go at once.
 */
import { CHUNKS_PER_DOCUMENT } from '../../fts/chunk-number.ts'
import type { Index } from '../sql/index-database.ts'
import { DERIVED_VERSIONS, isPending } from './pending.ts'
import { beginStatement, countMissing, emptyShadowStatements } from './shadow-index.ts'
import { EDGES_PER_DOCUMENT } from '../limits.ts'

const LIVE = 'SELECT document FROM documents WHERE deleted_at IS NULL'
const MARKED = Object.values(DERIVED_VERSIONS).map(({ column }) => column)

/** Owes everything anew, in one transaction. A second time changes nothing but to begin again. */
export async function beginRebuild({ database }: Index): Promise<void> {
  const sqls = [
    `DELETE FROM edges WHERE edge / ${EDGES_PER_DOCUMENT} NOT IN (${LIVE})`,
    `DELETE FROM chunks WHERE chunk / ${CHUNKS_PER_DOCUMENT} NOT IN (${LIVE})`,
    // The word index's own list of its rows: those that no chunk names would stay for ever.
    'DELETE FROM words WHERE rowid IN (SELECT id FROM words_docsize WHERE id NOT IN (SELECT chunk FROM chunks))',
    'UPDATE corpus SET (chunks, length) = (SELECT count(*), coalesce(sum(length), 0) FROM chunks)',
    // Where no embedder ever was the vectors' mark is NULL and stays so.
    `UPDATE documents SET ${MARKED.map((column) => `${column} = 0`).join(', ')}, vectors_version = 0 * vectors_version
     WHERE deleted_at IS NULL`,
    'DELETE FROM retries',
  ]
  await database.batch([
    ...sqls.map((sql) => database.prepare(sql)),
    ...emptyShadowStatements(database),
    beginStatement(database, 'asked'),
  ])
}

/** Documents, and how many of them still owe each kind of derived rows. */
export interface RebuildRest {
  readonly documents: number
  readonly words: number
  readonly edges: number
  /** Made by the pump alone, as fast as the embedder is. */
  readonly vectors: number
  /** Documents that the new word index lacks. */
  readonly index: number
}

export async function readRest(index: Index): Promise<RebuildRest> {
  const rest = await index.database
    .prepare(
      `SELECT (SELECT count(*) FROM documents WHERE deleted_at IS NULL) AS documents,
         (SELECT count(*) FROM documents WHERE ${isPending('words')}) AS words,
         (SELECT count(*) FROM documents WHERE ${isPending('edges')}) AS edges,
         (SELECT count(*) FROM documents WHERE vectors_version < (SELECT generation FROM vector_state)
          AND deleted_at IS NULL) AS vectors`,
    )
    .first<Omit<RebuildRest, 'index'>>()
  return { ...(rest ?? { documents: 0, words: 0, edges: 0, vectors: 0 }), index: await countMissing(index) }
}
