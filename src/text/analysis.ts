/**
 * The shapes text analysis hands on, shared by documents and questions so that
 * both sides meet on the same terms. A term is a folded, stemmed string over
 * letters, digits and full-width marks (`c＋＋`, `1．2．3`): NFKC has removed
 * full-width marks from real text, so the two cannot collide, and FTS5's ascii
 * tokenizer keeps every term whole.
 */

/** A run of text as terms. */
export interface AnalysedText {
  /** One term per word, in reading order, parts of identifiers apart. Phrases match on these. */
  readonly words: readonly string[]
  /** Whole identifiers, versions, bigrams of unspaced scripts: found, but outside the reading order. */
  readonly compounds: readonly string[]
}
