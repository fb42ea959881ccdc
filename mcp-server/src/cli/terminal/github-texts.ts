/** The reading of GitHub in words, for the lines of `npm start` and the table of `npm run status`. Pure. */
import type { PollAnswer } from '../../../../src/contracts/admin/poll-contract.ts'
import type { GitHubStatus, RepositoryStatus, SurfaceStatus } from '../../../../src/contracts/admin/status-contract.ts'
import { SURFACE_NAMES } from '../../../../src/contracts/admin/surface-names.ts'

/** One line about a repository while it is read: the surfaces that are read or waited for, and how many are done. */
export function toReadingLine({ repo, surfaces }: RepositoryStatus): string {
  const open = surfaces.filter(({ state }) => state === 'reading' || state === 'waiting')
  if (surfaces.every(({ state }) => state === 'unreadable')) return `${repo}: cannot be read`
  const ready = surfaces.length - open.length
  const waiting = Map.groupBy(open, toWaitText)
  const reading = (waiting.get('') ?? []).filter((surface) => surface.state === 'waiting' || surface.rows > 0)
  waiting.delete('')
  const parts = [
    ...reading.map(toCountText),
    ...[...waiting].map(([text, group]) => `${group.map(({ surface }) => SURFACE_NAMES[surface]).join(', ')} ${text}`),
  ]
  if (ready > 0) parts.push(`${ready} of ${surfaces.length} done`)
  return `${repo}: ${parts.length === 0 ? 'begins' : parts.join('; ')}`
}

/** Empty for a surface that does not wait. */
function toWaitText({ state, retry_at: retryAt }: SurfaceStatus): string {
  return state === 'waiting' && retryAt !== undefined ? `wait for GitHub until ${toClockText(retryAt)}` : ''
}

function toCountText({ surface, rows, done, total }: SurfaceStatus): string {
  const name = SURFACE_NAMES[surface]
  const isCounted = done !== undefined && total !== undefined && total > 0
  return isCounted ? `${name} ${toCount(done)} of ${toCount(total)}` : `${name} ${toCount(rows)}`
}

/** The rows of a repository, once its first round is complete. */
export function toReadText({ repo, surfaces }: RepositoryStatus): string {
  const counts = surfaces
    .filter(({ rows }) => rows > 0)
    .map(({ surface, rows }) => `${toCount(rows)} ${SURFACE_NAMES[surface]}`)
  const requests = surfaces.reduce((sum, surface) => sum + surface.requests, 0)
  const found = counts.length === 0 ? 'nothing to read' : counts.join(', ')
  return `${repo}: ${found} (${toCount(requests)} requests)`
}

/** A line for each reason why surfaces are not read, with their names. */
export function toTroubleLines({ repo, surfaces }: RepositoryStatus): string[] {
  const troubled = surfaces.filter(({ last_error: error }) => error !== undefined)
  return [...Map.groupBy(troubled, toReasonText)].map(([reason, group]) => {
    const names = group.map(({ surface }) => SURFACE_NAMES[surface])
    const what = group.length === surfaces.length ? 'nothing is read' : `${names.join(', ')} are not read`
    return `${repo}: ${what}: ${reason}`
  })
}

function toReasonText({ state, last_error: error = '', retry_at: retryAt }: SurfaceStatus): string {
  const again = state === 'waiting' && retryAt !== undefined ? ` Tried again at ${toClockText(retryAt)}.` : ''
  return `${error}${/[.!?]$/.test(error) ? '' : '.'}${again}`
}

/** Undefined when a round found nothing new. */
export function toNewsText({ written, removed }: Pick<PollAnswer, 'written' | 'removed'>): string | undefined {
  if (written + removed === 0) return undefined
  return `GitHub: ${toCount(written)} written${removed === 0 ? '' : `, ${toCount(removed)} removed`}`
}

/** The requests that the limit leaves; undefined until GitHub has reported it. */
export function toLimitText({ rate_limit: limit }: GitHubStatus): string | undefined {
  if (limit === undefined) return undefined
  return `${toCount(limit.remaining)} of ${toCount(limit.limit)} requests left until ${toClockText(limit.resets_at)}`
}

const HEADINGS = ['surface', 'state', 'rows', 'read', 'pending', 'requests', ''] as const

/** A table with a row for each surface, with its heading; empty without surfaces. */
export function toSurfaceTable(surfaces: readonly SurfaceStatus[]): string[] {
  if (surfaces.length === 0) return []
  const rows = [HEADINGS, ...surfaces.map(toCells)]
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length)))
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

function toCells(status: SurfaceStatus): string[] {
  const {
    surface,
    state,
    rows,
    done,
    total,
    pending,
    requests,
    lag_s: lag,
    last_error: error,
    retry_at: retryAt,
  } = status
  const share = state !== 'current' && done !== undefined && total !== undefined
  const read = share ? `${toCount(done)} of ${toCount(total)}` : lag === undefined ? '' : toAgeText(lag * 1_000)
  const again = retryAt === undefined ? undefined : `again at ${toClockText(retryAt)}`
  const note = [error, again].filter((part) => part !== undefined).join('; ')
  return [SURFACE_NAMES[surface], state, toCount(rows), read, toCount(pending), toCount(requests), note]
}

const UNITS: readonly (readonly [string, number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
]

/** `3 min ago`, in the largest unit that fits. */
export function toAgeText(ms: number): string {
  const unit = UNITS.find(([, size]) => ms >= size)
  return unit === undefined ? 'just now' : `${Math.floor(ms / unit[1])} ${unit[0]} ago`
}

function toCount(count: number): string {
  return count.toLocaleString('en')
}

/** The hour and minute of a time on this machine's clock. */
function toClockText(time: string): string {
  const date = new Date(time)
  return [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':')
}
