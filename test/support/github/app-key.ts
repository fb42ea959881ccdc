/** Private keys of a GitHub App in the forms that people have them, made for each run. */
import { createPrivateKey } from 'node:crypto'

export interface AppKey {
  /** As GitHub gives it. */
  readonly pkcs1: string
  readonly pkcs8: string
  readonly publicKey: CryptoKey
}

export async function makeAppKey(): Promise<AppKey> {
  const algorithm = {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    modulusLength: 2048,
    publicExponent: new Uint8Array([1, 0, 1]),
  }
  const pair = (await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as CryptoKeyPair
  const der = (await crypto.subtle.exportKey('pkcs8', pair.privateKey)) as ArrayBuffer
  const key = createPrivateKey({ key: Buffer.from(der), format: 'der', type: 'pkcs8' })
  return {
    pkcs1: String(key.export({ type: 'pkcs1', format: 'pem' })),
    pkcs8: String(key.export({ type: 'pkcs8', format: 'pem' })),
    publicKey: pair.publicKey,
  }
}
