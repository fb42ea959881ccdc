/**
 * Finds the messages nearest to a question's vector: scans all sketches, then
 * compares the int16 vectors of the best. Filters apply exactly: if too few of the
 * best messages pass, all messages that pass are listed and only these are scanned.
 */
import { CHUNKS_PER_DOCUMENT, documentOf } from '../../fts/chunk-number.ts'
import { compareTies, type TieKeys } from '../../ranking/conversations/tie-order.ts'
import { BestChunks } from '../../vectors/best-chunks.ts'
import { similarity } from '../../vectors/int16-vector.ts'
import { scoreAt, toLookup } from '../../vectors/sketch.ts'
import { rows, type Database } from '../store/message-database.ts'
import { filterConditions, type MessageFilters } from '../store/message-filters.ts'
import { chunkAt, readPacks, RECORD_BYTES, sessionAt } from './packed-sketches.ts'

/** A message, and the range of its content that is nearest. */
interface NearestMessage {
  readonly sequence: number
  readonly session: number
  /** Cosine, above 0. */
  readonly similarity: number
  /** Start and length of the range, in UTF-16 units. */
  readonly start: number
  readonly chars: number
}

/** Factor for the messages compared when filters may exclude some. */
const FILTERED_FACTOR = 4

/** Up to `limit` messages of a similarity above 0, the nearest first; ties by compareTies. */
export function findNearestMessages(
  database: Database,
  vector: Float32Array,
  filters: MessageFilters,
  limit: number,
): NearestMessage[] {
  const { session, ...rest } = filters
  const isFiltered = filterConditions(rest).conditions.length > 0
  const compared = isFiltered ? limit * FILTERED_FACTOR : limit
  const lookup = toLookup(vector)
  const best = scanPackedSketches(database, lookup, compared, { session })
  const found = compareVectors(database, vector, best, filters)
  if (!isFiltered || best.length < compared || found.length >= limit) return found.slice(0, limit)
  const passing = listPassing(database, filters)
  const others = scanPackedSketches(database, lookup, limit, { session, passing })
  return compareVectors(database, vector, others, filters)
}

/** The similarity of these messages, that of their best chunks, in any order. A message without a vector is absent. */
export function compareMessages(
  database: Database,
  vector: Float32Array,
  messages: readonly { readonly sequence: number }[],
): Pick<NearestMessage, 'sequence' | 'similarity'>[] {
  const found = rows<Pick<VectorRow, 'chunk' | 'vector'>>(
    database,
    `SELECT v.chunk, v.vector FROM json_each(?) j CROSS JOIN vectors v
    ON v.chunk BETWEEN j.value * ${CHUNKS_PER_DOCUMENT} AND j.value * ${CHUNKS_PER_DOCUMENT} + ${CHUNKS_PER_DOCUMENT - 1}`,
    JSON.stringify(messages.map(({ sequence }) => sequence)),
  )
  const best = new Map<number, number>()
  for (const { chunk, vector: stored } of found) {
    const one = similarity(vector, new Uint8Array(stored))
    if (one > (best.get(documentOf(chunk)) ?? -Infinity)) best.set(documentOf(chunk), one)
  }
  return Array.from(best, ([sequence, one]) => ({ sequence, similarity: one }))
}

/** The best chunk of each of the `limit` messages with the best sketches, best first. */
function scanPackedSketches(
  database: Database,
  lookup: Float32Array,
  limit: number,
  { session, passing }: { readonly session: number | undefined; readonly passing?: ReadonlySet<number> },
): number[] {
  const best = new BestChunks(limit)
  for (const records of readPacks(database)) {
    for (let at = 0; at < records.length; at += RECORD_BYTES) {
      if (session !== undefined && sessionAt(records, at) !== session) continue
      if (passing !== undefined && !passing.has(documentOf(chunkAt(records, at)))) continue
      const score = scoreAt(records, at, lookup)
      if (score > best.floor) best.add(chunkAt(records, at), score)
    }
  }
  return best.chunks()
}

interface VectorRow extends TieKeys {
  readonly chunk: number
  readonly session: number
  readonly start: number
  readonly chars: number
  readonly vector: ArrayBuffer
}

/** Compares the int16 vectors of the chunks whose messages pass the filters. */
function compareVectors(
  database: Database,
  vector: Float32Array,
  chunks: readonly number[],
  filters: MessageFilters,
): NearestMessage[] {
  const { conditions, values } = filterConditions(filters)
  const found = rows<VectorRow>(
    database,
    `SELECT v.chunk, v.start, v.chars, v.vector, m.session, m.importance, m.timestamp, m.message_id AS id
    FROM json_each(?) j CROSS JOIN vectors v ON v.chunk = j.value
    CROSS JOIN messages m ON m.sequence = v.chunk / ${CHUNKS_PER_DOCUMENT}
    WHERE ${['m.deleted = 0', ...conditions].join(' AND ')}`,
    JSON.stringify(chunks),
    ...values,
  )
  return found
    .map((one) => ({ ...one, similarity: similarity(vector, new Uint8Array(one.vector)) }))
    .filter((one) => one.similarity > 0)
    .sort((a, b) => b.similarity - a.similarity || compareTies(a, b))
    .map(({ chunk, session, similarity, start, chars }) => {
      return { sequence: documentOf(chunk), session, similarity, start, chars }
    })
}

/** Sequences of all live messages that pass the filters. */
function listPassing(database: Database, filters: MessageFilters): ReadonlySet<number> {
  const { conditions, values } = filterConditions(filters)
  const found = rows<{ sequence: number }>(
    database,
    `SELECT m.sequence FROM messages m WHERE ${['m.deleted = 0', ...conditions].join(' AND ')}`,
    ...values,
  )
  return new Set(found.map(({ sequence }) => sequence))
}
