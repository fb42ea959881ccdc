/**
 * The composition root: the only file, with worker.ts, that reads the environment,
 * and the only one that chooses the embedder, the reranker and the vector index.
 * Requests, the scheduled run and the message store take their parts from here.
 * Settings are read once per environment; contracts/settings/settings.ts has the policy
 * for wrong ones.
 */
import { consoleLog, type Log } from './base/log.ts'
import { ok, type Result } from './base/result.ts'
import type { GitHubSettings } from './contracts/settings/read-github-settings.ts'
import {
  readSettingParts,
  toSettings,
  type EmbedderSettings,
  type ModelSettings,
  type Settings,
} from './contracts/settings/read-settings.ts'
import { TEXT_NAMES, type SettingTexts } from './contracts/settings/setting-texts.ts'
import { openGitHub } from './github/open-run.ts'
import type { App } from './http/route.ts'
import { requestLimits } from './index/ingestion/request-limits.ts'
import type { Index } from './index/sql/index-database.ts'
import { d1Vectors } from './index/vectors/d1-vectors.ts'
import type { VectorIndex } from './index/vectors/vector-index.ts'
import { runClock } from './ingest/clock.ts'
import type { IngestDependencies } from './ingest/ingest-dependencies.ts'
import { runMaintenance } from './ingest/maintenance-run.ts'
import { runPendingReads } from './ingest/pending-reads-run.ts'
import { toTools } from './mcp/registry.ts'
import { toMemory, type StoreOperations } from './memory/memory.ts'
import type { MessageObject, ObjectParts } from './memory/object.ts'
import type { Embedder } from './models/embedder/embedder.ts'
import { httpEmbedder } from './models/embedder/http.ts'
import { NO_EMBEDDER } from './models/embedder/none.ts'
import { tableEmbedder } from './models/embedder/table.ts'
import { httpReranker } from './models/reranker/http.ts'
import { NO_RERANKER } from './models/reranker/none.ts'
import type { Reranker } from './models/reranker/reranker.ts'
import { search } from './search/run-search.ts'

/** The variables, secrets and bindings that the platform passes to the Worker. */
export interface Env extends SettingTexts {
  readonly DB: D1Database
  /** One object per user, which stores the user's messages. */
  readonly MESSAGES: DurableObjectNamespace<MessageObject<unknown>>
}

/** The parts made of one environment. */
interface Composition {
  /** The texts it was made of. */
  readonly texts: string
  /** The failure of a wrong setting, if there is one. */
  readonly app: Result<App>
  readonly embedders: Embedders
  /** Undefined when a setting of GitHub is wrong. */
  readonly ingest: IngestDependencies | undefined
  readonly runMaintenance: App['runMaintenance']
}

/** The platform passes the same object to all calls of an isolate. It is composed again only if its texts change. */
const compositions = new WeakMap<Env, Composition>()

/** The parts of a request; UNAVAILABLE, with the setting's sentence, when a setting is wrong. */
export function openApp(env: Env): Result<App> {
  return compose(env).app
}

/** The scheduled run. Rejects when the index does not answer, so that the platform counts the run as failed. */
export async function runScheduled(env: Env): Promise<void> {
  const { ingest, runMaintenance } = compose(env)
  await (ingest === undefined ? runMaintenance() : runClock(ingest, runMaintenance))
}

/** The parts of a message store's object. */
export function toObjectParts(env: Env): ObjectParts {
  return { now: Date.now, log: consoleLog, embedder: compose(env).embedders.messages }
}

