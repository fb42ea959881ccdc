/** The reranker's variables as settings, whole or not at all, as the embedder's are. */
import { ok, type Result } from '../base/result.ts'
import { isModelAddress, refuseSetting } from './model-settings.ts'

export interface RerankerEnv {
  readonly RERANKER_URL?: string
  readonly RERANKER_MODEL?: string
  readonly RERANKER_KEY?: string
}

export interface RerankerSettings {
  readonly url: string
  readonly model: string
  readonly key?: string
}

/** Undefined when none is configured; refuses with UNAVAILABLE, naming the setting, when one is wrong. */
export function readReranker(env: RerankerEnv): Result<RerankerSettings | undefined> {
  const url = env.RERANKER_URL?.trim() ?? ''
  if (url === '') return ok(undefined)
  if (!isModelAddress(url)) return refuseSetting('RERANKER_URL')
  const model = env.RERANKER_MODEL?.trim() ?? ''
  if (model === '') return refuseSetting('RERANKER_MODEL')
  return ok({ url, model, ...(env.RERANKER_KEY && { key: env.RERANKER_KEY }) })
}
