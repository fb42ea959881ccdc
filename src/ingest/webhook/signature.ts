/**
 * The signature of a delivery: HMAC-SHA256 over its raw bytes, compared in
 * constant time by the platform. No other algorithm is accepted.
 */

const FORM = /^sha256=([0-9a-f]{64})$/i

/** True if `header` is the signature of these bytes with this secret. */
export async function isSigned(secret: string, body: ArrayBuffer, header: string): Promise<boolean> {
  const hex = FORM.exec(header)?.[1]
  if (hex === undefined) return false
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, ['verify'])
  return crypto.subtle.verify('HMAC', key, fromHex(hex), body)
}

function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: hex.length / 2 }, (_, at) => Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16))
}
