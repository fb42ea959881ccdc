/**
 * The visitor of the tokenizer. All tokens are folded and not stemmed; `start` and
 * `end` are UTF-16 offsets in the tokenized text.
 */
export interface TokenVisitor {
  /** A word, in reading order. */
  word(folded: string, start: number, end: number): void
  /** Another form of a word: a whole identifier, or a part of a camelCase one. */
  compound(folded: string, start: number, end: number): void
  /** A more general form: the `c` of `c++`, the `1.2` and `v1` of `1.2.3`. */
  relative(folded: string, start: number, end: number): void
  /** Two neighbouring characters of a script without spaces, with BIGRAM_MARK. */
  bigram(folded: string, start: number, end: number): void
}
