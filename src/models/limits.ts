/**
 * Limits of requests to models, each with its unit and reason. They bound the
 * time and the cost of a request; bytes are of UTF-8.
 */

/**
 * A batch small enough for a model on a laptop to answer within the time limit.
 * 24,576 bytes of one text are at most some 6,000 tokens.
 */
export const EMBEDDER_BATCH_LIMITS = { batchBytes: 65_536, batchTexts: 32, textBytes: 24_576 } as const

/** Bytes of a text below which a refusal is final: halving it further would not help. */
export const MIN_EMBEDDER_TEXT_BYTES = 256

/** Refused requests in one call: enough to isolate one bad text in a full batch and to cut it. */
export const MAX_EMBEDDER_REFUSALS = 40

/**
 * Time in ms that one request of a batch should take. A question that comes
 * meanwhile waits behind it at a server that answers one request at a time, and
 * must still be answered within its own limit of 8 seconds.
 */
export const EMBEDDER_REQUEST_MS = 2_000

/** Bytes of the first request, before the speed of the embedder is known: some 500 tokens, which take a slow one about two seconds. */
export const FIRST_REQUEST_BYTES = 2_048

/** Bytes of a question: a reranker reads it once for every text. */
export const MAX_RERANKER_QUERY_BYTES = 2_048

/** Bytes of a text: a chunk of usual length in any script. */
export const MAX_RERANKER_TEXT_BYTES = 4_096
