/** The client for GitHub against scripted answers, with a clock and a store of limits that a test reads. */
import { inject } from 'vitest'
import type { GitHub, GitHubRun, LimitState, LimitStore, RestOptions } from '../../../src/github/github.ts'
import { openGitHub, type GitHubClient, type RunOptions } from '../../../src/github/open-run.ts'
import type { SettingTexts } from '../../../src/contracts/settings/setting-texts.ts'
import type { RecordedRequest, ScriptedAnswer } from '../answers-server.ts'
import { githubSettings } from './github-test-settings.ts'

export const TOKEN = 'github_pat_very-secret'

export const START_MS = Date.UTC(2026, 10, 30)

/** A store of limits in memory that counts its writes. */
interface RememberedLimits extends LimitStore {
  readonly rows: Map<string, LimitState>
  writes: number
}

export interface ClientWorld {
  readonly urls: { readonly api: string; readonly graphql: string; readonly server: string; readonly raw: string }
  /** The folder of the test on the other server. */
  readonly elsewhere: string
  readonly limits: RememberedLimits
  readonly client: GitHubClient
  nowMs: number
  openRun(options?: Partial<RunOptions>): GitHubRun
  /** A new run's view of `a/b`. */
  repository(options?: Partial<RunOptions>): GitHub
  /** Answers by path below the folder: `/api/v3/...`, `/api/graphql`, `/raw/...`. */
  script(answers: Readonly<Record<string, ScriptedAnswer | readonly ScriptedAnswer[]>>): Promise<void>
  requests(): Promise<readonly RecordedRequest[]>
  requestsElsewhere(): Promise<readonly RecordedRequest[]>
}

export const ARRAY: RestOptions = { surface: 'issue', expects: 'array' }
export const OBJECT: RestOptions = { surface: 'issue', expects: 'object' }

export function json(value: unknown, headers: Readonly<Record<string, string>> = {}, status = 200): ScriptedAnswer {
  return { status, headers, body: JSON.stringify(value) }
}

export function clientWorld(texts: SettingTexts = { GITHUB_TOKEN: TOKEN }, timeLimitMs = 5_000): ClientWorld {
  const id = crypto.randomUUID()
  const base = `${inject('answersUrl')}/t/${id}`
  const other = inject('elsewhereUrl')
  const rows = new Map<string, LimitState>()
  const limits: RememberedLimits = {
    rows,
    writes: 0,
    read: (credential) => Promise.resolve(rows.get(credential)),
    write: (credential, state) => {
      limits.writes += 1
      rows.set(credential, state)
      return Promise.resolve()
    },
  }
  const settings = githubSettings({
    GITHUB_API_URL: `${base}/api/v3`,
    GITHUB_SERVER_URL: base,
    GITHUB_RAW_URL: `${base}/raw`,
    ...texts,
  })
  const world: ClientWorld = {
    urls: settings.urls,
    elsewhere: `${other}/t/${id}`,
    limits,
    nowMs: START_MS,
    client: openGitHub({
      settings,
      limits,
      fetch: (url, init) => fetch(url, init),
      now: () => world.nowMs,
      timeLimitMs,
    }),
    openRun: (options) => world.client.openRun({ budget: 100, ...options }),
    repository: (options) => world.openRun(options).forRepository('a/b'),
    async script(answers) {
      const lists = Object.entries(answers).map(([path, answer]) => [path, [answer].flat()])
      const body = JSON.stringify(Object.fromEntries(lists))
      for (const server of [inject('answersUrl'), other])
        await fetch(`${server}/script/${id}`, { method: 'POST', body })
    },
    requests: async () => (await fetch(`${inject('answersUrl')}/requests/${id}`)).json(),
    requestsElsewhere: async () => (await fetch(`${other}/requests/${id}`)).json(),
  }
  return world
}
