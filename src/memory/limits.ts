/**
 * Limits of the conversation store, each with its unit, its reason and the cost
 * that it bounds. Limits of tool arguments, and those that tools describe, are in
 * contracts/limits.ts.
 */
import { IDEMPOTENCY_HOURS } from '../contracts/limits.ts'

/** UTF-8 bytes of an answer's JSON text: 8 MiB, less 64 KiB for the envelope. Bounds memory and response size. */
export const MAX_ANSWER_BYTES = 8 * 1024 * 1024 - 64 * 1024

/** UTF-8 bytes of the whole response, which contains the answer twice: as escaped text and as a structure. */
export const MAX_SENT_BYTES = 2.2 * MAX_ANSWER_BYTES

/** UTF-8 bytes of a session's representative summary. Bounds a page of sessions whose messages are long. */
export const MAX_REPRESENTATIVE_BYTES = 512

/** Time in ms after which an idempotency key can be used again. */
export const IDEMPOTENCY_MS = IDEMPOTENCY_HOURS * 60 * 60 * 1000

/**
 * Live messages, and UTF-8 bytes of their contents, up to which a rebuild runs in
 * one step. Bounds the time in which no other call is answered to a few seconds.
 */
export const MAX_ONE_STEP_MESSAGES = 20_000
export const MAX_ONE_STEP_BYTES = 128 * 1024 * 1024

/** Messages, and UTF-8 bytes of content, in one slice of a longer rebuild. Bounds a slice to less than a second. */
export const MAX_SLICE_MESSAGES = 2_000
export const MAX_SLICE_BYTES = 4 * 1024 * 1024

/** Time in ms that a refused caller should wait while a rebuild runs in slices. */
export const REBUILD_RETRY_MS = 2_000

/**
 * UTF-8 bytes of deleted messages, and their share of the database, from which
 * the store is rebuilt to free them. Both must be exceeded. Bounds wasted space
 * without rebuilding small stores often.
 */
export const MIN_COMPACT_BYTES = 4 * 1024 * 1024
export const MIN_COMPACT_SHARE = 1 / 3

/** Relations of the type supersedes that one search follows. Bounds the walk through long chains. */
export const MAX_SUPERSEDING = 2_000

/** JSON bytes of content that a search result keeps at least when results are cut to fit an answer: 100 characters of Japanese. */
export const MIN_FITTED_BYTES = 300

/**
 * Rows of the word index that one lookup of candidates scores; a row counts once for
 * each of its terms, and takes about a microsecond. Bounds the time of a question of
 * common words in a large store.
 */
export const MAX_CANDIDATE_ROWS = 20_000

/** Newest messages that are searched for text without a searchable word. Bounds a scan of whole contents. */
export const MAX_LITERAL_MESSAGES = 20_000

/** UTF-16 units of lines after which a page of an export ends. Bounds the memory of a page; one line may exceed it. */
export const MAX_EXPORT_PAGE_CHARS = 1024 * 1024

/** Delay in ms of the farthest alarm: the platform refuses dates after 2189. A later date is reached in several alarms. */
export const MAX_ALARM_DELAY_MS = 30 * 24 * 60 * 60 * 1000

/** Delay in ms before due work that failed runs again. Bounds the load of work that fails every time. */
export const RETRY_MS = 10 * 60 * 1000

/** Chunks inserted over the lifetime of the word index before it is checked for drift. Spares small stores rebuilds. */
export const MIN_DRIFT_CHUNKS = 1_000

/** First chunks of a message that get vectors: about 38,000 characters. Bounds embedder requests and stored vectors. */
export const MAX_VECTOR_CHUNKS = 32

/**
 * Messages, passages and UTF-16 units of content in one embedding batch. Bounds
 * a request and the contents in memory. One message alone may exceed the last two.
 */
export const MAX_BATCH_MESSAGES = 64
export const MAX_BATCH_PASSAGES = 64
export const MAX_BATCH_CHARS = 2 * 1024 * 1024

/** Delay in ms between two attempts to embed a message that failed: doubled each time up to this one. */
export const MAX_EMBEDDING_DELAY_MS = 60 * 60_000

/** Single characters, and stop words, that a question searches for. Bounds the rows read for a long question. */
export const MAX_QUESTION_CHARACTERS = 32
export const MAX_QUESTION_STOP_WORDS = 32
