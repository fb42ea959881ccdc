/** Conversations with questions whose answers are known. Messages are in the order they were written. */

export interface SetMessage {
  readonly id: string
  readonly session: string
  readonly role: 'user' | 'assistant' | 'system'
  readonly text: string
}

export interface EvidenceQuestion {
  readonly text: string
  /** Kind of question; figures are printed for each. */
  readonly kind: string
  /** Distance of its words from those of its answer, where the set has it: `near`, `usual` or `far`. */
  readonly wording?: string
  readonly session?: string
  /** The ids of the messages that answer it. */
  readonly evidence: ReadonlySet<string>
}

export interface ConversationSet {
  readonly messages: readonly SetMessage[]
  readonly questions: readonly EvidenceQuestion[]
}
