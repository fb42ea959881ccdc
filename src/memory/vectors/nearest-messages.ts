/**
 * The messages nearest to a question's vector: a scan of all sketches, then the
 * exact vectors of the best. Filters hold exactly: where too few of the best
 * pass, all messages that pass are listed first and only these are compared.
 */
import { CHUNKS_PER_DOCUMENT, documentOf } from '../../fts/chunk-number.ts'
import { BestChunks } from '../../vectors/best-chunks.ts'
import { similarity } from '../../vectors/int16-vector.ts'
import { scoreAt, toLookup } from '../../vectors/sketch.ts'
import { rows, type Database } from '../store/message-database.ts'
import { filterConditions, type MessageFilters } from '../store/message-filters.ts'
import { chunkAt, readPacks, RECORD_BYTES, sessionAt } from './packed-sketches.ts'

/** A message, and the stretch of its content that is nearest. */
export interface NearestMessage {
  readonly sequence: number
  /** The cosine, above 0: what points the other way is not near. */
  readonly similarity: number
  /** In UTF-16 units. */
  readonly start: number
  readonly chars: number
}

/** How many times as many are looked at where filters may take some away. */
const SPARE = 4

/** Up to `limit` messages, the nearest first; equal ones by importance, then the newer, then by id. */
export function findNearestMessages(
  database: Database,
  vector: Float32Array,
  filters: MessageFilters,
  limit: number,
): NearestMessage[] {
  const { session, ...rest } = filters
  const isFiltered = filterConditions(rest).conditions.length > 0
  const looked = isFiltered ? limit * SPARE : limit
  const lookup = toLookup(vector)
  const best = scanPackedSketches(database, lookup, looked, { session })
  const found = readNear(database, vector, best, filters)
  if (!isFiltered || best.length < looked || found.length >= limit) return found.slice(0, limit)
  const passing = listPassing(database, filters)
  const others = scanPackedSketches(database, lookup, limit, { session, passing })
  return readNear(database, vector, others, filters)
}

/** The best chunk of each of the `limit` messages that look most like the question, best first. */
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

interface ExactRow {
  readonly chunk: number
  readonly start: number
  readonly chars: number
  readonly vector: ArrayBuffer
  readonly importance: number
  readonly timestamp: number
  readonly message_id: string
}

/** Of these chunks those whose messages pass, by their exact vectors. */
function readNear(
  database: Database,
  vector: Float32Array,
  chunks: readonly number[],
  filters: MessageFilters,
): NearestMessage[] {
  const { conditions, values } = filterConditions(filters)
  const found = rows<ExactRow>(
    database,
    `SELECT v.chunk, v.start, v.chars, v.vector, m.importance, m.timestamp, m.message_id
    FROM json_each(?) j CROSS JOIN vectors v ON v.chunk = j.value
    CROSS JOIN messages m ON m.sequence = v.chunk / ${CHUNKS_PER_DOCUMENT}
    WHERE ${['m.deleted = 0', ...conditions].join(' AND ')}`,
    JSON.stringify(chunks),
    ...values,
  )
  return found
    .map((one) => ({ ...one, similarity: similarity(vector, new Uint8Array(one.vector)) }))
    .filter((one) => one.similarity > 0)
    .sort(
      (a, b) =>
        b.similarity - a.similarity ||
        b.importance - a.importance ||
        b.timestamp - a.timestamp ||
        (a.message_id < b.message_id ? -1 : 1),
    )
    .map(({ chunk, similarity, start, chars }) => ({ sequence: documentOf(chunk), similarity, start, chars }))
}

/** Sequences of all messages that the filters let through. */
function listPassing(database: Database, filters: MessageFilters): ReadonlySet<number> {
  const { conditions, values } = filterConditions(filters)
  const found = rows<{ sequence: number }>(
    database,
    `SELECT m.sequence FROM messages m WHERE ${['m.deleted = 0', ...conditions].join(' AND ')}`,
    ...values,
  )
  return new Set(found.map(({ sequence }) => sequence))
}
