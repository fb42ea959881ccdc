/**
 * Rows on their way into SQL as `json_each` parameters: a statement takes one
 * JSON array of arrays, and a long list becomes several statements, each
 * parameter under the size D1 accepts.
 */
import { utf8Bytes } from '../../base/utf8.ts'
import { MAX_PARAMETER_BYTES } from '../limits.ts'

export type SqlValue = string | number | null

/** One statement of `sql` per parameter-sized run of rows; none for no rows. `?1` is the JSON. */
export function statementsFor(
  database: D1Database,
  sql: string,
  rows: readonly (readonly SqlValue[])[],
  ...more: SqlValue[]
): D1PreparedStatement[] {
  return packJson(rows).map((json) => database.prepare(sql).bind(json, ...more))
}

/** JSON arrays that hold the values in order, each at most the size of one parameter. */
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
