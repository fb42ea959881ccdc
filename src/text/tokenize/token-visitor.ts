/**
 * What a scan of text tells, piece by piece. All pieces are folded and not yet
 * stemmed; `start` and `end` are UTF-16 offsets in the scanned text.
 */
export interface TokenVisitor {
  /** A word, in reading order. */
  word(folded: string, start: number, end: number): void
  /** Another name of the same thing: a whole identifier, a part of a camelCase one. */
  compound(folded: string, start: number, end: number): void
  /** Something wider that the word is one of: the `c` of `c++`, the `1.2` and `v1` of `1.2.3`. */
  relative(folded: string, start: number, end: number): void
  /** Two neighbouring characters of a script whose words are not set apart, marked as such. */
  bigram(folded: string, start: number, end: number): void
}
