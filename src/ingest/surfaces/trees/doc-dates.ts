/**
 * The committer dates of the last commits that touched files, as seen from the
 * pinned commit: many files in one query, or without GraphQL one by one.
 */
import { isRecord } from '../../../base/json-value.ts'
import { parseTime } from '../../../base/time.ts'
import type { GitHubResult } from '../../../github/github.ts'
import { faultOf, repositoryPath, repositoryVariables, unexpectedAnswer } from './step-results.ts'
import type { SurfaceContext } from '../surface.ts'

/** Unix milliseconds by path; null where GitHub knows no date. Undefined when the commit is gone. */
export type FileDates = ReadonlyMap<string, number | null>

export async function queryDates(
  context: SurfaceContext,
  commit: string,
  paths: readonly string[],
): Promise<GitHubResult<FileDates | undefined>> {
  const declared = paths.map((_, at) => `$p${at}: String!`).join(', ')
  const histories = paths.map((_, at) => `p${at}: history(first: 1, path: $p${at}) { nodes { committedDate } }`)
  const query = `query($owner: String!, $name: String!, $commit: GitObjectID!, ${declared}) {
  repository(owner: $owner, name: $name) { object(oid: $commit) { ... on Commit { ${histories.join(' ')} } } }
}`
  const variables = {
    ...repositoryVariables(context),
    commit,
    ...Object.fromEntries(paths.map((path, at) => [`p${at}`, path])),
  }
  const result = await context.github.graphql(query, variables, 'doc')
  if (!result.ok) return result
  const { repository } = result.value
  if (!isRecord(repository)) return faultOf('the answer has no repository')
  const { object } = repository
  if (object === null || object === undefined) return { ok: true, value: undefined }
  if (!isRecord(object)) return faultOf('the dates of files have an unexpected form')
  const dates = new Map<string, number | null>()
  for (const [at, path] of paths.entries()) {
    const history = object[`p${at}`]
    if (!isRecord(history) || !Array.isArray(history['nodes'])) return faultOf('the dates of files are not complete')
    const [node] = history['nodes'] as readonly unknown[]
    dates.set(path, toDate(isRecord(node) ? node['committedDate'] : undefined))
  }
  return { ok: true, value: dates }
}

/** The date of one file. */
export async function readDate(
  context: SurfaceContext,
  commit: string,
  path: string,
): Promise<GitHubResult<number | null | undefined>> {
  const query = `sha=${commit}&path=${encodeURIComponent(path.toWellFormed())}&per_page=1`
  const result = await context.github.get(`${repositoryPath(context)}/commits?${query}`, {
    surface: 'doc',
    expects: 'array',
  })
  if (!result.ok) return result
  const answer = result.value
  if (answer.kind === 'absent' || answer.kind === 'empty') return { ok: true, value: undefined }
  if (answer.kind !== 'ok') return unexpectedAnswer(answer, `the history of ${path}`)
  const [first] = answer.body as readonly unknown[]
  const commitPart = isRecord(first) ? first['commit'] : undefined
  const committer = isRecord(commitPart) ? commitPart['committer'] : undefined
  return { ok: true, value: toDate(isRecord(committer) ? committer['date'] : undefined) }
}

function toDate(text: unknown): number | null {
  return (typeof text === 'string' ? parseTime(text) : undefined) ?? null
}
