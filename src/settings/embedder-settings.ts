/**
 * The embedder's variables as settings, whole or not at all: an address without
 * a model would be a search that quietly goes by words alone.
 */
import { ok, type Result } from '../base/result.ts'
import { isModelAddress, refuseSetting } from './model-settings.ts'

export interface EmbedderEnv {
  readonly EMBEDDER_URL?: string
  readonly EMBEDDER_MODEL?: string
  readonly EMBEDDER_DIMENSIONS?: string
  readonly EMBEDDER_WEIGHT?: string
  readonly EMBEDDER_KEY?: string
}

export interface EmbedderSettings {
  readonly url: string
  readonly model: string
  readonly dimensions: number
  readonly weight: number
  readonly key?: string
}

/** Of a model that nobody has measured here: words count for more. */
const DEFAULT_WEIGHT = 0.3

const LEAST_DIMENSIONS = 16
const MOST_DIMENSIONS = 8_192

/** Undefined when none is configured; refuses with UNAVAILABLE, naming the setting, when one is wrong. */
export function readEmbedder(env: EmbedderEnv): Result<EmbedderSettings | undefined> {
  const url = env.EMBEDDER_URL?.trim() ?? ''
  if (url === '') return ok(undefined)
  if (!isModelAddress(url)) return refuseSetting('EMBEDDER_URL')
  const model = env.EMBEDDER_MODEL?.trim() ?? ''
  if (model === '') return refuseSetting('EMBEDDER_MODEL')
  const dimensions = Number(env.EMBEDDER_DIMENSIONS?.trim() || NaN)
  if (!Number.isInteger(dimensions) || dimensions < LEAST_DIMENSIONS || dimensions > MOST_DIMENSIONS) {
    return refuseSetting('EMBEDDER_DIMENSIONS')
  }
  const weight = Number(env.EMBEDDER_WEIGHT?.trim() || DEFAULT_WEIGHT)
  if (!(weight > 0 && weight <= 1)) return refuseSetting('EMBEDDER_WEIGHT')
  return ok({ url, model, dimensions, weight, ...(env.EMBEDDER_KEY && { key: env.EMBEDDER_KEY }) })
}
