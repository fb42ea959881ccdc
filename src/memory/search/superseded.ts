/**
 * Finds the messages of a result list that other messages supersede. The newest one
 * takes the place of the old fact that it replaced, which stands below it. Where
 * messages supersede each other in a circle, the newest of them counts.
 */
import type { Database } from '../store/message-database.ts'
import { readSupersessions, type Supersession } from '../store/relations.ts'

/** A message that live messages supersede. */
interface SupersededMessage {
  /** Sequences of the messages that supersede it, directly or through others. */
  readonly by: readonly number[]
  /** Sequence and message_id of the newest of those that no other one supersedes. */
  readonly newest: number
  readonly newestId: string
}

/** Superseded messages by their sequence. */
export type SupersededMessages = ReadonlyMap<number, SupersededMessage>

/** Score of a superseded message, as a share of the lowest score of those that supersede it, at most. */
const SUPERSEDED_SHARE = 0.99

export function findSuperseded(
  database: Database,
  found: readonly { readonly sequence: number }[],
): SupersededMessages {
  const sequences = found.map(({ sequence }) => sequence)
  const supersessions = readSupersessions(database, sequences)
  return supersessions.length === 0 ? new Map() : toSuperseded(sequences, supersessions)
}

/** Those of the messages that others supersede. Later messages have higher sequences. */
export function toSuperseded(sequences: readonly number[], supersessions: readonly Supersession[]): SupersededMessages {
  const sources = Map.groupBy(supersessions, ({ target }) => target)
  const idOf = new Map(supersessions.map(({ source, sourceId }) => [source, sourceId]))
  const reached = new Map<number, ReadonlySet<number>>()
  /** All messages from which a chain leads to this one; in a circle, this one too. */
  const reach = (sequence: number): ReadonlySet<number> => {
    const known = reached.get(sequence)
    if (known !== undefined) return known
    const found = new Set<number>()
    for (const next = [sequence]; next.length > 0;) {
      for (const { source } of sources.get(next.pop()!) ?? []) {
        if (found.has(source)) continue
        found.add(source)
        next.push(source)
      }
    }
    reached.set(sequence, found)
    return found
  }
  const supersedes = (source: number, sequence: number): boolean =>
    source !== sequence && reach(sequence).has(source) && (source > sequence || !reach(source).has(sequence))
  const isSuperseded = (sequence: number): boolean =>
    (sources.get(sequence) ?? []).some(({ source }) => source > sequence) ||
    [...reach(sequence)].some((source) => supersedes(source, sequence))
  const superseded = new Map<number, SupersededMessage>()
  for (const sequence of sequences) {
    const by = [...reach(sequence)].filter((source) => supersedes(source, sequence))
    if (by.length === 0) continue
    const last = by.filter((source) => !isSuperseded(source))
    const newest = Math.max(...last)
    superseded.set(sequence, { by, newest, newestId: idOf.get(newest)! })
  }
  return superseded
}

/**
 * The found messages, best first, each superseded one below all found ones that
 * supersede it. The newest of these scores as much as the old one did: a question
 * in the words of an old fact asks for what is true now.
 */
export function replaceSuperseded<Found extends { readonly sequence: number; readonly score: number }>(
  found: readonly Found[],
  superseded: SupersededMessages,
): Found[] {
  if (superseded.size === 0) return [...found]
  const scores = new Map(found.map(({ sequence, score }) => [sequence, score]))
  for (const { sequence, score } of found) {
    const { newest } = superseded.get(sequence) ?? {}
    if (newest !== undefined && scores.has(newest)) scores.set(newest, Math.max(scores.get(newest)!, score))
  }
  const affected = [...superseded].map(([sequence, { by }]) => {
    return { sequence, by: by.filter((one) => scores.has(one)) }
  })
  // Those that supersede a message are superseded by fewer, so their final scores come first.
  for (const { sequence, by } of affected.toSorted((a, b) => a.by.length - b.by.length)) {
    const lowest = Math.min(...by.map((one) => scores.get(one)!))
    scores.set(sequence, Math.min(scores.get(sequence)!, SUPERSEDED_SHARE * lowest))
  }
  return found.map((one) => ({ ...one, score: scores.get(one.sequence)! })).toSorted((a, b) => b.score - a.score)
}
