/**
 * Who may read what, and how often: tokens with their repositories and
 * permissions, Apps with JWTs, and the hourly limits of each credential.
 */
import { createHash, generateKeyPairSync, verify, type KeyObject } from 'node:crypto'
import { toTime, type Repository, type World } from '../truth/world.ts'
import { restError, type RestReply } from './reply.ts'

export type Permission = 'issues' | 'pull_requests' | 'contents' | 'metadata'

export interface TokenGrant {
  /** Names of private repositories that it reads; `all` is every one. */
  readonly repositories: readonly string[] | 'all'
  readonly permissions: readonly Permission[] | 'all'
  /** Push rights show drafts of releases. */
  readonly push: boolean
  /** Whose it is: pending reviews are shown to their authors alone. */
  readonly login: string
  readonly expiresMs?: number
}

interface LimitWindow {
  used: number
  resetsMs: number
}

interface AppKey {
  readonly id: number
  readonly key: KeyObject
  /** Installation -> names of repositories. */
  readonly installations: Map<number, readonly string[] | 'all'>
}

export interface Access {
  readonly tokens: Map<string, TokenGrant>
  readonly windows: Map<string, LimitWindow>
  app: AppKey | undefined
}

/** The rights of a request. */
export interface Caller {
  /** The token, or the address of an anonymous caller. */
  readonly credential: string
  readonly grant: TokenGrant | undefined
}

const SCRIPTED_TOKEN = 'github_pat_scripted'

const HOUR_MS = 3_600_000
const JWT_MAX_MS = 600_000
const CLOCK_SKEW_MS = 60_000

export function createAccess(): Access {
  const grant = { repositories: 'all', permissions: 'all', push: true, login: 'reader' } as const
  return { tokens: new Map([[SCRIPTED_TOKEN, grant]]), windows: new Map(), app: undefined }
}

/** The private key in both forms that are in use, of a new App that is installed in these repositories. */
export function createApp(
  access: Access,
  repositories: readonly string[] | 'all',
): { appId: string; installationId: number; pkcs1: string; pkcs8: string } {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const id = 90_001
  const installationId = 70_001
  access.app = { id, key: publicKey, installations: new Map([[installationId, repositories]]) }
  const pem = (type: 'pkcs1' | 'pkcs8'): string => privateKey.export({ format: 'pem', type }).toString()
  return { appId: String(id), installationId, pkcs1: pem('pkcs1'), pkcs8: pem('pkcs8') }
}

export function limitNow(world: World): number {
  return world.settings.limitClock === 'real' ? Date.now() : world.nowMs
}

/** The caller, or the 401 of a credential that is not valid. */
export function findCaller(world: World, access: Access, authorization: string | undefined): Caller | RestReply {
  if (authorization === undefined) return { credential: '127.0.0.1', grant: undefined }
  const token = /^(?:bearer|token) (\S+)$/i.exec(authorization)?.[1]
  const grant = token === undefined ? undefined : access.tokens.get(token)
  const expired = grant?.expiresMs !== undefined && grant.expiresMs <= limitNow(world)
  if (token === undefined || grant === undefined || expired) return restError(401, 'Bad credentials')
  return { credential: token, grant }
}

export function mayRead({ grant }: Caller, repository: Repository): boolean {
  if (!repository.private) return true
  return grant !== undefined && holds(grant.repositories, repository)
}

function holds(repositories: readonly string[] | 'all', { owner, name }: Repository): boolean {
  return repositories === 'all' || repositories.includes(`${owner}/${name}`)
}

/** A permission that a fine-grained token lacks is refused in private repositories; public ones are for all. */
export function refusePermission(
  { grant }: Caller,
  repository: Repository,
  permissions: readonly Permission[],
): RestReply | undefined {
  if (!repository.private || grant === undefined || grant.permissions === 'all') return undefined
  const granted = new Set<Permission>(['metadata', ...grant.permissions])
  if (permissions.some((one) => granted.has(one))) return undefined
  return restError(403, 'Resource not accessible by personal access token', {
    'x-accepted-github-permissions': permissions.map((one) => `${one}=read`).join('; '),
  })
}

export type Resource = 'core' | 'graphql'

