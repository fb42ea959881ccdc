/** Chooses the parts once for an environment: the only file that knows what stands behind an interface. */
import { consoleLog, type Log } from './base/log.ts'
import type { Index } from './index/sql/index-database.ts'
import type { Embedder } from './models/embedder/embedder.ts'
import { httpEmbedder } from './models/embedder/http.ts'
import { runMaintenance as maintain, type MaintenanceSummary } from './ingest/maintenance-run.ts'
import { toMemory, type Memory, type StoreOperations } from './memory/memory.ts'
import { NO_EMBEDDER } from './models/embedder/none.ts'
import { httpReranker } from './models/reranker/http.ts'
import { NO_RERANKER } from './models/reranker/none.ts'
import type { Reranker } from './models/reranker/reranker.ts'
import { search } from './search/run-search.ts'
import { toTools } from './mcp/registry.ts'
import type { Tool } from './mcp/tool.ts'
import { readEmbedder, type EmbedderSettings } from './settings/embedder-settings.ts'
import type { Env, Settings } from './settings/env.ts'
import type { RerankerSettings } from './settings/reranker-settings.ts'

export interface App {
  readonly settings: Settings
  readonly index: Index
  readonly memory: Memory
  /** One run of what the clock starts every minute. */
  readonly runMaintenance: () => Promise<MaintenanceSummary>
  readonly tools: readonly Tool[]
  readonly log: Log
  readonly now: () => number
  readonly newRequestId: () => string
}

export function wire(env: Env, settings: Settings): App {
  const index: Index = { database: env.DB }
  const now = Date.now
  const memory = toMemory((user) => storeOf(env, user))
  const embedder = toEmbedder(settings.embedder)
  const reranker = toReranker(settings.reranker)
  return {
    settings,
    index,
    memory,
    runMaintenance: () => runMaintenance(env),
    tools: toTools({ search: (viewer, args) => search({ index, now, embedder, reranker }, viewer, args), memory, now }),
    log: consoleLog,
    now,
    newRequestId: () => crypto.randomUUID(),
  }
}

/** Settles what the index owes, as far as one run goes, with the embedder that is configured rightly or without. */
export async function runMaintenance(env: Env): Promise<MaintenanceSummary> {
  const settings = readEmbedder(env)
  if (!settings.ok) consoleLog.error('embedder_settings', { message: settings.failure.message })
  const embedder = toEmbedder(settings.ok ? settings.value : undefined)
  const summary = await maintain({ index: { database: env.DB }, now: Date.now, log: consoleLog, embedder })
  if (summary.processed + summary.retried + summary.purged > 0) consoleLog.info('maintenance', { ...summary })
  return summary
}

/** The object of a verified user. No argument of a call ever becomes part of its name. */
function storeOf({ MESSAGES }: Env, user: string): StoreOperations {
  return MESSAGES.get(MESSAGES.idFromName(user)) as unknown as StoreOperations
}

/** What search and the pump embed with: chosen by configuration, never by trying. */
export function toEmbedder(settings: EmbedderSettings | undefined): Embedder {
  if (settings === undefined) return NO_EMBEDDER
  return httpEmbedder({ ...settings, fetch: (url, init) => fetch(url, init) })
}

/** What search has its best candidates ordered by. */
export function toReranker(settings: RerankerSettings | undefined): Reranker {
  if (settings === undefined) return NO_RERANKER
  return httpReranker({ ...settings, fetch: (url, init) => fetch(url, init) })
}
