/**
 * The vector index in D1: full vectors one a row, sketches packed. Vectors and
 * the `vectors_version` of their documents are written in one transaction, so a
 * version never claims vectors that are not stored.
 */
import { CHUNKS_PER_DOCUMENT, documentOf } from '../../fts/chunk-number.ts'
import { toSketch } from '../../vectors/sketch.ts'
import type { Index } from '../sql/index-database.ts'
import { documentTokens } from '../filters/filter-tokens.ts'
import { versionGuards } from '../sql/guards.ts'
import { packJson, statementsFor } from '../sql/json-rows.ts'
import { packVector, unpackVector } from './encode-vector.ts'
import { findByVector } from './find.ts'
import { NO_ATTRIBUTES, NO_SKETCH, packAttributes, packSketch } from './sketch-record.ts'
import { toBloomFilter } from './bloom-filter.ts'
import { spliceStatements, toFreeSlots } from './sketch-slots.ts'
import type { VectorIndex, VectorsOwner, VectorsWrite } from './vector-index.ts'

export function d1Vectors(index: Index): VectorIndex {
  return {
    nearest: findByVector,
    put: (writes, generation) => put(index, writes, generation),
    drop: (documents) => drop(index, documents),
  }
}

/** A stored vector of one of the documents that are written. */
interface StoredVector {
  readonly chunk: number
  readonly slot: number
  readonly vector: string
}

/** A vector to write, with its document. */
interface NewVector {
  readonly owner: VectorsOwner
  readonly chunk: number
  readonly vector: Float32Array
}

async function put(index: Index, writes: readonly VectorsWrite[], generation: number): Promise<void> {
  const { database } = index
  const documents = writes.map(({ document }) => document)
  const stored = await readVectors(index, documents)
  const added = writes.flatMap((write) => toNewVectors(write, stored))
  const slots = await takeSlots(index, stored, added.length)
  const attributesOf = new Map(writes.map((write) => [write.document, toAttributes(write)]))
  const records = added.map(({ owner, chunk, vector }, at) => ({
    slot: slots[at] ?? 0,
    sketch: packSketch({ sketch: toSketch(vector), chunk, repository: owner.repository, generation }),
    attributes: attributesOf.get(owner.document) ?? NO_ATTRIBUTES,
  }))
  const rows = added.map(({ chunk, vector }, at) => [chunk, slots[at] ?? 0, packVector(vector)])
  await database.batch([
    ...versionGuards(
      database,
      writes.map(({ vectorId, version }) => [vectorId, version]),
    ),
    ...dropVectorsStatements(database, documents),
    ...packJson(slots).map((json) =>
      database.prepare('DELETE FROM free_slots WHERE slot IN (SELECT value FROM json_each(?1))').bind(json),
    ),
    ...statementsFor(
      database,
      `INSERT INTO vectors (chunk, slot, vector)
       SELECT e.value ->> 0, e.value ->> 1, e.value ->> 2 FROM json_each(?1) e`,
      rows,
    ),
    // The new vectors take the first of the stored slots; the records in the others are cleared.
    ...spliceStatements(database, [...emptied(stored.slice(added.length)), ...records]),
    ...packJson(documents).flatMap((json) => [
      database
        .prepare('UPDATE documents SET vectors_version = ?2 WHERE document IN (SELECT value FROM json_each(?1))')
        .bind(json, generation),
      database
        .prepare(`DELETE FROM retries WHERE kind = 'vectors' AND document IN (SELECT value FROM json_each(?1))`)
        .bind(json),
    ]),
  ])
}

async function drop(index: Index, documents: readonly number[]): Promise<void> {
  const stored = await readVectors(index, documents)
  if (stored.length === 0) return
  await index.database.batch([
    ...dropVectorsStatements(index.database, documents),
    ...spliceStatements(index.database, emptied(stored)),
  ])
}

const OF_DOCUMENTS = `FROM json_each(?1) e CROSS JOIN vectors v
  ON v.chunk >= e.value * ${CHUNKS_PER_DOCUMENT} AND v.chunk < (e.value + 1) * ${CHUNKS_PER_DOCUMENT}`

async function readVectors({ database }: Index, documents: readonly number[]): Promise<StoredVector[]> {
  const { results } = await database
    .prepare(`SELECT v.chunk, v.slot, v.vector ${OF_DOCUMENTS} ORDER BY v.slot`)
    .bind(JSON.stringify(documents))
    .all<StoredVector>()
  return results
}

/** Deletes the vectors of these documents and frees their slots. */
function dropVectorsStatements(database: D1Database, documents: readonly number[]): D1PreparedStatement[] {
  return packJson(documents).flatMap((json) => [
    database.prepare(`INSERT OR IGNORE INTO free_slots (slot) SELECT v.slot ${OF_DOCUMENTS}`).bind(json),
    database.prepare(`DELETE FROM vectors WHERE chunk IN (SELECT v.chunk ${OF_DOCUMENTS})`).bind(json),
  ])
}

function toNewVectors(write: VectorsWrite, stored: readonly StoredVector[]): NewVector[] {
  const { vectors, document } = write
  if (vectors !== undefined) {
    return vectors.flatMap((vector, at) =>
      vector ? [{ owner: write, chunk: document * CHUNKS_PER_DOCUMENT + at, vector }] : [],
    )
  }
  return stored
    .filter(({ chunk }) => documentOf(chunk) === document)
    .map(({ chunk, vector }) => ({ owner: write, chunk, vector: unpackVector(vector) }))
}

/** `count` slots: those of the documents, then free ones. If another writer takes one first, the write fails as a whole. */
async function takeSlots({ database }: Index, stored: readonly StoredVector[], count: number): Promise<number[]> {
  const own = stored.slice(0, count).map(({ slot }) => slot)
  const missing = count - own.length
  if (missing === 0) return own
  const [free, last] = await database.batch<{ slot: number | null }>([
    database.prepare('SELECT slot FROM free_slots ORDER BY slot LIMIT ?1').bind(missing),
    database.prepare(
      'SELECT max(slot) AS slot FROM (SELECT max(slot) AS slot FROM vectors UNION ALL SELECT max(slot) FROM free_slots)',
    ),
  ])
  const freed = (free?.results ?? []).map(({ slot }) => slot ?? 0)
  return [...own, ...toFreeSlots(freed, (last?.results[0]?.slot ?? -1) + 1, missing)]
}

function toAttributes({ attributes: { stored, createdAt, updatedAt } }: VectorsOwner): string {
  return packAttributes({
    createdAt,
    updatedAt,
    bloomFilter: toBloomFilter(documentTokens(stored, createdAt, updatedAt)),
  })
}

function emptied(stored: readonly StoredVector[]) {
  return stored.map(({ slot }) => ({ slot, sketch: NO_SKETCH, attributes: NO_ATTRIBUTES }))
}

/** True for a write that failed because another one took its slots: nothing was written, and it can be tried again. */
export function isSlotTaken(error: unknown): boolean {
  return error instanceof Error && /UNIQUE constraint failed: vectors\.slot/.test(error.message)
}
