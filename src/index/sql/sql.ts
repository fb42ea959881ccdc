/**
 * SQL as values: a template whose holes become bound parameters, or part of the
 * text where a hole is a fragment itself. Text of a caller never becomes text of a
 * statement. Only files of src/index/ use these values.
 */
import { ok } from '../../base/result.ts'
import type { Result } from '../../base/result.ts'
import type { IndexReader, Row, SqlStatement } from '../reader.ts'
import type { SqlValue } from './json-rows.ts'

/** A statement or a fragment of one. */
export type Sql = SqlStatement

/** Builds a statement or a fragment. Pass a list as one JSON value to `json_each`, not as one hole for each item. */
export function sql(parts: TemplateStringsArray, ...holes: readonly (SqlValue | Sql)[]): Sql {
  let text = parts[0] ?? ''
  const values: SqlValue[] = []
  for (const [at, hole] of holes.entries()) {
    if (typeof hole === 'object' && hole !== null) {
      text += hole.text
      values.push(...hole.values)
    } else {
      text += '?'
      values.push(hole)
    }
    text += parts[at + 1] ?? ''
  }
  return { text, values }
}

/** Constant SQL text, written in this program: a name of a column or an index. */
export function constant(text: string): Sql {
  return { text, values: [] }
}

/**
 * The statement with each distinct value bound once. D1 accepts 100 parameters, and
 * a filter that is part of several subqueries repeats its values.
 */
export function withSharedValues({ text, values }: Sql): Sql {
  const shared = new Map<string, number>()
  const numbers = values.map((value) => {
    const key = JSON.stringify(value)
    const number = shared.get(key) ?? shared.size + 1
    shared.set(key, number)
    return number
  })
  let at = 0
  return {
    text: text.replace(/\?/g, () => `?${numbers[at++]}`),
    values: [...shared.keys()].map((key) => JSON.parse(key) as SqlValue),
  }
}

export function joinSql(fragments: readonly Sql[], separator: string): Sql {
  return {
    text: fragments.map((fragment) => fragment.text).join(separator),
    values: fragments.flatMap((fragment) => fragment.values),
  }
}

/**
 * A list as rows with a `value`, for a FROM. Its positions are constants, so no
 * item counts as a row read, as it would with `json_each`. There are as many as
 * the next power of two, so lists of similar length share one prepared statement.
 */
export function itemsOf(values: readonly string[]): Sql {
  const count = 2 ** Math.ceil(Math.log2(Math.max(1, values.length)))
  const positions = constant(Array.from({ length: count }, (_, at) => `(${at})`).join(','))
  return sql`(SELECT ${JSON.stringify(values)} ->> column1 AS value FROM (VALUES ${positions})
    WHERE column1 < ${values.length})`
}

/** A read as a value: its statement, if it needs one, and how the rows become a value. */
export interface Query<T> {
  readonly statement?: Sql
  readonly toValue: (rows: readonly Row[]) => T
}

/** A query whose value is known: it sends no statement. */
export function knownValue<T>(value: T): Query<T> {
  return { toValue: () => value }
}

type Queries = Readonly<Record<string, Query<unknown> | readonly Query<unknown>[]>>

type QueryValues<Q> = {
  readonly [K in keyof Q]: Q[K] extends Query<infer T>
    ? T
    : Q[K] extends readonly Query<infer T>[]
      ? readonly T[]
      : never
}

/**
 * Runs several queries, or lists of them, in one round trip and one transaction;
 * resolves to their values by name. No round trip where no query has a statement.
 */
export async function runQueries<const Q extends Queries>(
  reader: IndexReader,
  queries: Q,
): Promise<Result<QueryValues<Q>>> {
  const read = await reader.read(Object.values(queries).flat().flatMap(statementOf))
  if (!read.ok) return read
  let at = 0
  const valueOf = (query: Query<unknown>) => query.toValue(query.statement ? (read.value[at++] ?? []) : [])
  const values = Object.entries(queries).map(([name, one]) => [
    name,
    'toValue' in one ? valueOf(one) : one.map(valueOf),
  ])
  return ok(Object.fromEntries(values) as QueryValues<Q>)
}

/** Runs one query in a round trip of its own. */
export async function runQuery<T>(reader: IndexReader, query: Query<T>): Promise<Result<T>> {
  const read = await reader.read(statementOf(query))
  return read.ok ? ok(query.toValue(read.value[0] ?? [])) : read
}

function statementOf({ statement }: Query<unknown>): Sql[] {
  return statement === undefined ? [] : [statement]
}
