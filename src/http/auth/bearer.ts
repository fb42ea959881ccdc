/**
 * Bearer tokens, compared in constant time: hashes of both sides are compared,
 * so neither length nor a common beginning shows in how long it takes.
 */
import { createHash, timingSafeEqual } from 'node:crypto'

/** The token of `Authorization: Bearer`, or undefined. */
export function readBearer(request: Request): string | undefined {
  return /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1]
}

export function isSameToken(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest()
}
