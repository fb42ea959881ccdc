/**
 * Unpacks the messages to rank, each once although windows overlap, and links
 * them to their neighbours.
 */
import { unpackTraits, type Traits } from './message-signals.ts'
import { NO_MATCH, unpackChunks, type MessageScore, type StoredChunk, type UnpackedChunk } from './message-score.ts'

/** A message with its stored signals. */
export interface StoredMessage {
  readonly id: string
  readonly session: string
  readonly importance: number
  /** Unix ms. */
  readonly timestamp: number
  /** False for a message that the filters exclude: it counts only as a neighbour. */
  readonly isWanted: boolean
  /** Packed by packTraits. */
  readonly traits: string
  /** Its first chunk and its candidate chunks, in order; further chunks are allowed. */
  readonly chunks: readonly StoredChunk[]
}

/** Successive live messages of one session, oldest first. Windows may overlap. */
export type MessageWindow = readonly StoredMessage[]

export interface RankingCandidate {
  readonly message: StoredMessage
  readonly traits: Traits
  readonly chunks: readonly UnpackedChunk[]
  previous: RankingCandidate | undefined
  next: RankingCandidate | undefined
  /** Score of the message's own words; NO_MATCH until it is scored. */
  own: MessageScore
  /** Score of its own words plus score of the expansion terms; its neighbours get a share of it. */
  evidence: number
}

/** Every message of the windows once, in their order. If one is given with several lists of chunks, the longest counts. */
export function unpackWindows(windows: readonly MessageWindow[]): RankingCandidate[] {
  const fullest = new Map<string, StoredMessage>()
  for (const message of windows.flat()) {
    const known = fullest.get(message.id)
    if (known === undefined || known.chunks.length < message.chunks.length) fullest.set(message.id, message)
  }
  const candidates = new Map([...fullest].map(([id, message]) => [id, toCandidate(message)]))
  for (const window of windows) {
    let previous: RankingCandidate | undefined
    for (const { id } of window) {
      const candidate = candidates.get(id)
      if (candidate !== undefined && previous !== undefined) {
        previous.next = candidate
        candidate.previous = previous
      }
      previous = candidate
    }
  }
  return [...candidates.values()]
}

function toCandidate(message: StoredMessage): RankingCandidate {
  return {
    message,
    traits: unpackTraits(message.traits),
    chunks: unpackChunks(message.chunks),
    previous: undefined,
    next: undefined,
    own: NO_MATCH,
    evidence: 0,
  }
}
