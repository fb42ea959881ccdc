/** The answer of `GET /admin/status` as a text for a terminal. Pure: the caller passes the clock's time. */
import type { CursorStatus, RepositoryStatus, StatusAnswer } from '../../../src/contracts/admin/status-contract.ts'
import { toColumns } from './terminal/columns.ts'

const UNITS: readonly (readonly [string, number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
]

export function formatStatus(endpoint: string, { version, schema, repositories }: StatusAnswer, nowMs: number): string {
  const head = `Kotodama ${version} (schema ${schema}) at ${endpoint}`
  if (repositories.length === 0) return `${head}\n\nNothing is indexed yet.`
  return [head, ...repositories.map((repository) => formatRepository(repository, nowMs))].join('\n\n')
}

function formatRepository(repository: RepositoryStatus, nowMs: number): string {
  const { repo, documents, cursors, pending, last_error: lastError } = repository
  const counts = Object.entries(documents).filter(([, rows]) => rows > 0)
  const rows = counts.map(([type, count]): [string, string] => [type, String(count)])
  if (rows.length === 0) rows.push(['rows', 'none'])
  for (const cursor of cursors) rows.push([`read ${cursor.source}`, toReadText(cursor, nowMs)])
  rows.push(['pending', pending === 0 ? 'none' : `${pending} rows`])
  if (lastError !== undefined) rows.push(['last error', lastError])
  return [`${repo}${repository.private ? ' (private)' : ''}`, ...toColumns(rows, { indent: 2 })].join('\n')
}

function toReadText({ done, total, moved_at: movedAt }: CursorStatus, nowMs: number): string {
  const moved = `moved ${toAgeText(nowMs - Date.parse(movedAt))}`
  if (done === undefined || total === undefined) return moved
  return done >= total ? `all ${total}, ${moved}` : `${done} of ${total}, ${moved}`
}

function toAgeText(ms: number): string {
  const unit = UNITS.find(([, size]) => ms >= size)
  return unit === undefined ? 'just now' : `${Math.floor(ms / unit[1])} ${unit[0]} ago`
}
