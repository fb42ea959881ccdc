/** The parts that deliveries and the runs that read GitHub work with. app.ts makes them. */
import type { Log } from '../base/log.ts'
import type { GitHubSettings } from '../contracts/settings/read-github-settings.ts'
import type { GitHubClient } from '../github/open-run.ts'
import type { Index } from '../index/sql/index-database.ts'

export interface IngestDependencies {
  readonly index: Index
  readonly settings: GitHubSettings
  readonly github: GitHubClient
  readonly now: () => number
  /** Unlike any other. */
  readonly newId: () => string
  readonly log: Log
}
