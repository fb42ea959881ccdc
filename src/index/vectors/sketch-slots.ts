/**
 * Slots: where a chunk's record stands in the packed sketches. A slot that is
 * given back is taken again before a new one, and records of neighbouring slots
 * are written together, since each statement writes its pack anew.
 */
import { ATTRIBUTES_RECORD_CHARS, RECORDS_PER_PACK, SKETCH_RECORD_CHARS } from './sketch-record.ts'

/** Slots nobody has: first those that were given back, then those behind the last. */
export function toFreeSlots(givenBack: readonly number[], next: number, count: number): number[] {
  const used = givenBack.slice(0, count)
  const fresh = Array.from({ length: count - used.length }, (_, at) => next + at)
  return [...used, ...fresh]
}

export interface SlotRecord {
  readonly slot: number
  readonly sketch: string
  readonly attributes: string
}

/** Statements that write the records, in the order of their slots; a pack grows at its end only. */
export function spliceStatements(database: D1Database, records: readonly SlotRecord[]): D1PreparedStatement[] {
  const statement = database.prepare(
    `INSERT INTO sketches (pack, sketches, attributes) VALUES (?1, ?2, ?3)
     ON CONFLICT (pack) DO UPDATE SET
       sketches = substr(sketches, 1, ?4) || ?2 || substr(sketches, ?4 + length(?2) + 1),
       attributes = substr(attributes, 1, ?5) || ?3 || substr(attributes, ?5 + length(?3) + 1)`,
  )
  return toRuns(records).map((run) => {
    const slot = run[0]?.slot ?? 0
    const place = slot % RECORDS_PER_PACK
    return statement.bind(
      Math.floor(slot / RECORDS_PER_PACK),
      run.map(({ sketch }) => sketch).join(''),
      run.map(({ attributes }) => attributes).join(''),
      place * SKETCH_RECORD_CHARS,
      place * ATTRIBUTES_RECORD_CHARS,
    )
  })
}

/** Neighbours of one pack together. */
function toRuns(records: readonly SlotRecord[]): SlotRecord[][] {
  const runs: SlotRecord[][] = []
  for (const record of records.toSorted((a, b) => a.slot - b.slot)) {
    const last = runs.at(-1)?.at(-1)
    if (last?.slot === record.slot - 1 && record.slot % RECORDS_PER_PACK !== 0) runs.at(-1)?.push(record)
    else runs.push([record])
  }
  return runs
}
