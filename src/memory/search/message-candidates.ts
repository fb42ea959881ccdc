/**
 * Messages of a question out of the word index, and what ranking reads of them
 * and of those around them, which may answer it too. Filters hold inside: a row
 * that may not be shown never takes the place of one that may.
 */
import { CHUNKS_PER_DOCUMENT, documentOf } from '../../fts/chunk-number.ts'
import { CONVERSATION_WEIGHTS } from '../../ranking/conversations/conversation-weights.ts'
import type { StoredMessage, MessageWindow } from '../../ranking/conversations/message-windows.ts'
import { rows, type Database } from '../store/message-database.ts'
import type { MessageIndexTables } from '../store/message-index.ts'
import { filterConditions, tokenGroups, untokenedConditions, type MessageFilters } from '../store/message-filters.ts'

/** `rank` of the pool: content, summary, tags, filters. */
const CANDIDATE_RANK = 'bm25(1.0, 1.0, 1.0, 0.0)'

/** How many neighbours on each side of a candidate tell something. */
const NEIGHBOURS = Math.max(CONVERSATION_WEIGHTS.before.length, CONVERSATION_WEIGHTS.after.length, CONVERSATION_WEIGHTS.windowReach)

/** Places that a window reads beyond the neighbours that count, for those of deleted messages between. */
const SPARE_PLACES = 2

/** Chunks of a long neighbour that are read. */
const NEIGHBOUR_CHUNKS = 4

/** How many chunks hold each term; a term that none holds is absent. */
export function frequenciesOf(
  database: Database,
  { terms: table }: MessageIndexTables,
  terms: readonly { readonly term: string }[],
): Map<string, number> {
  const found = rows<{ term: string; doc: number }>(
    database,
    `SELECT v.term, v.doc FROM json_each(?) j CROSS JOIN ${table} v ON v.term = j.value`,
    JSON.stringify(terms.map(({ term }) => term)),
  )
  return new Map(found.map(({ term, doc }) => [term, doc]))
}

/** Of a long message that matches all over, so many chunks are ranked. */
const CHUNKS_PER_MESSAGE = 8

/** The best chunks of up to `limit` messages that hold any of the terms, by number. */
export function candidateSequences(
  database: Database,
  tables: MessageIndexTables,
  terms: readonly { readonly term: string }[],
  filters: MessageFilters,
  limit: number,
): number[] {
  // Most messages are one chunk. Where a long one has filled the pool, it is asked for more.
  for (let count = limit; ; count *= CHUNKS_PER_MESSAGE) {
    const chunks = bestChunks(database, tables, terms, filters, count)
    const messages = [...Map.groupBy(chunks, documentOf).values()]
    if (messages.length < limit && chunks.length === count) continue
    return messages.slice(0, limit).flatMap((ofMessage) => ofMessage.slice(0, CHUNKS_PER_MESSAGE))
  }
}

function bestChunks(
  database: Database,
  { words }: MessageIndexTables,
  terms: readonly { readonly term: string }[],
  filters: MessageFilters,
  limit: number,
): number[] {
  const { conditions, values } = untokenedConditions(filters)
  const match = [
    `{content summary tags} : (${terms.map(({ term }) => quoted(term)).join(' OR ')})`,
    ...tokenGroups(filters).map((tokens) => `filters : (${tokens.map(quoted).join(' OR ')})`),
  ].join(' AND ')
  const joined = conditions.length === 0 ? '' : `CROSS JOIN messages m ON m.sequence = w.rowid / ${CHUNKS_PER_DOCUMENT}`
  const found = rows<{ chunk: number }>(
    database,
    `SELECT w.rowid AS chunk FROM ${words} w ${joined}
    WHERE ${[`${words} MATCH ?`, `w.rank MATCH '${CANDIDATE_RANK}'`, ...conditions].join(' AND ')}
    ORDER BY w.rank LIMIT ?`,
    match,
    ...values,
    limit,
  )
  return found.map(({ chunk }) => chunk)
}

/** Terms come from analysis and hold no quote, so nothing a caller types is an operator. */
function quoted(term: string): string {
  return `"${term}"`
}

/** What ranking reads, and where to find again what it chooses. */
export interface FoundCandidates {
  readonly windows: readonly MessageWindow[]
  /** Of each message that may be shown, by its id. */
  readonly places: ReadonlyMap<string, CandidatePlace>
}

export interface CandidatePlace {
  readonly sequence: number
  /** Chunks that ranking was given of the message, in the order it was given them. */
  readonly chunks: readonly { readonly start: number; readonly chars: number }[]
}

