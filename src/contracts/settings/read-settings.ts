/**
 * The Worker's variables as settings, by the table in settings.ts. A model is
 * configured by its URL: without one, its other settings are not read; with one,
 * all that it needs must be right. No I/O and no environment: the values are
 * passed in.
 */
import { ok, type Result } from '../../base/result.ts'
import { readGitHubSettings, type GitHubSettings } from './read-github-settings.ts'
import { readNeeded, readText, refuseWrong, type SettingTexts } from './setting-texts.ts'
import { SETTINGS, type ServedMode } from './settings.ts'

export interface Settings {
  readonly mode: ServedMode
  /** Further origins that may call, exactly as browsers send them. */
  readonly allowedOrigins: readonly string[]
  /** Undefined when the admin routes are off. */
  readonly adminToken: string | undefined
  /** Undefined when none is configured. */
  readonly embedder: EmbedderSettings | undefined
  /** Undefined when none is configured. */
  readonly reranker: ModelSettings | undefined
  readonly github: GitHubSettings
}

/** The settings that an embedder and a reranker have in common. */
export interface ModelSettings {
  readonly url: string
  readonly model: string
  readonly key?: string
}

/** `messageWeight` is the share of vectors in the score of messages, `weight` in that of documents. */
export type EmbedderSettings =
  | { readonly kind: 'table'; readonly messageWeight: number }
  | (ModelSettings & {
      readonly kind: 'http'
      readonly dimensions: number
      readonly weight: number
      readonly messageWeight: number
    })

/** The result of each part of the settings, for callers that continue without a part that is wrong. */
type SettingParts = { readonly [Part in keyof Settings]: Result<Settings[Part]> }

/** All settings, or UNAVAILABLE with the sentence of the first wrong one. */
export function readSettings(texts: SettingTexts): Result<Settings> {
  return toSettings(readSettingParts(texts))
}

export function readSettingParts(texts: SettingTexts): SettingParts {
  const allowedOrigins = readText(texts, 'ALLOWED_ORIGINS')
  return {
    mode: readNeeded(texts, 'AUTH_MODE'),
    allowedOrigins: allowedOrigins.ok ? ok(allowedOrigins.value ?? []) : allowedOrigins,
    adminToken: readText(texts, 'ADMIN_TOKEN'),
    embedder: readEmbedder(texts),
    reranker: readModel(texts, 'RERANKER'),
    github: readGitHubSettings(texts),
  }
}

/** The settings when every part is right; the failure of the first part that is not. */
export function toSettings(parts: SettingParts): Result<Settings> {
  const { mode, allowedOrigins, adminToken, embedder, reranker, github } = parts
  if (!mode.ok) return mode
  if (!allowedOrigins.ok) return allowedOrigins
  if (!adminToken.ok) return adminToken
  if (!embedder.ok) return embedder
  if (!reranker.ok) return reranker
  if (!github.ok) return github
  return ok({
    mode: mode.value,
    allowedOrigins: allowedOrigins.value,
    adminToken: adminToken.value,
    embedder: embedder.value,
    reranker: reranker.value,
    github: github.value,
  })
}

function readEmbedder(texts: SettingTexts): Result<EmbedderSettings | undefined> {
  const kind = readText(texts, 'EMBEDDER')
  if (!kind.ok) return kind
  if (kind.value === 'none') return ok(undefined)
  const given = readText(texts, 'EMBEDDER_MESSAGE_WEIGHT')
  if (!given.ok) return given
  const messageWeight = given.value ?? SETTINGS.EMBEDDER_MESSAGE_WEIGHT.fallback
  if (kind.value === 'table') return ok({ kind: 'table', messageWeight })
  const model = readModel(texts, 'EMBEDDER')
  if (!model.ok) return model
  if (model.value === undefined) return kind.value === 'http' ? refuseWrong('EMBEDDER') : ok(undefined)
  const dimensions = readNeeded(texts, 'EMBEDDER_DIMENSIONS')
  if (!dimensions.ok) return dimensions
  const weight = readText(texts, 'EMBEDDER_WEIGHT')
  if (!weight.ok) return weight
  return ok({
    ...model.value,
    kind: 'http',
    dimensions: dimensions.value,
    weight: weight.value ?? SETTINGS.EMBEDDER_WEIGHT.fallback,
    messageWeight,
  })
}

/** Undefined when the model has no URL. */
function readModel(texts: SettingTexts, prefix: 'EMBEDDER' | 'RERANKER'): Result<ModelSettings | undefined> {
  const url = readText(texts, `${prefix}_URL`)
  if (!url.ok) return url
  if (url.value === undefined) return ok(undefined)
  const model = readNeeded(texts, `${prefix}_MODEL`)
  if (!model.ok) return model
  const key = readText(texts, `${prefix}_KEY`)
  if (!key.ok) return key
  return ok({ url: url.value, model: model.value, ...(key.value !== undefined && { key: key.value }) })
}
