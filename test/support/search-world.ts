/** Searches on the index of a test file: lines of documents, viewers, and short notations for answers. */
import { env } from 'cloudflare:workers'
import { expect } from 'vitest'
import type { Viewer } from '../../src/access/viewer.ts'
import type { Failure } from '../../src/base/failure.ts'
import type { FetchAnswer, HybridAnswer, ScanAnswer } from '../../src/contracts/tools/search-answers.ts'
import type { FetchRow, HybridRow, SearchRow } from '../../src/contracts/tools/search-rows.ts'
import { parseSearchArguments, searchTool } from '../../src/contracts/tools/search.ts'
import type { SourceCursorMove } from '../../src/index/documents/source-cursors.ts'
import { specOf } from '../../src/documents/index.ts'
import type { Index } from '../../src/index/sql/index-database.ts'
import { d1Vectors } from '../../src/index/vectors/d1-vectors.ts'
import { search } from '../../src/search/run-search.ts'
import type { SearchDependencies } from '../../src/search/run-search.ts'
import { index, NOW, put as putLines } from './index-world.ts'
import type { Line } from './lines.ts'

export { index, NOW, type Line }

export const owner: Viewer = { user: 'owner', privateRepositories: 'all' }
export const guest: Viewer = { user: 'guest', privateRepositories: [] }

export type Row = SearchRow & HybridRow & FetchRow
/** Any answer, with the fields of all modes. */
export type Answer = Omit<
  HybridAnswer & Omit<ScanAnswer, 'mode'> & Omit<FetchAnswer, 'mode'>,
  'mode' | 'results' | 'sort'
> & {
  readonly mode: string
  readonly sort: string
  readonly results: readonly Row[]
}

/** Puts documents as one page. Lines without a repository are of `acme/widget`; `secret/…` is private. */
export async function put(lines: readonly Line[], cursor?: SourceCursorMove): Promise<void> {
  const page = lines.map((line) => ({ repo: 'acme/widget', ...privacyOf(line), ...line }))
  await putLines(page, NOW, cursor)
}

function privacyOf({ repo = 'acme/widget', type, deleted }: Line): Line {
  return deleted ? {} : { repo_private: String(repo).startsWith('secret/'), ...(type !== 'commit' && { body: '' }) }
}

/** Searches as a client does, and checks that the answer has the published shape. */
export async function ask(args: Line, viewer: Viewer = owner, from: Index = index): Promise<Answer> {
  return searchWith({ index: from }, args, viewer)
}

/** The same with other parts: an embedder, a reranker. */
export async function searchWith(
  parts: Omit<SearchDependencies, 'now' | 'vectors'>,
  args: Line,
  viewer: Viewer = owner,
): Promise<Answer> {
  const parsed = parseSearchArguments(args)
  const result = parsed.ok ? await search({ ...parts, ...worldParts(parts.index) }, viewer, parsed.value) : parsed
  if (!result.ok) throw new Error(`refused: ${JSON.stringify(result.failure)}`)
  const answer = JSON.parse(JSON.stringify(result.value)) as unknown as Answer
  searchTool.output.parse(answer)
  return answer
}

function worldParts(from: Index) {
  return { vectors: d1Vectors(from), now: () => NOW }
}

/** The refusal of a call; fails if the call is not refused. */
export async function refusal(args: Line, viewer: Viewer = owner, from: Index = index): Promise<Failure> {
  const result = await attempt(args, viewer, from)
  expect(result.ok, JSON.stringify(result)).toBe(false)
  return (result as { failure: Failure }).failure
}

export async function attempt(args: Line, viewer: Viewer, from: Index) {
  const parsed = parseSearchArguments(args)
  return parsed.ok ? search({ index: from, ...worldParts(from) }, viewer, parsed.value) : parsed
}

/** Rows in short: `issue#12`, `doc:docs/a.md`, `commit:1234567`, `diff:1234567 src/a.ts`, `release:v1`, `issue_comment:5`. */
export function hits(answer: { readonly results: readonly SearchRow[] }): string[] {
  return answer.results.map(nameOf)
}

export function nameOf(row: SearchRow): string {
  if (row.type === 'diff') return `diff:${row.commit_sha?.slice(0, 7)} ${row.file_path}`
  if (row.type === 'commit') return `commit:${row.commit_sha?.slice(0, 7)}`
  const [name] = specOf(row.type).identity as [keyof SearchRow]
  return `${row.type}${name === 'number' ? '#' : ':'}${row[name]}`
}

export interface Recording {
  readonly index: Index
  /** The SQL of the statements of each round trip. */
  readonly trips: string[][]
  /** Rows read so far, as D1 counts them. */
  rowsRead(): number
}

/** The index with a record of its round trips. */
export function watched(): Recording {
  const trips: string[][] = []
  const texts = new WeakMap<object, string>()
  let rows = 0
  const database = {
    prepare(text: string) {
      const prepared = env.DB.prepare(text)
      const bind = prepared.bind.bind(prepared)
      prepared.bind = (...values: unknown[]) => {
        const bound = bind(...values)
        texts.set(bound, text)
        return bound
      }
      return prepared
    },
    async batch(statements: D1PreparedStatement[]) {
      trips.push(statements.map((statement) => texts.get(statement) ?? '?'))
      const results = await env.DB.batch(statements)
      for (const { meta } of results) rows += meta.rows_read
      return results
    },
  } as unknown as D1Database
  return { index: { database }, trips, rowsRead: () => rows }
}
