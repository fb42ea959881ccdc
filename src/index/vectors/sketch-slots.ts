/**
 * Slots: positions of records in the packed sketches. A freed slot is used before
 * a new one, and records of adjacent slots are written by one statement, because
 * each statement rewrites its whole pack.
 */
import { ATTRIBUTES_RECORD_CHARS, RECORDS_PER_PACK, SKETCH_RECORD_CHARS } from './sketch-record.ts'

/** Slots that are not in use: first freed ones, then those after the last; `next` is the first of these. */
export function toFreeSlots(freed: readonly number[], next: number, count: number): number[] {
  const used = freed.slice(0, count)
  const added = Array.from({ length: count - used.length }, (_, at) => next + at)
  return [...used, ...added]
}

interface SlotRecord {
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
    const record = slot % RECORDS_PER_PACK
    return statement.bind(
      Math.floor(slot / RECORDS_PER_PACK),
      run.map(({ sketch }) => sketch).join(''),
      run.map(({ attributes }) => attributes).join(''),
      record * SKETCH_RECORD_CHARS,
      record * ATTRIBUTES_RECORD_CHARS,
    )
  })
}

/** Records of adjacent slots in one pack, together. */
function toRuns(records: readonly SlotRecord[]): SlotRecord[][] {
  const runs: SlotRecord[][] = []
  for (const record of records.toSorted((a, b) => a.slot - b.slot)) {
    const last = runs.at(-1)?.at(-1)
    if (last?.slot === record.slot - 1 && record.slot % RECORDS_PER_PACK !== 0) runs.at(-1)?.push(record)
    else runs.push([record])
  }
  return runs
}
