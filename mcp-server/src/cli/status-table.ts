/** The answer of GET /admin/status, laid out for a terminal. Pure: the clock is passed in. */

export interface StatusCursor {
  readonly source: string
  readonly position: string
  /** How much of `total` is in the index; a source that cannot count has neither. */
  readonly done?: number
  readonly total?: number
  /** RFC 3339. */
  readonly moved_at: string
}

export interface StatusRepository {
  readonly repo: string
  readonly private: boolean
  /** Type of document -> rows. */
  readonly documents: Readonly<Record<string, number>>
  readonly cursors: readonly StatusCursor[]
  /** Rows with derived work still to do. */
  readonly pending: number
  readonly last_error?: string
}

export interface Status {
  readonly version: string
  readonly schema: number
  readonly repositories: readonly StatusRepository[]
}

const UNITS: readonly (readonly [string, number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
]

export function formatStatus(endpoint: string, { version, schema, repositories }: Status, nowMs: number): string {
  const head = `Kotodama ${version} (schema ${schema}) at ${endpoint}`
  if (repositories.length === 0) return `${head}\n\nNothing is indexed yet.`
  return [head, ...repositories.map((repository) => formatRepository(repository, nowMs))].join('\n\n')
}

function formatRepository(repository: StatusRepository, nowMs: number): string {
  const counts = Object.entries(repository.documents).filter(([, rows]) => rows > 0)
  const rows: [string, string][] = counts.map(([type, count]) => [type, String(count)])
  if (rows.length === 0) rows.push(['rows', 'none'])
  for (const cursor of repository.cursors) rows.push([`read ${cursor.source}`, howFar(cursor, nowMs)])
  rows.push(['owed work', repository.pending === 0 ? 'none' : `${repository.pending} rows`])
  if (repository.last_error !== undefined) rows.push(['last error', repository.last_error])
  const width = Math.max(...rows.map(([name]) => name.length))
  const title = `${repository.repo}${repository.private ? ' (private)' : ''}`
  return [title, ...rows.map(([name, value]) => `  ${name.padEnd(width)}  ${value}`)].join('\n')
}

function howFar({ done, total, moved_at: movedAt }: StatusCursor, nowMs: number): string {
  const moved = `moved ${age(nowMs - Date.parse(movedAt))}`
  if (done === undefined || total === undefined) return moved
  return done >= total ? `all ${total}, ${moved}` : `${done} of ${total}, ${moved}`
}

function age(ms: number): string {
  const unit = UNITS.find(([, size]) => ms >= size)
  return unit === undefined ? 'just now' : `${Math.floor(ms / unit[1])} ${unit[0]} ago`
}
