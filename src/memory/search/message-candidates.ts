/**
 * Reads the candidates of a question: the best chunks from the word index, then
 * the signals of their messages and of the messages around them, which may answer
 * the question too. Filters apply inside the query of the word index, so a message
 * that they exclude takes no place of another.
 */
import { CHUNKS_PER_DOCUMENT, documentOf } from '../../fts/chunk-number.ts'
import { CONVERSATION_WEIGHTS } from '../../ranking/conversations/conversation-weights.ts'
import type { StoredMessage, MessageWindow } from '../../ranking/conversations/message-windows.ts'
import { rows, type Database } from '../store/message-database.ts'
import type { MessageIndexTables } from '../store/message-index.ts'
import {
  filterConditions,
  filterExpressions,
  tokenGroups,
  untokenedConditions,
  type MessageFilters,
} from '../store/message-filters.ts'

/** Rank of candidates, with weights of content, summary, tags and filters. */
const CANDIDATE_RANK = 'bm25(1.0, 1.0, 1.0, 0.0)'

/** Neighbours on each side of a candidate that the ranking uses. */
const NEIGHBOURS = Math.max(
  CONVERSATION_WEIGHTS.before.length,
  CONVERSATION_WEIGHTS.after.length,
  CONVERSATION_WEIGHTS.windowReach,
)

/** Further places that a window reads on each side, because some may be of deleted messages. */
const SPARE_PLACES = 2

/** First chunks that are read of a long neighbour. */
const NEIGHBOUR_CHUNKS = 4

