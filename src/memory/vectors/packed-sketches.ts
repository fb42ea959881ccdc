/**
 * Packs the sketches of chunks: one row contains the sketches of 256 consecutive
 * sequences, so that a search reads few rows and a change writes one. A record consists of
 * the sketch, the number of the chunk and the number of the session.
 */
import { Buffer } from 'node:buffer'
import { documentOf } from '../../fts/chunk-number.ts'
import { SKETCH_BYTES, toSketch } from '../../vectors/sketch.ts'
import { row, rows, run, type Database } from '../store/message-database.ts'

/** Bytes of a record: sketch, chunk (6 bytes), session (4 bytes); numbers are big-endian. */
export const RECORD_BYTES = SKETCH_BYTES + 6 + 4

const CHUNK_AT = SKETCH_BYTES
const SESSION_AT = CHUNK_AT + 6

/** A pack in which every message has MAX_VECTOR_CHUNKS is 1.1 MB; a row of SQLite in an object can have 2 MB. */
const SEQUENCES_PER_PACK = 256

/** A chunk and the vector that is sketched. */
interface SketchedChunk {
  /** The message's sequence and the chunk's number, combined as in fts/chunk-number.ts. */
  readonly chunk: number
  readonly session: number
  readonly vector: Float32Array
}

/** Adds sketches of messages that have none. */
export function addSketches(database: Database, sketched: readonly SketchedChunk[]): void {
  for (const [pack, some] of Map.groupBy(sketched, ({ chunk }) => packOf(documentOf(chunk)))) {
    writePack(database, pack, Buffer.concat([readPack(database, pack), ...some.map(toRecord)]))
  }
}

/** Deletes the sketches of messages, if they have any. */
export function dropSketches(database: Database, sequences: readonly number[]): void {
  for (const [pack, some] of Map.groupBy(sequences, packOf)) {
    const dropped = new Set(some)
    const before = readPack(database, pack)
    const kept = recordsOf(before).filter((record) => !dropped.has(documentOf(chunkAt(record, 0))))
    const after = Buffer.concat(kept)
    if (after.length < before.length) writePack(database, pack, after)
  }
}

/** Sequences that have sketches but no live message. */
export function listOrphans(database: Database): number[] {
  return rows<{ pack: number }>(database, 'SELECT pack FROM sketches').flatMap(({ pack }) => {
    const first = pack * SEQUENCES_PER_PACK
    const live = rows<{ sequence: number }>(
      database,
      'SELECT sequence FROM messages WHERE deleted = 0 AND sequence >= ? AND sequence < ?',
      first,
      first + SEQUENCES_PER_PACK,
    )
    const liveSequences = new Set(live.map(({ sequence }) => sequence))
    const sketched = new Set(recordsOf(readPack(database, pack)).map((record) => documentOf(chunkAt(record, 0))))
    return [...sketched].filter((sequence) => !liveSequences.has(sequence))
  })
}

/** Reads all packs. Record `n` of a pack begins at `n * RECORD_BYTES`. */
export function* readPacks(database: Database): Iterable<Buffer> {
  for (const { records } of database.sql.exec<{ records: ArrayBuffer }>('SELECT records FROM sketches')) {
    yield Buffer.from(records)
  }
}

/** Bytes of all packs together. */
export function sketchBytes(database: Database): number {
  return row<{ bytes: number }>(database, 'SELECT coalesce(sum(length(records)), 0) AS bytes FROM sketches')?.bytes ?? 0
}

/** The chunk of the record that begins at byte `at`. */
export function chunkAt(records: Buffer, at: number): number {
  return records.readUIntBE(at + CHUNK_AT, 6)
}

/** The session of the record that begins at byte `at`. */
export function sessionAt(records: Buffer, at: number): number {
  return records.readUInt32BE(at + SESSION_AT)
}

function packOf(sequence: number): number {
  return Math.floor(sequence / SEQUENCES_PER_PACK)
}

function toRecord({ chunk, session, vector }: SketchedChunk): Buffer {
  const record = Buffer.alloc(RECORD_BYTES)
  record.set(toSketch(vector))
  record.writeUIntBE(chunk, CHUNK_AT, 6)
  record.writeUInt32BE(session, SESSION_AT)
  return record
}

function recordsOf(pack: Buffer): Buffer[] {
  return Array.from({ length: pack.length / RECORD_BYTES }, (_, at) =>
    pack.subarray(at * RECORD_BYTES, (at + 1) * RECORD_BYTES),
  )
}

function readPack(database: Database, pack: number): Buffer {
  const found = row<{ records: ArrayBuffer }>(database, 'SELECT records FROM sketches WHERE pack = ?', pack)
  return found === undefined ? Buffer.alloc(0) : Buffer.from(found.records)
}

function writePack(database: Database, pack: number, records: Buffer): void {
  if (records.length === 0) run(database, 'DELETE FROM sketches WHERE pack = ?', pack)
  else run(database, 'INSERT OR REPLACE INTO sketches VALUES (?, ?)', pack, records)
}
