/**
 * The limits of one credential during a run: whether a request may be sent, and
 * what each answer says about the next ones. A wait stops every request of the
 * credential and is stored at once, so that it also holds for later runs.
 */
import { sha256 } from '../base/hash.ts'
import { fail, type Faulty } from './fault.ts'
import type { LimitState, LimitStore } from './github.ts'
import { MAX_BACKOFF_MS, MAX_WAIT_MS, MIN_BACKOFF_MS, RESERVED_SHARE } from './limits.ts'

/** REST and GraphQL have limits of their own. */
export type LimitedApi = 'rest' | 'graphql'

/** The part of an answer that reports limits. */
interface LimitedAnswer {
  readonly status: number
  readonly headers: Headers
  /** The text of an answer that is refused. */
  readonly text: string
  /** True when an answer with status 200 says that a limit is reached. */
  readonly limited?: boolean
}

export interface LimitGate {
  /** The wait that holds now, if there is one. */
  check(api: LimitedApi): Promise<Faulty | undefined>
  /** Takes in an answer; the wait that it asks for, if it does. */
  learn(api: LimitedApi, answer: LimitedAnswer): Promise<Faulty | undefined>
  /** Stores the numbers of the last answers. */
  save(): Promise<void>
}

interface GateParts {
  readonly store: LimitStore
  readonly now: () => number
  /** Asks although GitHub asked an earlier run to wait. */
  readonly force: boolean
}

/** The name that the store has for a credential: a hash of its secret and what it belongs to. */
export function toCredentialKey(...parts: readonly string[]): string {
  return sha256(JSON.stringify(parts))
}

/** Waits are kept in the row of the credential, beside the numbers of the REST API. */
export function openGate(credential: string, { store, now, force }: GateParts): LimitGate {
  const keys: Readonly<Record<LimitedApi, string>> = {
    rest: credential,
    graphql: toCredentialKey(credential, 'graphql'),
  }
  const rows = new Map<LimitedApi, LimitState>()
  const changed = new Set<LimitedApi>()
  /** APIs whose numbers, and whether the wait, are from this run: `force` does not pass over those. */
  const learnt = new Set<LimitedApi>()
  let waitsNow = false

  const rowOf = (api: LimitedApi): LimitState => rows.get(api) ?? {}
  const load = async (api: LimitedApi): Promise<void> => {
    if (rows.has(api)) return
    const stored = (await store.read(keys[api])) ?? {}
    if (!rows.has(api)) rows.set(api, stored)
  }
  const save = async (): Promise<void> => {
    for (const api of changed) {
      changed.delete(api)
      await store.write(keys[api], rowOf(api))
    }
  }
  const change = (api: LimitedApi, state: LimitState): void => {
    rows.set(api, state)
    changed.add(api)
  }

  return {
    async check(api) {
      await load('rest')
      const { blockedUntilMs = 0 } = rowOf('rest')
      if (blockedUntilMs > now() && (waitsNow || !force)) {
        return fail({ kind: 'waiting', untilMs: blockedUntilMs, reason: 'GitHub asked to wait' })
      }
      await load(api)
      const { limit, remaining, resetsAtMs = 0 } = rowOf(api)
      const isReserved = limit !== undefined && remaining !== undefined && remaining <= limit * RESERVED_SHARE
      if (!isReserved || resetsAtMs <= now() || (force && !learnt.has(api))) return undefined
      await save()
      const reason = `${remaining} of ${limit} requests are left this hour, and the last tenth is left to other users of the credential`
      return fail({ kind: 'waiting', untilMs: resetsAtMs, reason })
    },

    async learn(api, answer) {
      const { status } = answer
      // A refused token has the limit of a caller without one.
      if (status >= 500 || status === 401) return undefined
      await load(api)
      await load('rest')
      // Nothing waits between here and the change: of two answers at once, none undoes what the other one says.
      const numbers = toNumbers(answer.headers)
      if (numbers !== undefined) {
        change(api, { ...rowOf(api), ...numbers })
        learnt.add(api)
      }
      const { limit, remaining, resetsAtMs, ...wait } = rowOf('rest')
      const newWait = toWait(answer, now(), wait.backoffs ?? 0)
      if (newWait !== undefined) {
        waitsNow = true
        const backoffs = newWait.backoffs ?? wait.backoffs
        change('rest', {
          ...rowOf('rest'),
          blockedUntilMs: newWait.untilMs,
          ...(backoffs !== undefined && { backoffs }),
        })
        await save()
        return fail({ kind: 'waiting', untilMs: newWait.untilMs, reason: newWait.reason })
      }
      const isOver = !waitsNow || (wait.blockedUntilMs ?? 0) <= now()
      if (status !== 403 && isOver && Object.keys(wait).length > 0) {
        change('rest', {
          ...(limit !== undefined && { limit }),
          ...(remaining !== undefined && { remaining }),
          ...(resetsAtMs !== undefined && { resetsAtMs }),
        })
        await save()
      }
      return undefined
    },

    save,
  }
}

/** Undefined unless all three are there. */
function toNumbers(headers: Headers): Required<Pick<LimitState, 'limit' | 'remaining' | 'resetsAtMs'>> | undefined {
  const limit = toCount(headers.get('x-ratelimit-limit'))
  const remaining = toCount(headers.get('x-ratelimit-remaining'))
  const resets = toCount(headers.get('x-ratelimit-reset'))
  if (limit === undefined || remaining === undefined || resets === undefined) return undefined
  return { limit, remaining, resetsAtMs: resets * 1000 }
}

interface NewWait {
  readonly untilMs: number
  readonly reason: string
  /** Set when GitHub named no time. */
  readonly backoffs?: number
}

/** The time that GitHub names goes first; without one a minute, doubled by each repetition. */
function toWait(
  { status, headers, text, limited = false }: LimitedAnswer,
  nowMs: number,
  backoffs: number,
): NewWait | undefined {
  if (!limited && status !== 403 && status !== 429) return undefined
  const retryAfterMs = toDelayMs(headers.get('retry-after'), nowMs)
  if (retryAfterMs !== undefined) {
    return { untilMs: nowMs + Math.min(retryAfterMs, MAX_WAIT_MS), reason: 'GitHub asked to wait (retry-after)' }
  }
  const isUsedUp = toCount(headers.get('x-ratelimit-remaining')) === 0
  const resetsInMs = (toCount(headers.get('x-ratelimit-reset')) ?? 0) * 1000 - nowMs
  if (isUsedUp && resetsInMs > 0) {
    return { untilMs: nowMs + Math.min(resetsInMs, MAX_WAIT_MS), reason: "The hour's requests are used up" }
  }
  if (!limited && !isUsedUp && status === 403 && !/rate limit|abuse|secondary/i.test(text)) return undefined
  const waitMs = Math.min(MIN_BACKOFF_MS * 2 ** Math.min(backoffs, 16), MAX_BACKOFF_MS)
  return { untilMs: nowMs + waitMs, reason: 'GitHub answered that a rate limit is reached', backoffs: backoffs + 1 }
}

/** Seconds or a date. */
function toDelayMs(retryAfter: string | null, nowMs: number): number | undefined {
  if (retryAfter === null) return undefined
  const seconds = toCount(retryAfter)
  if (seconds !== undefined) return seconds * 1000
  const date = Date.parse(retryAfter)
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs)
}

function toCount(text: string | null): number | undefined {
  return text !== null && /^\d{1,15}$/.test(text.trim()) ? Number(text) : undefined
}
