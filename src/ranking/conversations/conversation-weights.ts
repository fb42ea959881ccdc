/**
 * Every number the ranking of conversations turns on, in one place. Chosen on
 * conversations of two friends and of a user with an assistant, where questions
 * were known with the messages that answer them.
 */
import type { Bm25Shape } from '../bm25.ts'

export interface ConversationWeights {
  readonly shape: Bm25Shape
  /** What a neighbour's own score adds, by its distance from 1 on. */
  readonly before: readonly number[]
  readonly after: readonly number[]
  /** How many times more a question tells for the message right after it. */
  readonly answering: number
  /** Up to 1 + this, by the share of the question's information that the message holds itself. */
  readonly coverage: number
  /** The same for the message and `windowReach` neighbours on both sides together. */
  readonly windowCoverage: number
  readonly windowReach: number
  /** For messages of the one speaker whom the question names. */
  readonly speaker: number
  /** For messages of sessions where none of the speakers speaks whom the question names. */
  readonly elsewhere: number
  /** What a speaker's name weighs as a word: it stands before half of all messages. */
  readonly nameWeight: number
  /** For messages that end as a question: answers rather follow them. */
  readonly asking: number
  /** For messages that tell a time, when that is asked; and a number. */
  readonly time: number
  readonly number: number
  /** For messages of whom the question is about: the user, or the assistant that told something. */
  readonly role: number
  /** Up to 1 + this, by the session's share of the scores of the best `sessionDepth` messages. */
  readonly session: number
  readonly sessionDepth: number
  /** The first messages lend the question some of their words, which weigh this much together. */
  readonly feedback: number
  readonly feedbackMessages: number
  readonly feedbackTerms: number
}

export const CONVERSATION_WEIGHTS: ConversationWeights = {
  shape: { k1: 1.6, b: 0.55 },
  before: [0.55, 0.35, 0.2, 0.1],
  after: [0.4, 0.25, 0.15, 0.05],
  answering: 1.5,
  coverage: 0.5,
  windowCoverage: 2,
  windowReach: 3,
  speaker: 3,
  elsewhere: 0.5,
  nameWeight: 0.2,
  asking: 0.75,
  time: 1.75,
  number: 1.75,
  role: 1.25,
  session: 1,
  sessionDepth: 50,
  feedback: 0.2,
  feedbackMessages: 5,
  feedbackTerms: 15,
}
