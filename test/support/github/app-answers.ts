/** GitHub's answers to an App, and a check of the signatures that it sends. */
import type { RecordedRequest, ScriptedAnswer } from '../answers-server.ts'
import type { AppKey } from './app-key.ts'
import { json } from './client-world.ts'

export const INSTALLATION_PATH = '/api/v3/repos/a/b/installation'
export const TOKEN_PATH = '/api/v3/app/installations/7/access_tokens'

export function tokenAnswer(token: string, expiresAtMs: number): ScriptedAnswer {
  return json({ token, expires_at: new Date(expiresAtMs).toISOString(), permissions: { contents: 'read' } }, {}, 201)
}

export interface SignedClaims {
  readonly iss: string
  readonly iat: number
  readonly exp: number
}

/** The claims of a request's signature, if the key made it. */
export async function readClaims(request: RecordedRequest | undefined, key: AppKey): Promise<SignedClaims | undefined> {
  const token = request?.headers['authorization']?.replace('Bearer ', '') ?? ''
  const [head = '', claims = '', signature = ''] = token.split('.')
  const bytes = Buffer.from(signature, 'base64url')
  const signed = new TextEncoder().encode(`${head}.${claims}`)
  const isSigned = await crypto.subtle.verify('RSASSA-PKCS1-v1_5', key.publicKey, bytes, signed)
  return isSigned ? (JSON.parse(Buffer.from(claims, 'base64url').toString()) as SignedClaims) : undefined
}
