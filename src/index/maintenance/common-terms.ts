/**
 * Counts the common terms: those in so many chunks that a search should not count
 * them itself. They are counted again, all at once, when a tenth of the word index has
 * changed, so that a write of a document writes no counts.
 */
import { MIN_COMMON_CHUNKS } from '../limits.ts'
import type { Index } from '../sql/index-database.ts'
import { readRowCounts } from './shadow-index.ts'

/** The part of the index that may change before its common terms are counted again. */
const CHANGED_PART = 0.1

/** Counts the common terms, in one transaction, unless little has changed. Resolves to whether it did. */
export async function renewCommonTerms(index: Index): Promise<boolean> {
  const { inserted, live } = await readRowCounts(index)
  // No term of a smaller index can be common.
  if (live < MIN_COMMON_CHUNKS) return false
  const { database } = index
  const counted = await database
    .prepare('SELECT counted_chunks AS live, counted_rows AS inserted FROM corpus')
    .first<{ live: number; inserted: number }>()
  const put = inserted - (counted?.inserted ?? 0)
  const dropped = put - live + (counted?.live ?? 0)
  if (Math.max(put, dropped) <= CHANGED_PART * (counted?.live ?? 0)) return false
  await database.batch([
    database.prepare('DELETE FROM common_terms'),
    database
      .prepare('INSERT INTO common_terms (term, chunks) SELECT term, doc FROM word_frequencies WHERE doc >= ?1')
      .bind(MIN_COMMON_CHUNKS),
    database.prepare('UPDATE corpus SET counted_chunks = chunks, counted_rows = ?1').bind(inserted),
  ])
  return true
}
