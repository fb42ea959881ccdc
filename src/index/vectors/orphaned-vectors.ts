/**
 * Orphaned vectors: vectors of chunks that no longer exist, because their
 * document was divided into other chunks or is gone. No search returns them, but
 * each takes a slot, which every search scans.
 */
import { CHUNKS_PER_DOCUMENT } from '../../fts/chunk-number.ts'
import type { Index } from '../sql/index-database.ts'

/** Numbers of up to `limit` documents with orphaned vectors; a document may no longer exist. */
export async function listOrphaned({ database }: Index, limit: number): Promise<number[]> {
  const { results } = await database
    .prepare(
      `SELECT DISTINCT v.chunk / ${CHUNKS_PER_DOCUMENT} AS document FROM vectors v
       WHERE NOT EXISTS (SELECT 1 FROM chunks c WHERE c.chunk = v.chunk) LIMIT ?1`,
    )
    .bind(limit)
    .all<{ document: number }>()
  return results.map(({ document }) => document)
}

/** Marks these documents to be embedded again. Call it before their vectors are dropped. */
export async function markVectorsPending({ database }: Index, documents: readonly number[]): Promise<void> {
  await database
    .prepare(
      `UPDATE documents SET vectors_version = 0
       WHERE document IN (SELECT value FROM json_each(?1)) AND vectors_version IS NOT NULL`,
    )
    .bind(JSON.stringify(documents))
    .run()
}
