/**
 * Evidence of neighbours: in a conversation the answer is often beside the
 * message that contains the words of the question. The scores of neighbours are
 * added at query time; no message is indexed under another.
 */

/** A message with its neighbours in the session. */
export interface Linked<Self> {
  readonly previous: Self | undefined
  readonly next: Self | undefined
}

/** Shares of a neighbour's evidence by distance, the first for distance 1. Farther neighbours add nothing. */
interface NeighbourWeights {
  readonly before: readonly number[]
  readonly after: readonly number[]
  /** Factor for the evidence of a question on the message directly after it. */
  readonly answering: number
}

interface EvidenceSource extends Linked<EvidenceSource> {
  readonly evidence: number
  readonly traits: { readonly isQuestion: boolean }
}

/** The weighted sum of the neighbours' evidence. The message's own evidence is not included. */
export function neighbourEvidence(message: EvidenceSource, { before, after, answering }: NeighbourWeights): number {
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

/** The message, then up to `reach` neighbours before it, then after it, the nearest first. */
export function* around<Self extends Linked<Self>>(message: Self, reach: number): Generator<Self> {
  yield message
  let at = message.previous
  for (let step = 0; at !== undefined && step < reach; step += 1, at = at.previous) yield at
  at = message.next
  for (let step = 0; at !== undefined && step < reach; step += 1, at = at.next) yield at
}
