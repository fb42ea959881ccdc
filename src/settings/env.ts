/**
 * What the platform hands the Worker, and how its variables become settings.
 * Every word said about a wrong setting comes from the table that the
 * documentation is made of.
 */
import { refuse, ok, type Result } from '../base/result.ts'
import { SERVED_MODES, SETTINGS } from '../contracts/settings.ts'
import { readEmbedder, type EmbedderEnv, type EmbedderSettings } from './embedder-settings.ts'
import { readReranker, type RerankerEnv, type RerankerSettings } from './reranker-settings.ts'

export interface Env extends Variables {
  readonly DB: D1Database
  /** One object for each user's messages. */
  readonly MESSAGES: DurableObjectNamespace
}

/** What an operator sets. */
export interface Variables extends EmbedderEnv, RerankerEnv {
  readonly AUTH_MODE?: string
  readonly ALLOWED_ORIGINS?: string
  readonly ADMIN_TOKEN?: string
}

export interface Settings {
  readonly mode: (typeof SERVED_MODES)[number]
  /** Origins as browsers write them. */
  readonly allowedOrigins: readonly string[]
  readonly adminToken: string | undefined
  readonly embedder: EmbedderSettings | undefined
  readonly reranker: RerankerSettings | undefined
}

/** Refuses with UNAVAILABLE, naming the setting, when the Worker must not serve at all. */
export function readSettings(env: Variables): Result<Settings> {
  const mode = readMode(env.AUTH_MODE)
  if (!mode.ok) return mode
  const allowedOrigins = readOrigins(env.ALLOWED_ORIGINS ?? '')
  if (!allowedOrigins.ok) return allowedOrigins
  const embedder = readEmbedder(env)
  if (!embedder.ok) return embedder
  const reranker = readReranker(env)
  if (!reranker.ok) return reranker
  return ok({
    mode: mode.value,
    allowedOrigins: allowedOrigins.value,
    adminToken: env.ADMIN_TOKEN || undefined,
    embedder: embedder.value,
    reranker: reranker.value,
  })
}

function readMode(text: string | undefined): Result<Settings['mode']> {
  const given = text?.trim() ?? ''
  if (given === '') return refuse({ code: 'UNAVAILABLE', message: SETTINGS.AUTH_MODE.whenWrong })
  const served = SERVED_MODES.find((mode) => mode === given)
  if (served !== undefined) return ok(served)
  const message = `This AUTH_MODE is not available in this version. ${SETTINGS.AUTH_MODE.whenWrong}`
  return refuse({ code: 'UNAVAILABLE', message })
}

function readOrigins(text: string): Result<readonly string[]> {
  const origins = text
    .split(',')
    .map((origin) => origin.trim())
    .filter((origin) => origin !== '')
  if (origins.every(isOrigin)) return ok(origins)
  return refuse({ code: 'UNAVAILABLE', message: SETTINGS.ALLOWED_ORIGINS.whenWrong })
}

function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text
}
