/** What the runs that read GitHub, and deliveries, work with. app.ts makes it. */
import type { Log } from '../base/log.ts'
import type { GitHubRun } from '../github/github.ts'
import type { Index } from '../index/sql/index-database.ts'

export interface IngestDependencies {
  readonly index: Index
  /** The configured repositories, `owner/name`, as their setting spells them. */
  readonly repositories: readonly string[]
  /** Requests of a run whose caller gives no number. */
  readonly requestsPerRun: number
  /** Of the server that serves repositories to browsers; without a slash at the end. */
  readonly serverUrl: string
  readonly openRun: (options: RunOptions) => GitHubRun
  readonly now: () => number
  readonly newId: () => string
  readonly log: Log
}

export interface RunOptions {
  /** Requests that the run may make. */
  readonly requests: number
  /** Ask although GitHub said to wait. */
  readonly force?: boolean
  /** Called before each request. */
  readonly beforeRequest?: () => Promise<void>
}
