/**
 * The admin API as the importer uses it: status, the names of documents that
 * are in, and posting a page. Asks again after a lost connection, 429 and 5xx;
 * the token goes into the header and nowhere else.
 */
import type { DocumentType } from '../../src/base/vocabulary.ts'
import type { Failure, FailureCode } from '../../src/base/failure.ts'
import { ok, refuse, type Result } from '../../src/base/result.ts'
import type { Counts } from './import/import-options.ts'

export interface ClientOptions {
  /** Any URL of the Worker; only its origin counts. */
  readonly endpoint: string
  readonly adminToken: string
  readonly signal?: AbortSignal
  /** Pauses between attempts in milliseconds; as many retries as pauses. */
  readonly retryPausesMs?: readonly number[]
}

export interface KnownCursor {
  readonly source: string
  readonly position: string
  readonly done?: number
  readonly total?: number
}

/** A repository as `GET /admin/status` tells it. */
export interface KnownRepository {
  readonly repo: string
  readonly cursors: readonly KnownCursor[]
}

/** What `POST /admin/rebuild` tells: documents in all, and how many still lack each kind of derived rows. */
export interface RebuildAnswer {
  readonly done: boolean
  readonly documents: number
  readonly left: Readonly<Record<string, number>>
}

export interface CursorParameters {
  readonly repo: string
  readonly source: string
  readonly position: string
  readonly done: number
  readonly total: number
}

const RETRY_PAUSES_MS = [250, 1_000, 2_000, 4_000, 8_000]
const MAX_PAUSE_MS = 60_000
const REQUEST_MS = 120_000

export class AdminClient {
  readonly #options: ClientOptions
  /** A server that has answered once is worth waiting for. */
  #met = false

  constructor(options: ClientOptions) {
    this.#options = options
  }

  /** The repository's cursors; undefined when the index has never heard of it. */
  async findRepository(name: string): Promise<Result<KnownRepository | undefined>> {
    const answer = await this.#ask('GET', '/admin/status', {})
    if (!answer.ok) return answer
    const { repositories } = answer.value as { repositories?: readonly KnownRepository[] }
    if (!Array.isArray(repositories)) return refuse(notOurs(this.#options.endpoint))
    const key = name.toLowerCase()
    return ok((repositories as KnownRepository[]).find(({ repo }) => repo.toLowerCase() === key))
  }

  /** Paths (slugs) of all documents of a type that are in the index. */
  async listPaths(repo: string, type: DocumentType): Promise<Result<string[]>> {
    const paths: string[] = []
    let after: string | undefined
    do {
      const answer = await this.#ask('GET', '/admin/documents', {
        repo,
        type,
        ...(after === undefined ? {} : { after }),
      })
      if (!answer.ok) return answer
      const { documents, next } = answer.value as { documents?: readonly { path: string }[]; next?: string }
      if (!Array.isArray(documents)) return refuse(notOurs(this.#options.endpoint))
      paths.push(...(documents as { path: string }[]).map(({ path }) => path))
      // A page that leads nowhere must not be taken for the last.
      if (next !== undefined && next === after) return refuse(notOurs(this.#options.endpoint))
      after = next
    } while (after !== undefined)
    return ok(paths)
  }

  /** Posts lines, and moves a cursor with them. A refused line is named in the failure's `line` and `field`. */
  async postPage(lines: readonly string[], move?: CursorParameters): Promise<Result<Counts>> {
    const body = lines.map((line) => `${line}\n`).join('')
    const answer = await this.#ask('POST', '/admin/import', { ...move }, body)
    if (!answer.ok) return answer
    const counts = answer.value as Partial<Counts>
    const { written = 0, unchanged = 0, stale = 0, removed = 0 } = counts
    return ok({ written, unchanged, stale, removed })
  }

  /** Begins, joins or only counts a rebuild; each call does a bounded part of it. */
  async rebuild({ dryRun, resume }: { dryRun: boolean; resume: boolean }): Promise<Result<RebuildAnswer>> {
    const answer = await this.#ask('POST', '/admin/rebuild', { dry_run: String(dryRun), resume: String(resume) })
    if (!answer.ok) return answer
    const told = answer.value as Partial<RebuildAnswer>
    if (typeof told.done !== 'boolean' || typeof told.left !== 'object') return refuse(notOurs(this.#options.endpoint))
    return ok({ done: told.done, documents: told.documents ?? 0, left: told.left })
  }

  async #ask(
    method: string,
    path: string,
    query: Readonly<Record<string, string | number>>,
    body?: string,
  ): Promise<Result<unknown>> {
    const { endpoint, signal, retryPausesMs = RETRY_PAUSES_MS } = this.#options
    if (!/^https?:/i.test(endpoint) || !URL.canParse(path, endpoint)) {
      return refuse({ code: 'VALIDATION_ERROR', message: `${endpoint} is not the address of a server.` })
    }
    const url = new URL(path, endpoint)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value))
    for (let attempt = 0; ; attempt += 1) {
      const { result, retryAfterMs } = await this.#attempt(method, url, body)
      const pauseMs = retryPausesMs[attempt]
      if (retryAfterMs === undefined || pauseMs === undefined || signal?.aborted === true) return result
      await pause(Math.min(MAX_PAUSE_MS, Math.max(pauseMs, retryAfterMs)), signal)
    }
  }

  /** `retryAfterMs` is there when another attempt may go better. */
  async #attempt(
    method: string,
    url: URL,
    body: string | undefined,
  ): Promise<{ result: Result<unknown>; retryAfterMs?: number }> {
    let response: Response
    let text: string
    try {
      response = await fetch(url, {
        method,
        headers: {
          authorization: `Bearer ${this.#options.adminToken}`,
          ...(body === undefined ? {} : { 'content-type': 'application/x-ndjson' }),
        },
        ...(body === undefined ? {} : { body }),
        redirect: 'error',
        // A page under way is let finish: the abort takes effect between pages.
        signal: AbortSignal.timeout(REQUEST_MS),
      })
      text = await response.text()
      this.#met = true
    } catch (error) {
      const refused = !this.#met && codeOf(error) === 'ECONNREFUSED'
      return { result: refuse(unreachable(url, error)), ...(refused ? {} : { retryAfterMs: 0 }) }
    }
    if (response.ok) return { result: parseAnswer(text, url.origin) }
    const result = refuse(toFailure(response.status, text, url.origin))
    const again = response.status === 429 || response.status >= 500
    // 503 with an error of ours says that the admin API is switched off: waiting does not help.
    if (!again || (response.status === 503 && readError(text) !== undefined)) return { result }
    const seconds = Number(response.headers.get('retry-after') ?? 0)
    return { result, retryAfterMs: Number.isFinite(seconds) ? seconds * 1_000 : 0 }
  }
}

function parseAnswer(text: string, origin: string): Result<unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null) return ok(value)
  } catch {
    // Falls through: whatever answered is no admin API.
  }
  return refuse(notOurs(origin))
}

