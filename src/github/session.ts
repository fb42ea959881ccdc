/**
 * One request to the API within a run: the budget, the credential, its limits and
 * the attempt itself, in this order. A refused token of an App is renewed once.
 * Attempts beyond the first one of a call are counted and always sent, so that a
 * run of a single request still ends its unit of work.
 */
import type { Surface } from '../base/vocabulary.ts'
import { fail, textOf, wordsOf } from './fault.ts'
import type { GitHubResult } from './github.ts'
import type { LimitedApi, LimitGate } from './limit-gate.ts'
import { sendByOctokit, type ApiAnswer, type OctokitRequest, type SendOptions } from './octokit.ts'

/** Whose request it is: attempts are counted for both. */
export interface Payer {
  /** `owner/name` */
  readonly repository: string
  readonly surface: Surface | undefined
}

/** The signature of requests and the limits that it has. */
export interface Signature {
  /** Undefined for anonymous requests. */
  readonly token: string | undefined
  readonly gate: LimitGate
}

export interface Ask {
  readonly api: LimitedApi
  readonly expects: 'array' | 'object'
  readonly send: (client: OctokitRequest) => Promise<unknown>
}

export type SessionParts = Pick<SendOptions, 'fetch' | 'timeLimitMs'> & {
  readonly apiUrl: string
  readonly graphqlUrl: string
  readonly count: (payer: Payer) => void
}

/** An answer with the words of GitHub in it, if it was refused. */
export type SpokenAnswer = ApiAnswer & { readonly words: string }

/** Sends one request unless a wait holds, and takes in what its answer says of limits. */
export async function ask(
  { apiUrl, graphqlUrl, count, ...wire }: SessionParts,
  payer: Payer,
  { token, gate }: Signature,
  { api, expects, send }: Ask,
): Promise<GitHubResult<SpokenAnswer>> {
  const waiting = await gate.check(api)
  if (waiting !== undefined) return waiting
  const answer = await sendByOctokit(
    {
      ...wire,
      api: apiUrl,
      graphql: graphqlUrl,
      authorization: token === undefined ? undefined : `Bearer ${token}`,
      expects,
      onAttempt: () => count(payer),
    },
    send,
  )
  if (!answer.ok) return answer
  const { status, data, errors } = answer.value
  const text = status >= 400 ? textOf(data) : ''
  const wait = await gate.learn(api, { ...answer.value, text, limited: isLimited(errors) })
  const words = status >= 400 ? wordsOf(data, token) : ''
  return wait ?? { ok: true, value: { ...answer.value, words } }
}

/** GraphQL reports its limit in an answer with status 200. */
function isLimited(errors: unknown): boolean {
  if (!Array.isArray(errors)) return false
  return errors.some(
    (error: { readonly type?: unknown; readonly message?: unknown } | null) =>
      String(error?.type).startsWith('RATE_LIMIT') || /rate limit/i.test(String(error?.message)),
  )
}

/** The refusal of an answer whose status says that GitHub does not accept the request, or the fault of any other. */
export function refuseAnswer({ status, words }: SpokenAnswer): GitHubResult<never> {
  if (status >= 400 && status < 500) {
    const reason = `GitHub answered HTTP ${status}${words === '' ? '' : `: ${words}`}`
    return fail({ kind: 'refused', status, reason })
  }
  return fail({ kind: 'fault', reason: `GitHub answered HTTP ${status}` })
}
