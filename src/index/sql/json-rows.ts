/**
 * Rows as `json_each` parameters of SQL: a statement takes one JSON array of
 * arrays, and a long list becomes several statements, so that each parameter
 * stays below the size that D1 accepts.
 */
import { utf8Bytes } from '../../base/utf8.ts'
import { MAX_PARAMETER_BYTES } from '../limits.ts'

export type SqlValue = string | number | null

/** Statements of `sql`, each with as many rows as one parameter takes; none without rows. `?1` is the JSON. */
export function statementsFor(
  database: D1Database,
  sql: string,
  rows: readonly (readonly SqlValue[])[],
  ...more: SqlValue[]
): D1PreparedStatement[] {
  return packJson(rows).map((json) => database.prepare(sql).bind(json, ...more))
}

/** The values in order as JSON arrays of at most `maxBytes` bytes of UTF-8, but for a single larger value. */
export function packJson(values: readonly unknown[], maxBytes = MAX_PARAMETER_BYTES): string[] {
  const packs: string[] = []
  let pack: string[] = []
  let size = 0
  for (const value of values) {
    const json = JSON.stringify(value)
    const bytes = utf8Bytes(json) + 1
    if (pack.length > 0 && size + bytes > maxBytes) {
      packs.push(`[${pack.join(',')}]`)
      pack = []
      size = 0
    }
    pack.push(json)
    size += bytes
  }
  if (pack.length > 0) packs.push(`[${pack.join(',')}]`)
  return packs
}
