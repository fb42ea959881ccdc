/**
 * Begins a rebuild and counts what remains of it. A rebuild marks all derived
 * rows of all documents as pending. The old rows answer queries until their
 * successors replace them; rows without a document are deleted at once.
 */
import { CHUNKS_PER_DOCUMENT } from '../../fts/chunk-number.ts'
import type { Index } from '../sql/index-database.ts'
import { DERIVED_VERSIONS, isPending } from './pending.ts'
import { beginShadowStatement, countMissing, emptyShadowStatements } from './shadow-index.ts'
import { EDGES_PER_DOCUMENT } from '../limits.ts'

const LIVE = 'SELECT document FROM documents WHERE deleted_at IS NULL'
const VERSION_COLUMNS = Object.values(DERIVED_VERSIONS).map(({ column }) => column)

/** Marks everything pending, in one transaction. A second call restarts the rebuild. */
export async function beginRebuild({ database }: Index): Promise<void> {
  const sqls = [
    `DELETE FROM edges WHERE edge / ${EDGES_PER_DOCUMENT} NOT IN (${LIVE})`,
    `DELETE FROM chunks WHERE chunk / ${CHUNKS_PER_DOCUMENT} NOT IN (${LIVE})`,
    // words_docsize lists every row of the word index. Rows without a chunk could not be found later.
    'DELETE FROM words WHERE rowid IN (SELECT id FROM words_docsize WHERE id NOT IN (SELECT chunk FROM chunks))',
    'UPDATE corpus SET (chunks, length) = (SELECT count(*), coalesce(sum(length), 0) FROM chunks)',
    // Multiplying keeps NULL, which means that the document was never checked for vectors.
    `UPDATE documents SET ${VERSION_COLUMNS.map((column) => `${column} = 0`).join(', ')},
       vectors_version = 0 * vectors_version
     WHERE deleted_at IS NULL`,
    'DELETE FROM retries',
  ]
  await database.batch([
    ...sqls.map((sql) => database.prepare(sql)),
    ...emptyShadowStatements(database),
    beginShadowStatement(database, 'requested'),
  ])
}

/** Live documents, and how many of them lack each kind of derived rows. */
export interface RebuildRemainder {
  readonly documents: number
  readonly words: number
  readonly edges: number
  /** Processed by the maintenance run only, at the embedder's speed. */
  readonly vectors: number
  /** Documents that the shadow index lacks. */
  readonly index: number
}

export async function readRemainder(index: Index): Promise<RebuildRemainder> {
  const counts = await index.database
    .prepare(
      `SELECT (SELECT count(*) FROM documents WHERE deleted_at IS NULL) AS documents,
         (SELECT count(*) FROM documents WHERE ${isPending('words')}) AS words,
         (SELECT count(*) FROM documents WHERE ${isPending('edges')}) AS edges,
         (SELECT count(*) FROM documents WHERE ${isPending('vectors')}) AS vectors`,
    )
    .first<Omit<RebuildRemainder, 'index'>>()
  return { ...(counts ?? { documents: 0, words: 0, edges: 0, vectors: 0 }), index: await countMissing(index) }
}
