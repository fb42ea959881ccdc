/**
 * The port to GitHub: one repository's view of it during one bounded run. Each
 * answer is checked before a caller sees it, so what arrives is whole and of the
 * expected kind; everything else is a fault with its reason. Each attempt counts
 * against the run's budget, also a failed one.
 */
import type { Surface } from '../base/vocabulary.ts'

/** How requests are signed: with a token, as an App, or not at all. */
export type GitHubAuth = 'token' | 'app' | 'none'

/** Why a request gave no usable answer. */
export type GitHubFault =
  /** A limit: every request of this credential stops until then. */
  | { readonly kind: 'waiting'; readonly untilMs: number; readonly reason: string }
  /** A server error, no connection, a time-out, or a body that is cut, empty or not what it should be. */
  | { readonly kind: 'fault'; readonly reason: string }
  /** GitHub does not accept the request: no permission, a bad token, a wrong parameter. */
  | { readonly kind: 'refused'; readonly status: number; readonly reason: string }
  /** The budget of this run is used; nothing was sent. */
  | { readonly kind: 'spent' }

export type GitHubResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly fault: GitHubFault }

/** A checked answer of the REST API. */
export type RestAnswer =
  /** `next` is the address of the next page, absent on the last one. */
  | { readonly kind: 'ok'; readonly body: unknown; readonly etag?: string; readonly next?: string }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'absent'; readonly status: 404 | 410 | 451 }
  | { readonly kind: 'moved'; readonly location: string }
  /** The repository has no commits. */
  | { readonly kind: 'empty' }

export interface RestOptions {
  /** The surface that the request is counted for; undefined for the repository itself. */
  readonly surface: Surface | undefined
  /** Of the body: anything else is a fault. */
  readonly expects: 'array' | 'object'
  /** Of an earlier answer; the answer may then be `unchanged`. */
  readonly etag?: string
  /** Follows a redirect within the API instead of answering `moved`. */
  readonly followMoved?: boolean
}

/** A file of a wiki. */
export type WikiPageAnswer =
  | { readonly kind: 'ok'; readonly text: string; readonly etag?: string }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'absent' }

export interface GitHub {
  readonly auth: GitHubAuth
  /** False without a credential: GraphQL has no anonymous callers. */
  readonly hasGraphql: boolean
  /** `path` begins with `/`, with its parts encoded, or is the `next` of an earlier answer. */
  get(path: string, options: RestOptions): Promise<GitHubResult<RestAnswer>>
  /**
   * The `data` of a query. An answer with errors is a fault, but nodes that do
   * not exist are null.
   */
  graphql(
    query: string,
    variables: Readonly<Record<string, unknown>>,
    surface: Surface,
  ): Promise<GitHubResult<Readonly<Record<string, unknown>>>>
  /** The SHA that the wiki's git repository is at; undefined without a wiki that anyone may read. */
  readWikiHead(): Promise<GitHubResult<string | undefined>>
  /** The HTML of the list of pages; undefined without a wiki. */
  readWikiPageList(): Promise<GitHubResult<string | undefined>>
  /** `file` is a file name with its extension. */
  readWikiPage(file: string, etag?: string): Promise<GitHubResult<WikiPageAnswer>>
}

/** One bounded run: all repositories share its budget. */
export interface GitHubRun {
  /** `name` is `owner/name` as it is now. */
  forRepository(name: string): GitHub
  /** Attempts left. */
  readonly left: number
  /** Attempts made. */
  readonly used: number
  /** Attempts made for one repository, by surface. */
  countsOf(name: string): ReadonlyMap<Surface, number>
  /** Stores the limits that the last answers named, once at the end of a run. Waits are stored at once without it. */
  saveLimits(): Promise<void>
}

/** The last known limit of a credential. Times are Unix milliseconds. */
export interface LimitState {
  /** Requests an hour. */
  readonly limit?: number
  readonly remaining?: number
  readonly resetsAtMs?: number
  /** No request is sent before. */
  readonly blockedUntilMs?: number
  /** Waits in a row for which GitHub named no time. */
  readonly backoffs?: number
}

/** Where limits are remembered between runs, so that a wait holds for the runs after it. A credential is known by a hash alone. */
export interface LimitStore {
  read(credential: string): Promise<LimitState | undefined>
  write(credential: string, state: LimitState): Promise<void>
}
