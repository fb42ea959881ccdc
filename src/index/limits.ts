/**
 * The index's limits on one page, each with its unit and reason. Local D1
 * accepts more than production does, so the code holds them itself.
 */

/** UTF-8 bytes of one body; what is longer is cut on a character boundary and marked. */
export const MAX_BODY_BYTES = 1_048_576

/** UTF-16 units of one segment: at most 96 kB of UTF-8, so a window of text never reads a whole body. */
export const SEGMENT_CHARS = 32_000

/** Segments a document may have: 1 MiB makes at most 33. `segment = document * 64 + sequence`. */
export const SEGMENTS_PER_DOCUMENT = 64

/** UTF-16 units of a commit message or a diff hunk: they share the document's row, which stays under 2,000,000 bytes. */
export const MAX_ASIDE_CHARS = 65_536

/** UTF-8 bytes of one `json_each` parameter: production takes 2,000,000, half of it leaves room for escapes. */
export const MAX_PARAMETER_BYTES = 900_000

/** Tries of a page whose rows another writer changed in between. */
export const PAGE_ATTEMPTS = 12

/** Edges a document may have; what links more is an index of links. `edge = document * 512 + sequence`. */
export const EDGES_PER_DOCUMENT = 512

/** UTF-16 units of what an edge names: longer paths are no links that someone wrote. */
export const MAX_TARGET_CHARS = 1_000