function compose(env: Env): Composition {
  const texts = JSON.stringify(TEXT_NAMES.map((name) => env[name]))
  const known = compositions.get(env)
  if (known?.texts === texts) return known
  const parts = readSettingParts(env)
  if (!parts.embedder.ok) consoleLog.error('wrong_setting', { message: parts.embedder.failure.message })
  if (!parts.github.ok) consoleLog.error('wrong_setting', { message: parts.github.failure.message })
  const embedders = toEmbedders(parts.embedder.ok ? parts.embedder.value : undefined)
  const stored = openIndex(env)
  const ingest = parts.github.ok ? toIngest(stored.index, parts.github.value, consoleLog) : undefined
  const settings = toSettings(parts)
  const composition: Composition = {
    texts,
    app: settings.ok ? ok(toApp(env, settings.value, { embedder: embedders.documents, ingest })) : settings,
    embedders,
    ingest,
    runMaintenance: toMaintenance(stored, embedders.documents, consoleLog, ingest),
  }
  compositions.set(env, composition)
  return composition
}

/** The parts of a request from settings that are right. Tests pass a log and a clock of their own. */
export function toApp(
  env: Env,
  settings: Settings,
  given: {
    embedder?: Embedder
    ingest?: IngestDependencies | undefined
    log?: Log
    now?: () => number
  } = {},
): App {
  const { embedder = toEmbedders(settings.embedder).documents, log = consoleLog, now = Date.now } = given
  const stored = openIndex(env)
  const { index, vectors } = stored
  const ingest = given.ingest ?? toIngest(index, settings.github, log, now)
  const memory = toMemory((user) => findStore(env, user))
  const reranker = toReranker(settings.reranker)
  return {
    settings,
    index,
    vectors,
    memory,
    tools: toTools({
      search: (viewer, args) => search({ index, vectors, now, embedder, reranker }, viewer, args),
      memory,
      now,
    }),
    ingest,
    runMaintenance: toMaintenance(stored, embedder, log, ingest, now),
    log,
    now,
    newRequestId: () => crypto.randomUUID(),
  }
}

interface StoredIndex {
  readonly index: Index
  readonly vectors: VectorIndex
}

function openIndex({ DB }: Env): StoredIndex {
  const index = { database: DB }
  return { index, vectors: d1Vectors(index) }
}

/** The object of a verified user. No argument of a call becomes a part of its name. */
function findStore({ MESSAGES }: Env, user: string): StoreOperations {
  return MESSAGES.get(MESSAGES.idFromName(user))
}

/** A maintenance run that logs what it did, unless that was nothing. */
function toMaintenance(
  stored: StoredIndex,
  embedder: Embedder,
  log: Log,
  ingest: IngestDependencies | undefined,
  now = Date.now,
): App['runMaintenance'] {
  return async (isForced = false) => {
    const readPending = ingest && { readPending: () => runPendingReads(ingest, isForced) }
    const summary = await runMaintenance({ ...stored, now, log, embedder, ...readPending })
    if (Object.values(summary).some((count) => count > 0)) log.info('maintenance', { ...summary })
    return summary
  }
}

/** The parts that read GitHub. One client serves all runs and keeps the tokens of an App. */
function toIngest(index: Index, settings: GitHubSettings, log: Log, now = Date.now): IngestDependencies {
  const github = openGitHub({ settings, limits: requestLimits(index), fetch: (url, init) => fetch(url, init), now })
  return { index, settings, github, now, newId: () => crypto.randomUUID(), log }
}

/** The embedders of documents and of messages: the same model, each with the weight that its kind of text deserves. */
export interface Embedders {
  readonly documents: Embedder
  readonly messages: Embedder
}

/** Only the settings decide which: a server that does not answer changes nothing. */
export function toEmbedders(settings: EmbedderSettings | undefined): Embedders {
  if (settings === undefined) return { documents: NO_EMBEDDER, messages: NO_EMBEDDER }
  if (settings.kind === 'table') return { documents: NO_EMBEDDER, messages: tableEmbedder(settings.messageWeight) }
  const documents = httpEmbedder({ ...settings, fetch: (url, init) => fetch(url, init) })
  return { documents, messages: { ...documents, weight: settings.messageWeight } }
}

/** The reranker of search. */
export function toReranker(settings: ModelSettings | undefined): Reranker {
  if (settings === undefined) return NO_RERANKER
  return httpReranker({ ...settings, fetch: (url, init) => fetch(url, init) })
}
