/**
 * One HTTP request to the admin API. Repeats it after a lost connection, 429 and
 * 5xx, but not after a refusal that waiting does not change; every admin route
 * can be repeated safely. The token goes into the
 * authorization header and nowhere else, and redirects are refused.
 */
import type { Failure, FailureCode } from '../../src/base/failure.ts'
import { ok, refuse, type Result } from '../../src/base/result.ts'

export interface RequestOptions {
  readonly adminToken: string
  /** Ends the waiting between two attempts. An attempt that was sent is waited for. */
  readonly signal?: AbortSignal
  /** Milliseconds to wait before each repetition. Its length is the number of repetitions. */
  readonly retryPausesMs?: readonly number[]
}

interface AdminRequest {
  readonly method: string
  readonly url: URL
  /** NDJSON. */
  readonly body: string | undefined
  /** The server has answered before, so a refused connection is worth a repetition. */
  readonly isKnown: boolean
}

interface AdminResponse {
  /** The parsed JSON of a success. */
  readonly result: Result<unknown>
  /** The server gave any HTTP answer at all. */
  readonly answered: boolean
}

const RETRY_PAUSES_MS = [250, 1_000, 2_000, 4_000, 8_000]
/** The longest `retry-after` that is followed. */
const LONGEST_PAUSE_MS = 60_000
const REQUEST_MS = 120_000

interface Attempt extends AdminResponse {
  /** Milliseconds the server asks to wait; undefined when a repetition cannot succeed. */
  readonly retryAfterMs?: number
}

export async function sendAdminRequest(request: AdminRequest, options: RequestOptions): Promise<AdminResponse> {
  const { signal, retryPausesMs = RETRY_PAUSES_MS } = options
  let answered = false
  for (let attempt = 0; ; attempt += 1) {
    const tried = await attemptOnce({ ...request, isKnown: request.isKnown || answered }, options.adminToken)
    answered ||= tried.answered
    const pauseMs = retryPausesMs[attempt]
    if (tried.retryAfterMs === undefined || pauseMs === undefined || signal?.aborted === true) {
      return { result: tried.result, answered }
    }
    await pause(Math.min(LONGEST_PAUSE_MS, Math.max(pauseMs, tried.retryAfterMs)), signal)
  }
}

async function attemptOnce({ method, url, body, isKnown }: AdminRequest, adminToken: string): Promise<Attempt> {
  const authorization = `Bearer ${adminToken}`
  let response: Response
  let text: string
  try {
    response = await fetch(url, {
      method,
      headers: body === undefined ? { authorization } : { authorization, 'content-type': 'application/x-ndjson' },
      ...(body === undefined ? {} : { body }),
      redirect: 'error',
      signal: AbortSignal.timeout(REQUEST_MS),
    })
    text = await response.text()
  } catch (error) {
    const result = refuse(unreachable(url, error))
    return { result, answered: false, ...(isKnown || mayComeBack(error) ? { retryAfterMs: 0 } : {}) }
  }
  if (response.ok) return { result: parseJson(text, url.origin), answered: true }
  const error = readError(text)
  const result = refuse(toFailure(response.status, error, url.origin))
  const mayRecover = response.status === 429 || response.status >= 500
  // A 503 in the product's own words says that the admin API is off or the disk is full. Only BUSY ends by itself.
  const isLasting = response.status === 503 && error !== undefined && error.code !== 'BUSY'
  if (!mayRecover || isLasting) return { result, answered: true }
  const seconds = Number(response.headers.get('retry-after') ?? 0)
  return { result, answered: true, retryAfterMs: Number.isFinite(seconds) ? seconds * 1_000 : 0 }
}

function parseJson(text: string, origin: string): Result<unknown> {
  try {
    return ok(JSON.parse(text))
  } catch {
    return refuse({ code: 'UNAVAILABLE', message: `The server at ${origin} does not answer in JSON.` })
  }
}

interface ErrorAnswer {
  readonly code: FailureCode
  readonly message: string
  readonly line?: number
  readonly field?: string
  readonly hint?: string
}

/** The refusal in the body (http/errors.ts); undefined when something else answered. */
function readError(text: string): ErrorAnswer | undefined {
  try {
    const { error } = JSON.parse(text) as { error?: ErrorAnswer }
    return typeof error?.message === 'string' && typeof error.code === 'string' ? error : undefined
  } catch {
    return undefined
  }
}

function toFailure(status: number, error: ErrorAnswer | undefined, origin: string): Failure {
  if (status === 401 || status === 403) {
    return {
      code: 'UNAVAILABLE',
      message: `The server at ${origin} does not accept this admin token (${status}).`,
      hint: 'The token is KOTODAMA_ADMIN_TOKEN, else the one of lock.json in the data folder (--data DIR).',
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

function unreachable(url: URL, error: unknown): Failure {
  // Only the system's own error: another text may quote the request.
  const reason = causeOf(error)?.message ?? 'the request failed'
  return {
    code: 'UNAVAILABLE',
    message: `Nothing answers at ${url.origin} (${reason.split('\n')[0]}).`,
    hint: 'Start the server with `npm start`, or name another one with --url.',
  }
}

/** False where no server listens, and for a request that `fetch` does not send. */
function mayComeBack(error: unknown): boolean {
  const code = causeOf(error)?.code
  return code !== undefined && code !== 'ECONNREFUSED' && code !== 'ENOTFOUND'
}

/** The system's error that `fetch` wraps. */
function causeOf(error: unknown): NodeJS.ErrnoException | undefined {
  return error instanceof Error && error.cause instanceof Error ? error.cause : undefined
}

/** Resolves early when the signal aborts; never rejects. */
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
