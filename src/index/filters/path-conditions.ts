/** Conditions on columns that hold paths. Paths and prefixes are compared in NFC. */
import { constant, sql } from '../sql/sql.ts'
import type { Sql } from '../sql/sql.ts'
import { foldExact } from './fold-name.ts'

/** The path of `documents AS d`, as the index of paths has it. */
export const PATH = pathIn('d')

/** The path of a row of `documents` or `files`. */
export function pathIn(table: 'd' | 'x' | 'f'): Sql {
  return constant(`coalesce(${table}.path_key, ${table}.path)`)
}

/** True for the prefix itself, an expression, and for paths below it; for every path where it is empty. */
export function isBelow(prefix: Sql, path: Sql): Sql {
  return sql`${path} IS NOT NULL AND (${prefix} = '' OR ${path} = ${prefix}
    OR substr(${path}, 1, length(${prefix}) + 1) = ${prefix} || '/')`
}

/** The paths at and below a prefix, as a range of an index. It may contain a few others. */
export function pathRange(pathPrefix: string, path: Sql): Sql {
  const prefix = foldExact(pathPrefix)
  return sql`${path} >= ${prefix} AND ${path} < ${`${prefix}0`}`
}