function allowance(world: World, caller: Caller, resource: Resource): number {
  if (resource === 'graphql') return world.settings.pointsPerHour
  return caller.grant === undefined ? world.settings.anonymousPerHour : world.settings.requestsPerHour
}

export function windowOf(world: World, access: Access, caller: Caller, resource: Resource): LimitWindow {
  const key = `${resource} ${caller.credential}`
  const now = limitNow(world)
  const known = access.windows.get(key)
  if (known !== undefined && known.resetsMs > now) return known
  const fresh = { used: 0, resetsMs: now + HOUR_MS }
  access.windows.set(key, fresh)
  return fresh
}

export function limitState(world: World, access: Access, caller: Caller, resource: Resource) {
  const { used, resetsMs } = windowOf(world, access, caller, resource)
  const limit = allowance(world, caller, resource)
  return { limit, used, remaining: Math.max(0, limit - used), reset: Math.ceil(resetsMs / 1000) }
}

export function limitHeaders(world: World, access: Access, caller: Caller, resource: Resource): Record<string, string> {
  const { limit, used, remaining, reset } = limitState(world, access, caller, resource)
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(reset),
    'x-ratelimit-used': String(used),
    'x-ratelimit-resource': resource,
  }
}

export function limitMessage({ grant, credential }: Caller): string {
  if (grant !== undefined) return `API rate limit exceeded for user ID 583231.`
  const more = 'Authenticated requests get a higher rate limit. Check out the documentation for more details.'
  return `API rate limit exceeded for ${credential}. (But here's the good news: ${more})`
}

/** Undefined for a JWT of the App; else its refusal. */
export function refuseJwt(world: World, access: Access, authorization: string | undefined): RestReply | undefined {
  const [, token] = /^bearer (\S+)$/i.exec(authorization ?? '') ?? []
  const parts = (token ?? '').split('.')
  const [header = '', claims = '', signature = ''] = parts
  if (access.app === undefined || parts.length !== 3) {
    return restError(401, 'A JSON web token could not be decoded')
  }
  const signed = verify(
    'RSA-SHA256',
    Buffer.from(`${header}.${claims}`),
    access.app.key,
    Buffer.from(signature, 'base64url'),
  )
  const decode = (part: string): Record<string, unknown> =>
    JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>
  if (!signed || decode(header)['alg'] !== 'RS256') return restError(401, 'A JSON web token could not be decoded')
  const { iss, iat, exp } = decode(claims)
  const now = limitNow(world)
  if (String(iss) !== String(access.app.id)) return restError(404, 'Integration not found')
  if (typeof exp !== 'number' || exp * 1000 <= now) {
    return restError(
      401,
      "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
    )
  }
  if (exp * 1000 > now + JWT_MAX_MS + CLOCK_SKEW_MS) {
    return restError(401, "'Expiration time' claim ('exp') is too far in the future")
  }
  if (typeof iat !== 'number' || iat * 1000 > now + CLOCK_SKEW_MS) {
    return restError(
      401,
      "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
    )
  }
  return undefined
}

export function findInstallation(access: Access, repository: Repository): number | undefined {
  return [...(access.app?.installations ?? [])].find(([, repositories]) => holds(repositories, repository))?.[0]
}

/** A token for one hour; undefined for an unknown installation. */
export function createInstallationToken(world: World, access: Access, installation: number): RestReply {
  const repositories = access.app?.installations.get(installation)
  if (repositories === undefined) return restError(404, 'Not Found')
  const expiresMs = limitNow(world) + HOUR_MS
  const digest = createHash('sha256').update(`${installation} ${access.tokens.size} ${expiresMs}`).digest('hex')
  const token = `ghs_${digest.slice(0, 36)}`
  access.tokens.set(token, { repositories, permissions: 'all', push: false, login: 'kotodama[bot]', expiresMs })
  const permissions = { contents: 'read', issues: 'read', metadata: 'read', pull_requests: 'read' }
  const selection = repositories === 'all' ? 'all' : 'selected'
  return {
    status: 201,
    body: { token, expires_at: toTime(expiresMs - (expiresMs % 1000)), permissions, repository_selection: selection },
  }
}
