/**
 * Chunk numbers contain the number of their document:
 * `document * CHUNKS_PER_DOCUMENT + sequence`. The same number is the row of the
 * word index. Numbers stay exact up to 2^40 documents.
 */

/** Upper bound of chunks in a document: a 1 MiB body in chunks of 128 characters. */
export const CHUNKS_PER_DOCUMENT = 8_192

/** The document of a chunk. */
export function documentOf(chunk: number): number {
  return Math.floor(chunk / CHUNKS_PER_DOCUMENT)
}
