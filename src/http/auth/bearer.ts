/**
 * Bearer tokens, compared in constant time: the digests of both tokens are
 * compared, so that the time shows neither the length nor a common prefix.
 */
import { timingSafeEqual } from 'node:crypto'
import { sha256 } from '../../base/hash.ts'

/** The token of `Authorization: Bearer`, or undefined. */
export function readBearer(headers: Headers): string | undefined {
  return /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1]
}

export function isSameToken(given: string, expected: string): boolean {
  const encoder = new TextEncoder()
  return timingSafeEqual(encoder.encode(sha256(given)), encoder.encode(sha256(expected)))
}
