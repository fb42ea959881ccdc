/** The request limits of each credential, as GitHub stated them, so that a wait outlives the run in which it began. */
import type { Index } from '../sql/index-database.ts'

interface RequestLimit {
  /** Requests an hour, and how many are left. */
  readonly limit?: number
  readonly remaining?: number
  readonly resetsAtMs?: number
  /** No request before then. */
  readonly blockedUntilMs?: number
  /** Waits in a row that GitHub gave no time for. */
  readonly backoffs?: number
}

export interface RequestLimits {
  /** `credential` names it without being it: a hash. */
  read(credential: string): Promise<RequestLimit | undefined>
  write(credential: string, limit: RequestLimit): Promise<void>
}

const COLUMNS = {
  limit: 'hourly',
  remaining: 'remaining',
  resetsAtMs: 'resets_at',
  blockedUntilMs: 'blocked_until',
  backoffs: 'backoffs',
} as const satisfies Record<keyof RequestLimit, string>

const ENTRIES = Object.entries(COLUMNS) as [keyof RequestLimit, string][]

export function requestLimits({ database }: Index): RequestLimits {
  return {
    async read(credential) {
      const row = await database
        .prepare('SELECT * FROM github_limits WHERE credential = ?1')
        .bind(credential)
        .first<Record<string, number | null>>()
      if (row === null) return undefined
      return Object.fromEntries(
        ENTRIES.flatMap(([property, column]) => (typeof row[column] === 'number' ? [[property, row[column]]] : [])),
      )
    },
    async write(credential, limit) {
      await database
        .prepare(
          `INSERT OR REPLACE INTO github_limits (credential, ${Object.values(COLUMNS).join(', ')})
           VALUES (?1, ?2, ?3, ?4, ?5, ?6)`,
        )
        .bind(credential, ...ENTRIES.map(([property]) => limit[property] ?? null))
        .run()
    },
  }
}
