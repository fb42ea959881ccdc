/**
 * Chunks are numbered so that their document can be told without asking:
 * `document * CHUNKS_PER_DOCUMENT + sequence`. The same number is the row in
 * the word index. Numbers stay exact up to 2^40 documents.
 */

/** Chunks a document may have at most: a 1 MiB body in passages of 128 characters. */
export const CHUNKS_PER_DOCUMENT = 8_192

/** The document that a chunk belongs to. */
export function documentOf(chunk: number): number {
  return Math.floor(chunk / CHUNKS_PER_DOCUMENT)
}