interface MessagePlace {
  readonly session: number
  readonly place: number
}

interface WantedRow {
  readonly sequence: number
  readonly message_id: string
  readonly importance: number
  readonly timestamp: number
}

/** The messages of some chunks with those around them; wanted are those that the filters let through. */
export function candidatesOf(
  database: Database,
  tables: MessageIndexTables,
  chunks: readonly number[],
  filters: MessageFilters,
): FoundCandidates {
  const pooled = rows<MessagePlace>(
    database,
    `SELECT m.session, m.place FROM json_each(?) j CROSS JOIN messages m ON m.sequence = j.value`,
    JSON.stringify([...new Set(chunks.map(documentOf))]),
  )
  const signals = readSignals(database, tables, placeRanges(pooled), chunks)
  const wanted = readWanted(database, new Set(signals.map(({ sequence }) => sequence)), filters)
  const places = new Map<string, CandidatePlace>()
  const toWindow = (ofWindow: readonly SignalRow[]): MessageWindow =>
    [...Map.groupBy(ofWindow, ({ sequence }) => sequence)].map(([sequence, chunks]) => {
      const shown = wanted.get(sequence)
      if (shown !== undefined) places.set(shown.message_id, { sequence, chunks })
      return toRanked(sequence, chunks, shown)
    })
  return { windows: [...Map.groupBy(signals, ({ range: stretch }) => stretch).values()].map(toWindow), places }
}

/** By sequence, those of the messages that may be shown. */
function readWanted(
  database: Database,
  sequences: ReadonlySet<number>,
  filters: MessageFilters,
): ReadonlyMap<number, WantedRow> {
  const { conditions, values } = filterConditions(filters)
  const found = rows<WantedRow>(
    database,
    `SELECT m.sequence, m.message_id, m.importance, m.timestamp
    FROM json_each(?) j CROSS JOIN messages m ON m.sequence = j.value
    ${conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`}`,
    JSON.stringify([...sequences]),
    ...values,
  )
  return new Map(found.map((one) => [one.sequence, one]))
}

/** Only of messages that may be shown the id, importance and time are looked at. */
function toRanked(sequence: number, chunks: readonly SignalRow[], shown?: WantedRow): StoredMessage {
  return {
    id: shown?.message_id ?? String(sequence),
    session: String(chunks[0]?.session),
    importance: shown?.importance ?? 0,
    timestamp: shown?.timestamp ?? 0,
    isWanted: shown !== undefined,
    traits: chunks[0]?.traits ?? '',
    chunks,
  }
}

/** Places of a session, both ends among them. */
type PlaceRange = readonly [session: number, from: number, to: number]

/** Stretches that hold the window of every message, each place once. */
function placeRanges(places: readonly MessagePlace[]): PlaceRange[] {
  const around = NEIGHBOURS + SPARE_PLACES
  const stretches: PlaceRange[] = []
  for (const { session, place } of places.toSorted((a, b) => a.session - b.session || a.place - b.place)) {
    const [lastSession, from = 0, to = 0] = stretches.at(-1) ?? []
    const isJoined = lastSession === session && place - around <= to + 1
    if (isJoined) stretches[stretches.length - 1] = [session, from, place + around]
    else stretches.push([session, place - around, place + around])
  }
  return stretches
}

interface SignalRow {
  readonly range: number
  readonly session: number
  readonly sequence: number
  readonly start: number
  readonly chars: number
  readonly length: number
  readonly terms: string
  readonly traits: string
}

/** The signals of stretches in the order of their places, and of a long message its first chunks and those in the pool. */
function readSignals(
  database: Database,
  { signals }: MessageIndexTables,
  stretches: readonly PlaceRange[],
  chunks: readonly number[],
): SignalRow[] {
  return rows(
    database,
    `SELECT j.key AS range, s.session, s.sequence, s.start, s.chars, s.length, s.terms, s.traits
    FROM json_each(?) j CROSS JOIN ${signals} s
    ON s.session = j.value ->> 0 AND s.place BETWEEN j.value ->> 1 AND j.value ->> 2
    WHERE s.chunk < ? OR s.sequence * ${CHUNKS_PER_DOCUMENT} + s.chunk IN (SELECT value FROM json_each(?))
    ORDER BY j.key, s.place, s.chunk`,
    JSON.stringify(stretches),
    NEIGHBOUR_CHUNKS,
    JSON.stringify(chunks),
  )
}
