/**
 * The client for GitHub and its bounded runs. Made once for the settings: it
 * keeps the tokens of an App in memory between runs. A run shares one budget
 * among its repositories and counts each attempt.
 */
import { toNameKey } from '../base/repository-name.ts'
import type { Surface } from '../base/vocabulary.ts'
import type { GitHubSettings } from '../contracts/settings/read-github-settings.ts'
import { emptyAppMemory, findToken, type AppMemory, type AppParts } from './app-tokens.ts'
import { fail } from './fault.ts'
import type { GitHub, GitHubAuth, GitHubResult, GitHubRun, LimitState, LimitStore } from './github.ts'
import { queryGraphql } from './graphql.ts'
import { openGate, toCredentialKey, type LimitGate } from './limit-gate.ts'
import { REQUEST_TIME_LIMIT_MS } from './limits.ts'
import { getRest, type Asker } from './rest.ts'
import { ask, type Payer, type SessionParts, type Signature } from './session.ts'
import type { WireOptions } from './whole-answer.ts'
import { openWiki } from './wiki.ts'

export interface GitHubParts {
  readonly settings: GitHubSettings
  readonly limits: LimitStore
  readonly fetch: WireOptions['fetch']
  readonly now: () => number
  /** Of each attempt, for tests. */
  readonly timeLimitMs?: number
}

export interface RunOptions {
  /** Attempts that the run may make: at least 1. */
  readonly budget: number
  /** Asks although GitHub asked an earlier run to wait; a good answer ends the wait. */
  readonly force?: boolean
}

export interface GitHubClient {
  readonly auth: GitHubAuth
  openRun(options: RunOptions): GitHubRun
  /** The last known limit of the REST API; for an App that of a repository's installation. */
  readLimit(repository?: string): Promise<LimitState | undefined>
}

export function openGitHub(parts: GitHubParts): GitHubClient {
  const memory = emptyAppMemory()
  const { credential } = parts.settings
  return {
    auth: credential.kind,
    openRun: (options) => openRun(parts, memory, options),
    async readLimit(repository) {
      const installation = repository === undefined ? undefined : memory.installations.get(toNameKey(repository))
      if (credential.kind === 'app' && installation === undefined) return undefined
      return parts.limits.read(toKey(parts.settings, installation))
    },
  }
}

function openRun(parts: GitHubParts, memory: AppMemory, { budget, force = false }: RunOptions): GitHubRun {
  const { settings, fetch, now, timeLimitMs = REQUEST_TIME_LIMIT_MS } = parts
  const { credential, urls } = settings
  const counts = new Map<string, Map<Surface, number>>()
  const gates = new Map<string, LimitGate>()
  let used = 0

  const count = ({ repository, surface }: Payer): void => {
    used += 1
    if (surface === undefined) return
    const key = toNameKey(repository)
    const own = counts.get(key) ?? new Map<Surface, number>()
    counts.set(key, own.set(surface, (own.get(surface) ?? 0) + 1))
  }
  const gateOf = (key: string): LimitGate => {
    const gate = gates.get(key) ?? openGate(key, { store: parts.limits, now, force })
    gates.set(key, gate)
    return gate
  }
  const session: SessionParts = { fetch, timeLimitMs, apiUrl: urls.api, graphqlUrl: urls.graphql, count }

  /** Calls of one repository that need a token at the same time make one. They are of the same run: others cannot be waited for. */
  const signing = new Map<string, Promise<GitHubResult<Signature>>>()
  const sign = (payer: Payer, refused?: string): Promise<GitHubResult<Signature>> => {
    if (credential.kind !== 'app') {
      const token = credential.kind === 'token' ? credential.token : undefined
      return Promise.resolve({ ok: true, value: { token, gate: gateOf(toKey(settings)) } })
    }
    const key = `${toNameKey(payer.repository)} ${refused ?? ''}`
    const current = signing.get(key) ?? signAsApp(credential, payer, refused).finally(() => signing.delete(key))
    signing.set(key, current)
    return current
  }
  const signAsApp = async (
    { appId, privateKey }: Pick<AppParts, 'appId' | 'privateKey'>,
    payer: Payer,
    refused: string | undefined,
  ): Promise<GitHubResult<Signature>> => {
    const gate = gateOf(toKey(settings))
    const app: AppParts = { appId, privateKey, apiUrl: urls.api, now, memory }
    const found = await findToken(app, payer.repository, refused, (token, request) =>
      ask(session, payer, { token, gate }, request),
    )
    if (!found.ok) return found
    const { token, installation } = found.value
    return { ok: true, value: { token, gate: gateOf(toKey(settings, installation)) } }
  }

  const askerOf = (payer: Payer): Asker => {
    return async (request) => {
      const signature = await sign(payer)
      if (!signature.ok) return signature
      const answer = await ask(session, payer, signature.value, request)
      if (credential.kind !== 'app' || !answer.ok || answer.value.status !== 401) return answer
      const renewed = await sign(payer, signature.value.token)
      return renewed.ok ? ask(session, payer, renewed.value, request) : renewed
    }
  }
  /** A call begins only within the budget, and then ends: its redirects and tokens are sent too. */
  const within = <Value>(call: () => Promise<GitHubResult<Value>>): Promise<GitHubResult<Value>> =>
    used >= budget ? Promise.resolve(fail({ kind: 'spent' })) : call()

  return {
    forRepository(repository): GitHub {
      const wiki = openWiki(
        {
          fetch,
          timeLimitMs,
          serverUrl: urls.server,
          rawUrl: urls.raw,
          gate: gateOf(toCredentialKey(urls.server, 'wiki')),
          count: () => count({ repository, surface: 'wiki_doc' }),
        },
        repository,
      )
      return {
        auth: credential.kind,
        hasGraphql: credential.kind !== 'none',
        get: (path, options) =>
          within(() => getRest(urls.api, path, options, askerOf({ repository, surface: options.surface }))),
        graphql: (query, variables, surface) =>
          within(() => queryGraphql(urls.graphql, query, variables, askerOf({ repository, surface }))),
        readWikiHead: () => within(wiki.readWikiHead),
        readWikiPageList: () => within(wiki.readWikiPageList),
        readWikiPage: (file, etag) => within(() => wiki.readWikiPage(file, etag)),
      }
    },
    get left() {
      return Math.max(0, budget - used)
    },
    get used() {
      return used
    },
    countsOf: (name) => counts.get(toNameKey(name)) ?? new Map<Surface, number>(),
    async saveLimits() {
      for (const gate of gates.values()) await gate.save()
    },
  }
}

/** A hash of the credential and the server it belongs to. Installations of an App have limits of their own. */
function toKey({ credential, urls }: GitHubSettings, installation?: number): string {
  const secret = credential.kind === 'token' ? credential.token : credential.kind === 'app' ? credential.appId : ''
  return toCredentialKey(urls.api, credential.kind, secret, String(installation ?? ''))
}
