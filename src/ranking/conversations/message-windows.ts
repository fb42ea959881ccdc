/**
 * Messages as they are being ranked: unpacked once, however many windows they
 * stand in, and linked to their neighbours.
 */
import { unpackTraits, type Traits } from './message-signals.ts'
import { NO_MATCH, unpackChunks, type MessageScore, type StoredChunk, type UnpackedChunk } from './message-score.ts'

/** A message with what is stored to rank it by. */
export interface StoredMessage {
  readonly id: string
  readonly session: string
  readonly importance: number
  /** Unix ms. */
  readonly timestamp: number
  /** False for a message that filters leave out: it is only a neighbour. */
  readonly isWanted: boolean
  readonly traits: string
  /** Its first chunk and those the pool found, in order; more may be given. */
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
  /** What the message's own words score; none until it is scored. */
  own: MessageScore
  /** What it tells for itself and its neighbours: its own score, and what lent terms add. */
  evidence: number
}

/** Every message of the windows once, in the order they come. Of one given with several lists of chunks the longest is read. */
export function unpackWindows(windows: readonly MessageWindow[]): RankingCandidate[] {
  const fullest = new Map<string, StoredMessage>()
  for (const message of windows.flat()) {
    const known = fullest.get(message.id)
    if (known === undefined || known.chunks.length < message.chunks.length) fullest.set(message.id, message)
  }
  const readings = new Map([...fullest].map(([id, message]) => [id, toReading(message)]))
  for (const window of windows) {
    let previous: RankingCandidate | undefined
    for (const { id } of window) {
      const reading = readings.get(id)
      if (reading !== undefined && previous !== undefined) {
        previous.next = reading
        reading.previous = previous
      }
      previous = reading
    }
  }
  return [...readings.values()]
}

function toReading(message: StoredMessage): RankingCandidate {
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
