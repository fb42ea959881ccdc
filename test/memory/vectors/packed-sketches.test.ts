/** Packs of sketches: which row a record is in, what it contains, and what remains after a deletion. */
import { env } from 'cloudflare:workers'
import { runInDurableObject } from 'cloudflare:test'
import { expect, test } from 'vitest'
import { CHUNKS_PER_DOCUMENT } from '../../../src/fts/chunk-number.ts'
import { WriteCounters, rows, type Database } from '../../../src/memory/store/message-database.ts'
import {
  addSketches,
  chunkAt,
  dropSketches,
  listOrphans,
  readPacks,
  RECORD_BYTES,
  sessionAt,
  sketchBytes,
} from '../../../src/memory/vectors/packed-sketches.ts'
import { toSketch } from '../../../src/vectors/sketch.ts'

const VECTOR = Float32Array.of(0.6, -0.8)

/** Runs a test on the database of a new store. */
function withDatabase(run: (database: Database) => void): Promise<void> {
  const stub = env.MESSAGES.get(env.MESSAGES.idFromName(crypto.randomUUID()))
  return runInDurableObject(stub, (_, { storage }) =>
    run({
      sql: storage.sql,
      io: new WriteCounters(),
      transaction: (work) => storage.transactionSync(work),
      now: Date.now,
    }),
  )
}

const sketched = (sequence: number, session = 1, at = 0) => ({
  chunk: sequence * CHUNKS_PER_DOCUMENT + at,
  session,
  vector: VECTOR,
})

/** The numbers of chunks of each pack. */
const chunksOf = (database: Database): number[][] =>
  Array.from(readPacks(database), (pack) =>
    Array.from({ length: pack.length / RECORD_BYTES }, (_, at) => chunkAt(pack, at * RECORD_BYTES)),
  )

test('a pack contains the records of 256 consecutive sequences', () =>
  withDatabase((database) => {
    addSketches(database, [sketched(255), sketched(256), sketched(256, 1, 1)])
    addSketches(database, [sketched(511), sketched(512)])
    expect(chunksOf(database)).toEqual([
      [255 * CHUNKS_PER_DOCUMENT],
      [256 * CHUNKS_PER_DOCUMENT, 256 * CHUNKS_PER_DOCUMENT + 1, 511 * CHUNKS_PER_DOCUMENT],
      [512 * CHUNKS_PER_DOCUMENT],
    ])
    expect(sketchBytes(database)).toBe(5 * RECORD_BYTES)
  }))

test('a record keeps its sketch, its chunk and its session, up to the largest numbers', () =>
  withDatabase((database) => {
    const [sequence, session] = [2 ** 35 - 1, 2 ** 32 - 1]
    addSketches(database, [sketched(sequence, session, CHUNKS_PER_DOCUMENT - 1)])
    const [pack] = [...readPacks(database)]
    expect(chunkAt(pack!, 0)).toBe(2 ** 48 - 1)
    expect(sessionAt(pack!, 0)).toBe(session)
    const sketch = toSketch(VECTOR)
    expect([...pack!.subarray(0, sketch.length)]).toEqual([...sketch])
  }))

test('a deletion keeps the other records of a pack and removes an empty pack', () =>
  withDatabase((database) => {
    addSketches(database, [sketched(1), sketched(1, 1, 1), sketched(2), sketched(300)])
    dropSketches(database, [1, 300, 4_000])
    expect(chunksOf(database)).toEqual([[2 * CHUNKS_PER_DOCUMENT]])
    expect(rows(database, 'SELECT pack FROM sketches')).toEqual([{ pack: 0 }])
  }))

test('sequences without a live message are listed as orphans once', () =>
  withDatabase((database) => {
    addSketches(database, [sketched(1), sketched(1, 1, 1), sketched(700)])
    expect(listOrphans(database)).toEqual([1, 700])
  }))
