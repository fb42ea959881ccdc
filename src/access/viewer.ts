/**
 * A viewer: who sends a request, and which private repositories that user may see.
 * The doors create one, and every read of the index takes one.
 */

export interface Viewer {
  /** Stable name of the user across tokens and logins. */
  readonly user: string
  /** `repo_id`s of visible private repositories; every viewer sees public ones. */
  readonly privateRepositories: 'all' | readonly number[]
}
