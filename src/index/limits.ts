/**
 * Limits of the index, each with its unit and its reason. Local D1 accepts more
 * than production does, so the code enforces them itself. Limits of document
 * fields are in src/documents/limits.ts.
 */

/** UTF-8 bytes of one body. A longer one is cut on a character boundary and marked; it bounds the text that a write analyses. */
export const MAX_BODY_BYTES = 1_048_576

/** UTF-16 units of one segment: at most 96 kB of UTF-8, so that a window of a body is read without the rest. */
export const SEGMENT_CHARS = 32_000

/** Segments of a document: 1 MiB makes at most 33. `segment = document * 64 + sequence`. */
export const SEGMENTS_PER_DOCUMENT = 64

/** UTF-8 bytes of one `json_each` parameter: production accepts 2,000,000, and escapes may double it. */
export const MAX_PARAMETER_BYTES = 900_000

/** UTF-16 units of a `vector_id` given by a caller; own ids have at most 46. Longer ones are not looked up. */
export const MAX_ID_CHARS = 64

/** Tries of a page whose rows another writer changes in between; after them the caller gets BUSY. */
export const PAGE_ATTEMPTS = 12

/** Edges of a document: a document with more links is a list of links. `edge = document * 512 + sequence`. */
export const EDGES_PER_DOCUMENT = 512

/** UTF-16 units of an edge's target: a longer one is not a link that a person wrote, and edges are indexed by target. */
export const MAX_TARGET_CHARS = 1_000

/** Milliseconds between two tries of a document whose derived rows cannot be made: a day, so that a repaired cause is noticed. */
export const MAX_BACKOFF_MS = 86_400_000

/** UTF-16 units of an error that a retry or the log keeps for the operator: it bounds the row and the log line. */
export const MAX_ERROR_CHARS = 200

/** Words of an author's names that suggest the author: each is a row, and names of people are short. */
export const MAX_NAME_WORDS = 12

/** UTF-16 units of a commit's message that every chunk of a patch is indexed with; the first chunk has all of it. Bounds the index. */
export const MAX_REPEATED_MESSAGE_CHARS = 1_200

// Reads: src/index/words, vectors, filters, documents.

/** Rows that the terms of a question may score in one read of candidates, each counted once for every term it has: a row takes a microsecond. */
export const MAX_SCORED_ROWS = 10_000

/** Chunks from which on a term is common: its count is kept. To count a rarer one takes some twenty microseconds. */
export const MIN_COMMON_CHUNKS = 1_000

/** Unknown words of one question that are corrected: each costs some hundred lookups in the vocabulary. */
export const MAX_CORRECTED_WORDS = 3

/** Known words one typing error away that are read for one unknown word, to name its correction. Bounds the rows read. */
export const MAX_NEIGHBOUR_FORMS = 20

/** Packs of sketches that one search reads: 131,072 chunks, about 25 MB of text, which fit in a Worker's memory. */
export const MAX_PACKS = 128

/** Values of one filter that are compared for a suggestion: the Worker measures the edit distance of each. */
export const MAX_VALUES_READ = 500

/** Distinct values that are walked to find visible ones: hidden rows must not make a question expensive. */
export const MAX_VALUES_WALKED = 5_000

/** Unfinished sources that an answer can list. */
export const MAX_UNFINISHED_SOURCES = 10

/** Paths and directories of a commit's files that its words have tokens for: each chunk has all of them, and a Bloom filter holds few. */
export const MAX_PLACES_PER_COMMIT = 100

/** Keys of commits and pull requests of a release that become part of a MATCH expression; a longer list is compared row by row. */
export const MAX_RELEASE_KEYS = 300

/** Links to one pull request in which the commit that merged it is looked for. */
export const MAX_MERGE_LINKS = 60

/** Diffs that are counted for a commit that lists no files: each is a row read. More are not counted. */
export const MAX_COUNTED_DIFFS = 10

// Reading GitHub: src/index/ingestion.

/** Milliseconds that one lease lasts: another run waits no longer for one that was killed. */
export const MAX_LEASE_MS = 30_000

/** Milliseconds for which removals and deliveries are remembered: GitHub redelivers for three days, and a person looks back a month. */
export const MEMORY_MS = 30 * 86_400_000
