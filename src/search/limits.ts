/**
 * Limits of search, each with its unit and its reason. They bound the size of an
 * answer, the rows that one question reads, and the work of comparing values.
 */

// Requests: src/search/plan.

/** Ids of one fetch: each may take a window of text. */
export const MAX_FETCHED_IDS = 50

/** Labels that a query may name, as many as the parameter `labels` takes; further ones are searched as words. */
export const MAX_QUERY_LABELS = 50

/** Values that a query may exclude: each costs a condition in every statement, of which D1 limits the depth. */
export const MAX_QUERY_EXCLUSIONS = 10

/** UTF-16 units of a dropped qualifier's value that its warning repeats. */
export const MAX_SHOWN_QUALIFIER_CHARS = 60

// Candidates.

/** Chunks in the first set of candidates by words, at least: with fewer, the ranking finds less on known-item sets. */
export const MIN_WORD_CANDIDATES = 100

/** Documents that a vector search returns, at least. */
export const MIN_VECTOR_CANDIDATES = 50

/** Candidates that a reranker reads, at least, where there are as many. */
export const MIN_RERANKED = 30

// Answers: src/search/present.

/** Score of a row that only an exact reference found: a hit never has the score 0. */
export const MIN_SCORE = 0.0001

/** Other rows of one entity that a row mentions. */
export const MAX_ENTITY_ROWS = 10

/** Linked rows of one answer. */
export const MAX_GRAPH_ROWS = 30

/** Labels of a request for which similar ones are suggested: each costs a walk over the labels of the index. */
export const MAX_SUGGESTED_LABELS = 3

/** UTF-16 units of a suggested value; longer values are not names that people type. */
export const MAX_SUGGESTED_CHARS = 256

/** Similar values that are suggested for one value. */
export const MAX_SIMILAR_VALUES = 3

/** UTF-16 units of a value that are compared: time of the edit distance is the product of both lengths. */
export const MAX_COMPARED_CHARS = 100

/** UTF-16 units of one value in `resolved`, and of all values of one filter. */
export const MAX_RESOLVED_CHARS = 256
export const MAX_RESOLVED_LIST_CHARS = 3_000

/** Unfinished sources that a warning names, and UTF-16 units of each name. */
export const MAX_NAMED_SOURCES = 3
export const MAX_SOURCE_NAME_CHARS = 60
