/**
 * The product's import and search behind plain routes, on a database that counts
 * rows and round trips. Every other route is the product's own. Only benches run
 * this Worker.
 */
import { parseSearchArguments } from '../../src/contracts/tools/search.ts'
import type { SearchRow } from '../../src/contracts/tools/search-rows.ts'
import { pathOf, typeOf, valueOf, type Document } from '../../src/documents/document.ts'
import { readStored } from '../../src/index/documents/read-stored.ts'
import type { Index } from '../../src/index/sql/index-database.ts'
import { d1Vectors } from '../../src/index/vectors/d1-vectors.ts'
import { consoleLog } from '../../src/base/log.ts'
import { toEmbedders, toReranker, type Env } from '../../src/app.ts'
import { readSettingParts } from '../../src/contracts/settings/read-settings.ts'
import { importPage } from '../../src/ingest/import-page.ts'
import { runMaintenance } from '../../src/ingest/maintenance-run.ts'
import type { Embedder } from '../../src/models/embedder/embedder.ts'
import type { Reranker } from '../../src/models/reranker/reranker.ts'
import { search } from '../../src/search/run-search.ts'
import product from '../../src/worker.ts'

export { MessageStore } from '../../src/worker.ts'

/** The rows found for a question, best first, and their cost. */
export interface FoundRows {
  /** Rows read, as D1 reports them. */
  readonly rows: number
  readonly roundTrips: number
  readonly rowsFound: readonly FoundRow[]
  /** The answer as a client reads it. */
  readonly text: string
  /** Milliseconds inside the Worker, from the arguments to the answer. */
  readonly ms: number
}

/** The fields that name a document in a set of questions. */
export type FoundRow = Pick<SearchRow, 'type' | 'number' | 'commit_sha' | 'file_path' | 'doc_path' | 'files'>

/** A document as it is stored: the fields that name it, and title, path and body as one text. */
export interface StoredText {
  readonly document: number
  readonly row: FoundRow
  readonly text: string
}

const VIEWER = { user: 'bench', privateRepositories: 'all' } as const

export default {
  async fetch(request, env): Promise<Response> {
    const { DB } = env
    const models = modelsOf(env)
    switch (new URL(request.url).pathname) {
      case '/baseline':
        return Response.json(await DB.prepare('SELECT 1').all())
      case '/import':
        return Response.json(await importPage({ database: DB }, await request.text(), undefined, Date.now()))
      case '/find':
        return Response.json(await find(DB, models, await request.json()))
      case '/maintenance':
        return Response.json(await runMaintenance({ ...partsOf({ database: DB }), ...models, log: consoleLog }))
      case '/texts':
        return Response.json(await listTexts(DB, (await request.json<{ after: number }>()).after))
      default:
        return product.fetch(request, env)
    }
  },
} satisfies ExportedHandler<Env>

interface Models {
  readonly embedder: Embedder
  readonly reranker: Reranker
}

/** The models of the settings, or those that do nothing. */
function modelsOf(env: Env): Models {
  const { embedder, reranker } = readSettingParts(env)
  if (!embedder.ok) throw new Error(embedder.failure.message)
  if (!reranker.ok) throw new Error(reranker.failure.message)
  return { embedder: toEmbedders(embedder.value).documents, reranker: toReranker(reranker.value) }
}

function partsOf(index: Index) {
  return { index, vectors: d1Vectors(index), now: Date.now }
}

async function find(database: D1Database, models: Models, given: unknown): Promise<FoundRows> {
  const start = performance.now()
  const args = parseSearchArguments(given)
  if (!args.ok) throw new Error(args.failure.message)
  const counted = countingIndex(database)
  const answer = await search({ ...partsOf(counted.index), ...models }, VIEWER, args.value)
  if (!answer.ok) throw new Error(answer.failure.message)
  const text = JSON.stringify(answer.value)
  const ms = performance.now() - start
  return { ...counted.cost(), ms, rowsFound: answer.value.results.map(toFoundRow), text }
}

const TEXTS_PER_PAGE = 100

/** The next stored documents behind one, in order of their rowids. */
async function listTexts(database: D1Database, after: number): Promise<StoredText[]> {
  const { results } = await database
    .prepare('SELECT document FROM documents WHERE document > ?1 AND deleted_at IS NULL ORDER BY document LIMIT ?2')
    .bind(after, TEXTS_PER_PAGE)
    .all<{ document: number }>()
  const stored = await Promise.all(results.map(({ document }) => readStored({ database }, document)))
  return stored.flatMap((one, at) => (one === undefined ? [] : [toStoredText(results[at]!.document, one.document)]))
}

function toStoredText(place: number, document: Document): StoredText {
  const [path, sha, number] = [pathOf(document), valueOf(document, 'commitSha'), valueOf(document, 'number')]
  const type = typeOf(document)
  return {
    document: place,
    row: {
      type,
      ...(number !== undefined && { number }),
      ...(sha !== undefined && { commit_sha: sha }),
      ...(path !== undefined && (type === 'diff' ? { file_path: path } : { doc_path: path })),
    },
    text: [document.title, document.message, sha, path, document.body].filter(Boolean).join('\n'),
  }
}

function toFoundRow({ type, number, commit_sha, file_path, doc_path, files }: SearchRow): FoundRow {
  return JSON.parse(JSON.stringify({ type, number, commit_sha, file_path, doc_path, files })) as FoundRow
}

/** The database with counted rows and round trips. `first()` and `raw()` report no rows; the index does not use them. */
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
