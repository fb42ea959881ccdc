/**
 * SQL as values: a template whose holes become bound parameters, or, when they
 * are fragments themselves, part of the text. Nothing a caller typed can reach
 * the text of a statement.
 */
import type { Index } from './index-database.ts'
import type { SqlValue } from './json-rows.ts'
import { consoleLog } from '../../base/log.ts'
import { ok, refuse } from '../../base/result.ts'
import type { Result } from '../../base/result.ts'

export interface Sql {
  readonly text: string
  readonly values: readonly SqlValue[]
}

/** A statement or a fragment of one. Lists travel as one JSON value through `json_each`, never as many holes. */
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

export function joinSql(fragments: readonly Sql[], separator: string): Sql {
  return {
    text: fragments.map((fragment) => fragment.text).join(separator),
    values: fragments.flatMap((fragment) => fragment.values),
  }
}

/**
 * A list as rows with a `value`, for a FROM. Its places are constants, so that
 * unlike with `json_each` no item counts as a row that was read; there are as
 * many as the next power of two, so that lists of like length share a statement.
 */
export function itemsOf(values: readonly string[]): Sql {
  const count = 2 ** Math.ceil(Math.log2(Math.max(1, values.length)))
  const places = constant(Array.from({ length: count }, (_, at) => `(${at})`).join(','))
  return sql`(SELECT ${JSON.stringify(values)} ->> column1 AS value FROM (VALUES ${places})
    WHERE column1 < ${values.length})`
}

export type Row = Readonly<Record<string, unknown>>

/** One read: its statement, and how its rows become a value. */
export interface Query<T> {
  readonly statement: Sql
  readonly toValue: (rows: readonly Row[]) => T
}

/** A query that needs no reading: its value is known. */
export function known<T>(value: T): Query<T> {
  return { statement: sql`SELECT 1 WHERE 0`, toValue: () => value }
}

type Queries = Readonly<Record<string, Query<unknown> | readonly Query<unknown>[]>>

export type Answers<Q> = {
  readonly [K in keyof Q]: Q[K] extends Query<infer T>
    ? T
    : Q[K] extends readonly Query<infer T>[]
      ? readonly T[]
      : never
}

/**
 * Asks several queries, or lists of them, in one round trip and one
 * transaction. A failed read is UNAVAILABLE, never an empty answer: it is no
 * evidence that anything is absent.
 */
export async function runQueries<const Q extends Queries>(index: Index, asked: Q): Promise<Result<Answers<Q>>> {
  const queries = Object.values(asked).flat()
  let results: D1Result<Row>[]
  try {
    const statements = queries.map(({ statement }) => index.database.prepare(statement.text).bind(...statement.values))
    results = await index.database.batch<Row>(statements)
  } catch (error) {
    consoleLog.error('index_read_failed', { message: error instanceof Error ? error.message.slice(0, 200) : 'unknown' })
    return refuse({
      code: 'UNAVAILABLE',
      message: 'The index could not be read, so nothing is known about what it holds.',
      hint: 'Try again in a moment.',
    })
  }
  let at = 0
  const answerOf = (query: Query<unknown>) => query.toValue(results[at++]?.results ?? [])
  const answers = Object.entries(asked).map(([name, one]) => [
    name,
    'statement' in one ? answerOf(one) : one.map(answerOf),
  ])
  return ok(Object.fromEntries(answers) as Answers<Q>)
}
