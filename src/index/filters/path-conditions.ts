/** Conditions on a column that holds paths. */
import { constant, sql } from '../sql/sql.ts'
import type { Sql } from '../sql/sql.ts'

/** The paths at and below a prefix, as a range of an index. It may contain a few others; see `isBelow`. */
export function pathRange(pathPrefix: string, path: Sql): Sql {
  return sql`${path} >= ${pathPrefix} AND ${path} < ${`${pathPrefix}0`}`
}

/** True for the prefix itself and for paths below it; for every path where the prefix is empty. */
export function isBelow(pathPrefix: string, path: Sql): Sql {
  if (pathPrefix === '') return sql`${path} IS NOT NULL`
  // Every path in the range begins with the prefix. SQLite counts code points.
  const next = sql`substr(${path}, ${constant(String(Array.from(pathPrefix).length + 1))}, 1)`
  return sql`${pathRange(pathPrefix, path)} AND ${next} IN ('', '/')`
}
