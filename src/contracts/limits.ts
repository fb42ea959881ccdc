/** Limits of the contracts: value, unit, and the cost each one bounds. */

/** Largest whole number that is not a time: the largest signed 32-bit integer, which every client can represent. */
export const MAX_WHOLE = 2 ** 31 - 1

/** UTF-8 bytes of a message's content. A row of the store is limited to 2 MB by the platform. */
export const MAX_CONTENT_BYTES = 1_048_576

/** UTF-8 bytes of a session id: it is stored once per session and compared in every call that names it. */
export const MAX_SESSION_ID_BYTES = 256

/** UTF-8 bytes of an idempotency key: every key is stored for a day. */
export const MAX_IDEMPOTENCY_KEY_BYTES = 128

/** Hours after which an idempotency key can be used again. Bounds the table of keys. */
export const IDEMPOTENCY_HOURS = 24

/** UTF-8 bytes of a tool call id. */
export const MAX_TOOL_CALL_ID_BYTES = 256

/** UTF-8 bytes of a message's summary: it is indexed with the first chunk of the content. */
export const MAX_SUMMARY_BYTES = 4096

/** Tags of a message or of a filter, and UTF-8 bytes of one: each tag is a token of the search index. */
export const MAX_TAGS = 32
export const MAX_TAG_BYTES = 128

/** Relations of a message: each one is a row. */
export const MAX_RELATIONS = 32

/** Source messages of a message: they are stored in its row. */
export const MAX_SOURCE_MESSAGES = 64

/** Revision of an imported message, far enough below MAX_WHOLE that later updates never reach it. */
export const MAX_IMPORTED_REVISION = 1_000_000_000

/** UTF-8 bytes of a cursor of the message store: a session id and a position are much shorter. */
export const MAX_MESSAGE_CURSOR_BYTES = 4096

/** UTF-8 bytes of a question to the message store: the time to analyse it grows with its length. */
export const MAX_MESSAGE_QUERY_BYTES = 4096

/** Code points of a preview of a message's content: a longer part is read with the content view. */
export const MAX_PREVIEW_CHARS = 4096

/** Code points of content, and UTF-16 units of a snippet, in a compact search result. An answer may cut them shorter to stay small. */
export const COMPACT_CONTENT_CHARS = 600
export const COMPACT_SNIPPET_CHARS = 160

/** Results of a search when the caller gives no limit. Bounds what a model reads for one question. */
export const PRESET_RESULTS = { compact: 10, full: 20 } as const

/** Rows of a page of messages or sessions. Bounds the rows that one call reads. */
export const MAX_PAGE_ROWS = 1000

/** UTF-8 bytes of a chunk of the content view. Bounds the size of one answer. */
export const MAX_CONTENT_CHUNK_BYTES = 65_536

/** Messages before and after the target of the context view. Bounds the rows that one call reads. */
export const MAX_CONTEXT_NEIGHBOURS = 10

/** Relations in a chain that the context view follows: the number of messages may grow with its power. */
export const MAX_RELATION_DEPTH = 2

/** Messages in one context view: the target, its neighbours and related messages, deleted ones included. Bounds reads. */
export const MAX_CONTEXT_MESSAGES = 50

/** Results of a search of messages: candidates and content reads grow with it. */
export const MAX_MESSAGE_RESULTS = 100

/** Messages before and after each result of a search. Multiplies the rows of a search. */
export const MAX_RESULT_NEIGHBOURS = 3

/** Days of a list of recent activity whose beginning is not given. */
export const DEFAULT_SCAN_DAYS = 7

/** UTF-16 units of the window into each fetched body: 50 bodies of the default size fit into one answer. */
export const DEFAULT_WINDOW_CHARS = 8_000
export const MAX_WINDOW_CHARS = 32_000

/** Rows of each type whose text include_content adds: bounds the text of a search. */
export const MAX_INLINE_ROWS = 5

/** UTF-16 units of a caller's name or value that a refusal repeats: bounds the answer. */
export const MAX_SHOWN_CHARS = 40

/** Levels of nested objects and lists in a parameter that are checked; the deepest parameter has 3. Deeper ones would cost time in every check. */
export const MAX_JSON_DEPTH = 16

/** Ignored arguments that an answer names: each is compared with every parameter of the tool. */
export const MAX_IGNORED_NAMES = 20

/** Items of a list that are validated one by one. No parameter accepts as many, and zod makes an issue of each wrong item. */
export const MAX_CHECKED_ITEMS = 1000

/** UTF-16 units of JSON above which `note_sequence` is omitted: bounds the answer of compose_mml. */
export const MAX_SEQUENCE_CHARS = 2_000_000

/**
 * UTF-16 units of text in one answer of compose_mml: the sequence and, beside it, a list
 * of up to 101 warnings with 200 code points of the text each. Lists of errors come
 * without a sequence.
 */
export const MAX_COMPOSE_ANSWER_CHARS = MAX_SEQUENCE_CHARS + 200_000

/** Times the loop of a song is played: multiplies the samples. */
export const SONG_LOOPS = { min: 1, max: 8 }

/** Seconds of a fade, which add to the length of a song. */
export const FADE_SECONDS = { min: 0, max: 30 }

/** UTF-16 units of the position of an import's cursor: it is read with every status. */
export const MAX_POSITION_CHARS = 4_000

/** UTF-16 units of the source of an import's cursor: it is part of a primary key. */
export const MAX_SOURCE_CHARS = 200
