/**
 * The product's import and search behind three bare routes, on a database that
 * counts: what a question costs in rows and round trips. Only benches run it.
 */
import { parseSearchArguments } from '../../src/contracts/tools/search.ts'
import type { Index } from '../../src/index/database.ts'
import { importPage } from '../../src/ingest/import.ts'
import { search } from '../../src/search/search.ts'

interface Env {
  readonly DB: D1Database
}

export interface Cost {
  /** Rows that D1 says it read. */
  readonly rows: number
  readonly roundTrips: number
  /** Characters of the answer, and how many results it holds. */
  readonly chars: number
  readonly results: number
}

const VIEWER = { user: 'bench', privateRepositories: 'all' } as const

export default {
  async fetch(request, { DB }): Promise<Response> {
    switch (new URL(request.url).pathname) {
      case '/baseline':
        return Response.json(await DB.prepare('SELECT 1').all())
      case '/import':
        return Response.json(await importPage({ database: DB }, await request.text(), undefined, Date.now()))
      case '/search':
        return Response.json(await measure(DB, await request.json()))
      default:
        return new Response(null, { status: 404 })
    }
  },
} satisfies ExportedHandler<Env>

async function measure(database: D1Database, given: unknown): Promise<Cost> {
  const args = parseSearchArguments(given)
  if (!args.ok) throw new Error(args.failure.message)
  const counted = countingIndex(database)
  const answer = await search({ index: counted.index, now: () => Date.now() }, VIEWER, args.value)
  if (!answer.ok) throw new Error(answer.failure.message)
  return { ...counted.cost(), chars: JSON.stringify(answer.value).length, results: answer.value.results.length }
}

/** The database, counting every result's rows; `first()` and `raw()` tell none and are not used by the index. */
function countingIndex(database: D1Database): { index: Index; cost(): { rows: number; roundTrips: number } } {
  let [rows, roundTrips] = [0, 0]
  const originals = new WeakMap<object, D1PreparedStatement>()
  const count = (results: readonly D1Result[]): void => {
    roundTrips += 1
    for (const { meta } of results) rows += meta.rows_read
  }
  const wrap = (statement: D1PreparedStatement): D1PreparedStatement => {
    const wrapped = {
      bind: (...values: unknown[]) => wrap(statement.bind(...values)),
      all: async <T>() => {
        const result = await statement.all<T>()
        count([result])
        return result
      },
    } as unknown as D1PreparedStatement
    originals.set(wrapped, statement)
    return wrapped
  }
  const counting = {
    prepare: (sql: string) => wrap(database.prepare(sql)),
    batch: async <T>(statements: D1PreparedStatement[]) => {
      const results = await database.batch<T>(statements.map((statement) => originals.get(statement)!))
      count(results)
      return results
    },
  } as unknown as D1Database
  return { index: { database: counting }, cost: () => ({ rows, roundTrips }) }
}
