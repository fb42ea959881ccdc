/**
 * Evidence of neighbours: in a conversation the answer often stands beside the
 * words of the question. What neighbours score is added when a question is
 * asked; nothing of one message is kept under another.
 */

/** A message in its session. */
export interface Linked<Self> {
  readonly previous: Self | undefined
  readonly next: Self | undefined
}

/** What neighbours add, by their distance from 1 on; further ones add nothing. */
export interface NeighbourWeights {
  readonly before: readonly number[]
  readonly after: readonly number[]
  /** How many times more a question tells for the message right after it. */
  readonly answering: number
}

interface Telling extends Linked<Telling> {
  readonly evidence: number
  readonly traits: { readonly isQuestion: boolean }
}

/** The weighted sum of what the neighbours tell, without the message itself. */
export function neighbourEvidence(message: Telling, { before, after, answering }: NeighbourWeights): number {
  let sum = 0
  let at = message.previous
  if (at?.traits.isQuestion) sum += (answering - 1) * (before[0] ?? 0) * at.evidence
  for (let step = 0; at !== undefined && step < before.length; step += 1, at = at.previous) {
    sum += before[step]! * at.evidence
  }
  at = message.next
  for (let step = 0; at !== undefined && step < after.length; step += 1, at = at.next) {
    sum += after[step]! * at.evidence
  }
  return sum
}

/** The message and up to `reach` neighbours on each side. */
export function* around<Self extends Linked<Self>>(message: Self, reach: number): Generator<Self> {
  yield message
  let at = message.previous
  for (let step = 0; at !== undefined && step < reach; step += 1, at = at.previous) yield at
  at = message.next
  for (let step = 0; at !== undefined && step < reach; step += 1, at = at.next) yield at
}
