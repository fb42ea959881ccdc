/** The answer of `GET /admin/status` as a text for a terminal. Pure: the caller passes the clock's time. */
import type {
  CursorStatus,
  GitHubStatus,
  RepositoryStatus,
  StatusAnswer,
} from '../../../src/contracts/admin/status-contract.ts'
import { toColumns } from './terminal/columns.ts'
import { toAgeText, toLimitText, toSurfaceTable } from './terminal/github-texts.ts'

export function formatStatus(endpoint: string, status: StatusAnswer, nowMs: number): string {
  const { version, schema, repositories } = status
  const head = [`Kotodama ${version} (schema ${schema}) at ${endpoint}`, ...toGitHubLines(status, nowMs)].join('\n')
  if (repositories.length === 0) return `${head}\n\nNothing is indexed yet.`
  return [head, ...repositories.map((repository) => formatRepository(repository, nowMs))].join('\n\n')
}

/** No line where nothing is read from GitHub. */
function toGitHubLines({ github, repositories }: StatusAnswer, nowMs: number): string[] {
  if (!repositories.some(({ configured }) => configured)) return []
  const delivery = github.last_delivery_at
  const parts = [
    `GitHub: ${AUTH[github.auth]}`,
    toLimitText(github),
    `webhook ${github.webhook}`,
    delivery && `last delivery ${toAgeText(nowMs - Date.parse(delivery))}`,
  ]
  return [parts.filter((part) => part !== undefined).join(', ')]
}

const AUTH: Readonly<Record<GitHubStatus['auth'], string>> = {
  token: 'with a token',
  app: 'as an App',
  none: 'without a token',
}

function formatRepository(repository: RepositoryStatus, nowMs: number): string {
  const { documents, cursors, surfaces, pending, last_error: lastError } = repository
  const read = new Set<string>(surfaces.map(({ surface }) => surface))
  const counts = Object.entries(documents).filter(([type, rows]) => rows > 0 && !read.has(type))
  const rows = counts.map(([type, count]): [string, string] => [type, String(count)])
  if (rows.length === 0 && surfaces.length === 0) rows.push(['rows', 'none'])
  for (const cursor of cursors) rows.push([`read ${cursor.source}`, toReadText(cursor, nowMs)])
  rows.push(['pending', pending === 0 ? 'none' : `${pending} rows`])
  if (lastError !== undefined) rows.push(['last error', lastError])
  const table = toSurfaceTable(surfaces).map((line) => `  ${line}`)
  return [toNameText(repository), ...table, ...toColumns(rows, { indent: 2 })].join('\n')
}

function toNameText({ repo, private: isPrivate, archived, configured, surfaces }: RepositoryStatus): string {
  const notes = [
    isPrivate && 'private',
    archived === true && 'archived',
    surfaces.length > 0 && !configured && 'no longer read',
  ].filter((note) => note !== false)
  return notes.length === 0 ? repo : `${repo} (${notes.join(', ')})`
}

function toReadText({ done, total, moved_at: movedAt }: CursorStatus, nowMs: number): string {
  const moved = `moved ${toAgeText(nowMs - Date.parse(movedAt))}`
  if (done === undefined || total === undefined) return moved
  return done >= total ? `all ${total}, ${moved}` : `${done} of ${total}, ${moved}`
}