/** Number of chunks that contain each term. A term that no chunk contains is absent. */
export function readFrequencies(
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

/** The most chunks that can pass the filters that the word index knows; Infinity without one. */
export function countFiltered(database: Database, tables: MessageIndexTables, filters: MessageFilters): number {
  const groups = tokenGroups(filters)
  const tokens = groups.flat().map((term) => ({ term }))
  const frequencies = tokens.length === 0 ? new Map<string, number>() : readFrequencies(database, tables, tokens)
  return Math.min(
    ...groups.map((group) => group.reduce((sum, token) => sum + (frequencies.get(token) ?? 0), 0)),
    Infinity,
  )
}

/** Best chunks that are ranked of a long message. */
const CHUNKS_PER_MESSAGE = 8

/** One read of candidates: chunks that contain any of the terms. */
export interface CandidateLookup {
  readonly terms: readonly { readonly term: string }[]
  /** Only messages with a higher sequence. */
  readonly after?: number
}

/** Numbers of the best chunks that a lookup selects, of up to `limit` messages. */
export function findCandidateChunks(
  database: Database,
  tables: MessageIndexTables,
  lookup: CandidateLookup,
  filters: MessageFilters,
  limit: number,
): number[] {
  // Most messages have one chunk. If long messages take up the limit, the query runs again with a higher one.
  for (let count = limit; ; count *= CHUNKS_PER_MESSAGE) {
    const chunks = bestChunks(database, tables, lookup, filters, count)
    const messages = [...Map.groupBy(chunks, documentOf).values()]
    if (messages.length < limit && chunks.length === count) continue
    return messages.slice(0, limit).flatMap((ofMessage) => ofMessage.slice(0, CHUNKS_PER_MESSAGE))
  }
}

function bestChunks(
  database: Database,
  { words }: MessageIndexTables,
  { terms, after = 0 }: CandidateLookup,
  filters: MessageFilters,
  limit: number,
): number[] {
  const { conditions, values } = untokenedConditions(filters)
  const match = [
    `{content summary tags} : (${terms.map(({ term }) => quoted(term)).join(' OR ')})`,
    ...(filters.phrased === undefined ? [] : [`(${filters.phrased.match})`]),
    ...filterExpressions(filters),
  ].join(' AND ')
  const joined = conditions.length === 0 ? '' : `CROSS JOIN messages m ON m.sequence = w.rowid / ${CHUNKS_PER_DOCUMENT}`
  const found = rows<{ chunk: number }>(
    database,
    `SELECT w.rowid AS chunk FROM ${words} w ${joined}
    WHERE ${[`${words} MATCH ?`, `w.rank MATCH '${CANDIDATE_RANK}'`, 'w.rowid >= ?', ...conditions].join(' AND ')}
    ORDER BY w.rank LIMIT ?`,
    match,
    (after + 1) * CHUNKS_PER_DOCUMENT,
    ...values,
    limit,
  )
  return found.map(({ chunk }) => chunk)
}

/** Terms come from the text analysis and contain no quotes, so no input of a caller becomes an operator. */
function quoted(term: string): string {
  return `"${term}"`
}

/** The input of the ranking, and the places of its messages. */
interface FoundCandidates {
  readonly windows: readonly MessageWindow[]
  /** Places of the messages that pass the filters, by message id. */
  readonly places: ReadonlyMap<string, CandidatePlace>
}

export interface CandidatePlace {
  readonly sequence: number
  readonly session: number
  /** The chunks of the message in the input of the ranking, in the same order. */
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

/** The messages of the chunks with the messages around them. Those that pass the filters are marked as wanted. */
export function readCandidates(
  database: Database,
  tables: MessageIndexTables,
  chunks: readonly number[],
  filters: MessageFilters,
): FoundCandidates {
  const candidates = rows<MessagePlace>(
    database,
    `SELECT m.session, m.place FROM json_each(?) j CROSS JOIN messages m ON m.sequence = j.value`,
    JSON.stringify([...new Set(chunks.map(documentOf))]),
  )
  const signals = readSignals(database, tables, placeRanges(candidates), chunks)
  const wanted = readWanted(database, new Set(signals.map(({ sequence }) => sequence)), filters)
  const places = new Map<string, CandidatePlace>()
  const toWindow = (ofWindow: readonly SignalRow[]): MessageWindow =>
    [...Map.groupBy(ofWindow, ({ sequence }) => sequence)].map(([sequence, chunks]) => {
      const passing = wanted.get(sequence)
      if (passing !== undefined) places.set(passing.message_id, { sequence, session: chunks[0]!.session, chunks })
      return toStored(sequence, chunks, passing)
    })
  return { windows: [...Map.groupBy(signals, ({ range }) => range).values()].map(toWindow), places }
}

/** The messages that pass the filters, by sequence. */
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

/** A message that the filters exclude gets no id, importance or time: the ranking uses it only as a neighbour. */
function toStored(sequence: number, chunks: readonly SignalRow[], passing?: WantedRow): StoredMessage {
  return {
    id: passing?.message_id ?? String(sequence),
    session: String(chunks[0]?.session),
    importance: passing?.importance ?? 0,
    timestamp: passing?.timestamp ?? 0,
    isWanted: passing !== undefined,
    traits: chunks[0]?.traits ?? '',
    chunks,
  }
}

/** A range of places in a session, both ends included. */
type PlaceRange = readonly [session: number, from: number, to: number]

/** Ranges that cover the window of every message, without overlaps. */
function placeRanges(places: readonly MessagePlace[]): PlaceRange[] {
  const around = NEIGHBOURS + SPARE_PLACES
  const ranges: PlaceRange[] = []
  for (const { session, place } of places.toSorted((a, b) => a.session - b.session || a.place - b.place)) {
    const [lastSession, from = 0, to = 0] = ranges.at(-1) ?? []
    const isJoined = lastSession === session && place - around <= to + 1
    if (isJoined) ranges[ranges.length - 1] = [session, from, place + around]
    else ranges.push([session, place - around, place + around])
  }
  return ranges
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

/** The signals of the ranges in order of place: of a long message, its first chunks and the candidate chunks. */
function readSignals(
  database: Database,
  { signals }: MessageIndexTables,
  ranges: readonly PlaceRange[],
  chunks: readonly number[],
): SignalRow[] {
  return rows(
    database,
    `SELECT j.key AS range, s.session, s.sequence, s.start, s.chars, s.length, s.terms, s.traits
    FROM json_each(?) j CROSS JOIN ${signals} s
    ON s.session = j.value ->> 0 AND s.place BETWEEN j.value ->> 1 AND j.value ->> 2
    WHERE s.chunk < ? OR s.sequence * ${CHUNKS_PER_DOCUMENT} + s.chunk IN (SELECT value FROM json_each(?))
    ORDER BY j.key, s.place, s.chunk`,
    JSON.stringify(ranges),
    NEIGHBOUR_CHUNKS,
    JSON.stringify(chunks),
  )
}
