/**
 * Hosts and origins: which name a request was sent to, and which page sent it.
 * A browser tells both truly, so they keep pages of other sites away, those
 * included that point a name of their own at this machine.
 */
import { isLoopbackHost } from '../../base/loopback.ts'

/** An origin as browsers write it, `scheme://host[:port]`, on loopback. */
export function isLoopbackOrigin(origin: string): boolean {
  const match = /^https?:\/\/(.+)$/i.exec(origin)
  return match !== null && isLoopbackHost(match[1] ?? null)
}

export interface OriginRule {
  /** Whether any loopback origin may call. */
  readonly loopback: boolean
  /** Further origins, exactly as browsers write them. */
  readonly allowed: readonly string[]
}

/** A request without an origin comes from no page and passes; `null` is the origin of none and does not. */
export function mayCallFrom(request: Request, rule: OriginRule): boolean {
  const origin = request.headers.get('origin')
  if (origin === null) return true
  if (origin === new URL(request.url).origin) return true
  return rule.allowed.includes(origin) || (rule.loopback && isLoopbackOrigin(origin))
}
