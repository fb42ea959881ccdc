/**
 * The lengths of a question at which its ranking changes. A short question names a
 * thing, a longer one describes it. A text of its own, such as an issue, repeats what
 * it is about, and quotes without asking for the quoted words.
 */

/** The parts of a question that say how long it is. */
export interface QuestionLength {
  /** Words that are neither stop words nor quoted. */
  readonly words: number
  readonly terms: readonly { readonly weight: number }[]
}

/** A question of at least this many words may be answered by several files of a commit. */
const SHARING_WORDS = 3

/** A question of at least this many words ranks discussions as it ranks prose. */
const DISCUSSION_WORDS = 7

/** A question of at least this many words is a text. */
const TEXT_WORDS = 12

/** True if the files of a commit may answer the question together. Stop words do not count. */
export function maySpanFiles({ terms }: QuestionLength): boolean {
  return terms.filter(({ weight }) => weight === 1).length >= SHARING_WORDS
}

export function ranksDiscussionsAsProse({ words }: Pick<QuestionLength, 'words'>): boolean {
  return words >= DISCUSSION_WORDS
}

/**
 * True for a question that is a text. Words that it repeats count more. A phrase or a
 * version in it raises the score of what it finds; in a shorter question it is an
 * exact reference, whose documents come first.
 */
export function isText({ words }: Pick<QuestionLength, 'words'>): boolean {
  return words >= TEXT_WORDS
}
