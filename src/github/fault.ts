/** Faults as values. A reason is printable, short and without the secret that the request carried. */
import type { GitHubFault } from './github.ts'
import { MAX_REASON_CHARS, MAX_REFUSAL_CHARS } from './limits.ts'

export interface Faulty {
  readonly ok: false
  readonly fault: GitHubFault
}

export function fail(fault: GitHubFault): Faulty {
  return { ok: false, fault }
}

export function failBecause(reason: string): Faulty {
  return fail({ kind: 'fault', reason })
}

/** The text of an answer that GitHub refused, as far as it may name a limit. */
export function textOf(data: unknown): string {
  const text = typeof data === 'object' && data !== null ? (data as { readonly message?: unknown }).message : data
  return typeof text === 'string' ? text.slice(0, MAX_REFUSAL_CHARS) : ''
}

/** The same for a reason: empty for HTML, and without the secret, which a server may repeat. */
export function wordsOf(data: unknown, secret: string | undefined): string {
  const text = textOf(data)
  if (text.trimStart().startsWith('<')) return ''
  const safe = secret === undefined ? text : text.replaceAll(secret, '[secret]')
  return safe
    .replaceAll(/[^\u0020-\u007e]+/g, ' ')
    .trim()
    .slice(0, MAX_REASON_CHARS)
}
