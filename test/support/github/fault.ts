/** Faults on the way from a scripted GitHub, as plain JSON. */

export interface Fault {
  /** A regular expression over `METHOD /path?query`, and for posts a space and the body. The path begins below the world. */
  readonly match: string
  /** Matching requests that pass before; 0 if absent. */
  readonly skip?: number
  /** Requests that it meets; 1 if absent, `always` without end. */
  readonly times?: number | 'always'
  readonly action: FaultAction
}

export type FaultAction =
  /** Answered instead of what was asked for. */
  | {
      readonly do: 'answer'
      readonly status: number
      readonly body?: string
      readonly headers?: Readonly<Record<string, string>>
    }
  /** A limit in one of the forms GitHub uses; `words` says it in the message alone. */
  | {
      readonly do: 'limit'
      readonly kind: 'primary' | 'secondary' | 'words'
      readonly status?: 403 | 429
      readonly retryAfterS?: number
      readonly resetInS?: number
    }
  /** The true answer, ended after so many bytes: the connection breaks before its announced length. */
  | { readonly do: 'cut'; readonly bytes: number }
  /** The connection breaks before any answer. */
  | { readonly do: 'reset' }
  /** Status 200 with half of the true JSON, of the right length. */
  | { readonly do: 'malformed' }
  | { readonly do: 'html' }
  | { readonly do: 'empty' }
  /** The true answer, later. */
  | { readonly do: 'delay'; readonly ms: number }
  /** The true answer of the moment at which it was asked for, sent later. */
  | { readonly do: 'late'; readonly ms: number }
  /** Status 200, with errors; `partial` keeps the true data beside them. */
  | { readonly do: 'graphql_errors'; readonly errors: readonly object[]; readonly partial?: boolean }
  /** The true answer without its links, and with only so many of its items. */
  | { readonly do: 'end_list'; readonly items?: number }
  /** The answer as it was when the snapshot was taken. */
  | { readonly do: 'lag'; readonly snapshot: string }
  | { readonly do: 'truncate_tree' }

export const RATE_LIMIT_WORDS = {
  primary: 'API rate limit exceeded for user ID 583231.',
  secondary:
    'You have exceeded a secondary rate limit. Please wait a few minutes before you try again. If you reach out to GitHub Support for help, please include the request ID.',
} as const

/** A request that the scripted GitHub received. */
export interface LoggedRequest {
  readonly method: string
  /** Below the world, with its query. */
  readonly path: string
  readonly authorization: string | undefined
  readonly ifNoneMatch: string | undefined
  readonly body: string
  /** 0 when the connection was broken before an answer. */
  status: number
  fault?: FaultAction['do']
}
