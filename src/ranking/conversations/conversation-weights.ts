/**
 * All weights of the ranking of conversations. They were tuned on conversations
 * of two friends and of a user with an assistant, on questions with known answers.
 */
import type { Bm25Shape } from '../bm25.ts'

export interface ConversationWeights {
  readonly shape: Bm25Shape
  /** Shares of a neighbour's evidence that a message gets, by distance, the first for distance 1. */
  readonly before: readonly number[]
  readonly after: readonly number[]
  /** Factor for the evidence of a question on the message directly after it. */
  readonly answering: number
  /** Factor 1 + coverage * share of the question's term weights that the message contains. */
  readonly coverage: number
  /** The same for the message together with `windowReach` neighbours on each side. */
  readonly windowCoverage: number
  readonly windowReach: number
  /** Factor for messages of the one speaker that the question names. */
  readonly speaker: number
  /** Factor for messages of sessions without any speaker that the question names. */
  readonly elsewhere: number
  /** Factor for the weight of a speaker's name as a term, because it is in half of the messages. */
  readonly nameWeight: number
  /** Factor for messages that end as a question: answers come after them. */
  readonly asking: number
  /** Factors for messages that mention a time or a number, if the question asks for one. */
  readonly time: number
  readonly number: number
  /** Factor for messages of the role that the question asks about. */
  readonly role: number
  /** Messages whose scores decide how far a session stands out. */
  readonly standingDepth: number
  /** Share of its neighbours' evidence that a message keeps in a session that does not stand out at all; up to 1 in one that does. */
  readonly neighbourShare: number
  /** The n-th further message of a session has its score divided by 1 + n * further, less in one that stands out. */
  readonly further: number
  /** Share of its weight that vector search keeps where no session stands out at all; up to 1 where one does. */
  readonly elsewhereVectors: number
  /** Compared messages with which the median of their similarities counts half as a floor; it counts more with more. */
  readonly medianHalf: number
  /** Sum of the expansion terms' weights, relative to the question's; number of messages and terms of the expansion. */
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
  standingDepth: 50,
  neighbourShare: 0.4,
  further: 0.6,
  elsewhereVectors: 0.4,
  medianHalf: 10,
  feedback: 0.2,
  feedbackMessages: 5,
  feedbackTerms: 15,
}
