/**
 * Orphaned vectors: those of chunks that are no more, after documents were cut
 * anew or lost. No search shows them, but each takes a place and is looked at.
 */
import { CHUNKS_PER_DOCUMENT } from '../../fts/chunk-number.ts'
import type { Index } from '../sql/index-database.ts'

/** Numbers of up to `limit` documents with such vectors, whether or not the documents are still there. */
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

/** Has the vectors of these documents made anew, where an embedder makes any. Comes before they are dropped. */
export async function markVectorsPending({ database }: Index, documents: readonly number[]): Promise<void> {
  await database
    .prepare(
      `UPDATE documents SET vectors_version = 0
       WHERE document IN (SELECT value FROM json_each(?1)) AND vectors_version IS NOT NULL`,
    )
    .bind(JSON.stringify(documents))
    .run()
}
