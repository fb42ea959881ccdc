/**
 * Bounds that callers of the conversation store feel, with unit and reason: what
 * an answer holds, when the store rebuilds or compacts itself, how long a key or
 * a wait lasts. Those of an argument stand in its contract; others, as of the
 * pool and of vectors, beside the code they belong to.
 */

/** UTF-8 bytes of JSON text an answer may hold: 8 MiB less room for what wraps it. */
export const MAX_ANSWER_BYTES = 8 * 1024 * 1024 - 64 * 1024

/** UTF-8 bytes that go over the line for such an answer, which holds it twice: as text and as a structure. */
export const MAX_SENT_BYTES = 2.2 * MAX_ANSWER_BYTES

/** Message objects in one answer of the context view, the target and stubs of deleted ones among them. */
export const MAX_CONTEXT_MESSAGES = 50

/** UTF-8 bytes of a session's representative summary. */
export const MAX_SUMMARY_BYTES = 512

/** How long a key keeps a write from happening twice, in ms. */
export const IDEMPOTENCY_MS = 24 * 60 * 60 * 1000

/** Live messages up to which a rebuild is one step, a matter of seconds; unless they are large, in UTF-8 bytes. */
export const MAX_ONE_STEP_MESSAGES = 20_000
export const MAX_ONE_STEP_BYTES = 128 * 1024 * 1024

/** Messages, or bytes of content, of one slice of a longer rebuild: below a second, in which nobody is answered. */
export const MAX_SLICE_MESSAGES = 2_000
export const MAX_SLICE_BYTES = 4 * 1024 * 1024

/** When a caller may try again while a rebuild runs in slices, in ms. */
export const REBUILD_RETRY_MS = 2_000

/** Dead bytes from which the store compacts itself, if they are also a third of it. */
export const MIN_COMPACT_BYTES = 4 * 1024 * 1024
export const MIN_COMPACT_SHARE = 1 / 3

/** Newest messages that a question without a searchable word is looked for in, letter by letter. */
export const MAX_LITERAL_MESSAGES = 20_000

/** UTF-16 units of lines after which a page of an export ends. */
export const MAX_EXPORT_PAGE_CHARS = 1024 * 1024

/** How far ahead the alarm is set at most, in ms; the platform knows no years beyond 2189. It is then set anew. */
export const MAX_ALARM_DELAY_MS = 30 * 24 * 60 * 60 * 1000

/** How long what an alarm could not do is left alone, in ms. */
export const RETRY_MS = 10 * 60 * 1000

/** Chunks ever written below which a small store is not rebuilt for the drift of its word index. */
export const MIN_DRIFT_CHUNKS = 1_000
