/**
 * Limits of text analysis, each with its unit and reason. They make its time
 * linear and its results bounded for any input.
 */

/** UTF-16 units of a term. Longer words are shortened to a head and a hash: bounds the rows of the word index. */
export const MAX_TERM_CHARS = 64

/** Code points the tokenizer reads as one run; the rest is the next run. Bounds the work of one pattern match. */
export const MAX_RUN_CHARS = 1000

/** Terms of a question: each costs reads of the word index. */
export const MAX_QUESTION_TERMS = 64

/** Quoted phrases of a question: each costs a query of the word index. */
export const MAX_PHRASES = 4

/** Terms of a phrase that are looked up; a longer phrase is found by its first terms. Bounds the FTS5 query. */
export const MAX_PHRASE_TERMS = 48

/** Exact references of a question that are looked up, the first ones: each costs a read. */
export const MAX_REFERENCES = 8

/** UTF-16 units of a question in which exact references are looked for. Bounds the time of the patterns. */
export const MAX_REFERENCE_TEXT_CHARS = 4096

/** UTF-16 units of a word that may be the slug of a page: longer runs were not typed. Bounds the rows of edges. */
export const MAX_SLUG_CHARS = 100