interface ErrorAnswer {
  readonly code: FailureCode
  readonly message: string
  readonly line?: number
  readonly field?: string
  readonly hint?: string
}

function readError(text: string): ErrorAnswer | undefined {
  try {
    const { error } = JSON.parse(text) as { error?: ErrorAnswer }
    return typeof error?.message === 'string' && typeof error.code === 'string' ? error : undefined
  } catch {
    return undefined
  }
}

function toFailure(status: number, text: string, origin: string): Failure {
  const error = readError(text)
  if (status === 401 || status === 403) {
    return {
      code: 'UNAVAILABLE',
      message: `The server at ${origin} does not take this admin token.`,
      hint: 'It is read from lock.json in the data folder (--data DIR), or from KOTODAMA_ADMIN_TOKEN.',
    }
  }
  if (error === undefined) return { code: 'UNAVAILABLE', message: `The server at ${origin} answered ${status}.` }
  const { code, message, line, field, hint } = error
  return {
    code,
    message,
    ...(typeof line === 'number' ? { line } : {}),
    ...(typeof field === 'string' ? { field } : {}),
    ...(typeof hint === 'string' ? { hint } : {}),
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error ? (error.cause as NodeJS.ErrnoException | undefined)?.code : undefined
}

function unreachable(url: URL, error: unknown): Failure {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
  return {
    code: 'UNAVAILABLE',
    message: `No answer from ${url.origin} (${cause.split('\n')[0]}).`,
    hint: 'Is it running? `npm start` starts it; --url names another.',
  }
}

function notOurs(endpoint: string): Failure {
  return {
    code: 'UNAVAILABLE',
    message: `What answers at ${new URL(endpoint).origin} is not this project's admin API.`,
  }
}

/** Ends early, without complaint, when the signal fires. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms)
    signal?.addEventListener('abort', done, { once: true })
    function done(): void {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
  })
}
