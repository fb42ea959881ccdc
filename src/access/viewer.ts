/**
 * A viewer: who is asking, and which private repositories that person may see.
 * Doors make one, and every read of the index takes one.
 */

export interface Viewer {
  /** Stable name of the user, the same across tokens and logins. */
  readonly user: string
  /** `repo_id`s of private repositories this viewer may see; public ones are seen by every viewer. */
  readonly privateRepositories: 'all' | readonly number[]
}
