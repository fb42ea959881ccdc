/**
 * One fill of an empty index from the scripted GitHub by `POST /admin/poll`, with
 * searches beside it, and a round without changes after it.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PollAnswer } from '../../../src/contracts/admin/poll-contract.ts'
import type { RepositoryStatus, StatusAnswer } from '../../../src/contracts/admin/status-contract.ts'
import { ScriptedGitHub } from '../../../test/support/github/scripted-github.ts'
import { makeCorpus } from '../corpus.ts'
import { ADMIN_TOKEN, startBenchWorker, type BenchWorker } from '../runner.ts'
import { callTool } from '../tool-client.ts'
import { fillProject, REPO } from './project.ts'

const LATENCY_MS = 20
const MAINTENANCE_EVERY_MS = 60_000
/** Between two searches, as one user makes them. */
const PAUSE_MS = 100
const IDLE_SEARCHES = 120

export interface Fill {
  readonly seconds: number
  /** Answered by the scripted GitHub, in all. */
  readonly requests: number
  readonly repository: RepositoryStatus
  readonly documents: number
  /** Documents that the index must have, commits that a pull request holds included. */
  readonly expected: number
  /** From the first poll until a search for the newest issue finds it. */
  readonly newestAfterS: number
  /** Milliseconds of each search during the fill, and of each afterwards. */
  readonly busyMs: readonly number[]
  readonly idleMs: readonly number[]
  readonly unchanged: { readonly requests: number; readonly paths: readonly string[]; readonly written: number }
}

/** `scale` 1 is 2,000 documents. */
export async function measureFill(address: string, scale: number): Promise<Fill> {
  const github = await ScriptedGitHub.create(address, { latencyMs: LATENCY_MS })
  await fillProject(github, scale)
  const state = mkdtempSync(join(tmpdir(), 'kotodama-bench-'))
  const { api, graphql, server, raw } = github.urls
  const worker = await startBenchWorker(state, undefined, {
    GITHUB_REPOSITORIES: REPO,
    GITHUB_TOKEN: github.token,
    GITHUB_API_URL: api,
    GITHUB_GRAPHQL_URL: graphql,
    GITHUB_SERVER_URL: server,
    GITHUB_RAW_URL: raw,
  })
  try {
    return await measure(github, worker)
  } finally {
    await worker.dispose()
    rmSync(state, { recursive: true, force: true })
  }
}

async function measure(github: ScriptedGitHub, worker: BenchWorker): Promise<Fill> {
  const { documents: truth } = await github.expected()
  const newest = truth.filter(({ type }) => type === 'issue').at(-1)
  await github.clearRequests()
  const searcher = new Searcher(worker)
  const started = performance.now()
  const since = (): number => (performance.now() - started) / 1_000
  const fill = new AbortController()
  const beside = [
    searcher.searchUntil(fill.signal),
    searcher.findTitle(String(newest?.['title']), Number(newest?.['number']), fill.signal).then(since),
    maintainUntil(worker, fill.signal),
  ] as const
  const seconds = await pollToEnd(worker).then(since, (error: unknown) => {
    fill.abort()
    throw error
  })
  fill.abort()
  const [busyMs, newestAfterS] = await Promise.all(beside)
  const requests = (await github.requests()).length
  await github.clearRequests()
  const polls = await pollToEnd(worker)
  const paths = (await github.requests()).map(({ method, path, status }) => `${method} ${path} -> ${status}`)
  const written = polls.reduce((sum, poll) => sum + poll.written + poll.removed, 0)
  await askAdmin(worker, 'POST', '/admin/maintenance')
  const idleMs = await searcher.searchTimes(IDLE_SEARCHES)
  const status = (await askAdmin(worker, 'GET', '/admin/status')) as StatusAnswer
  const repository = status.repositories.find(({ repo }) => repo === REPO)
  if (repository === undefined) throw new Error(`status does not name ${REPO}`)
  const documents = Object.values(repository.documents).reduce((sum, rows) => sum + rows, 0)
  const unchanged = { requests: paths.length, paths, written }
  return { seconds, requests, repository, documents, expected: truth.length, newestAfterS, busyMs, idleMs, unchanged }
}

/** The answers of one round. Throws when it waits or a run fails. */
async function pollToEnd(worker: BenchWorker): Promise<PollAnswer[]> {
  const answers: PollAnswer[] = []
  for (;;) {
    const answer = (await askAdmin(worker, 'POST', '/admin/poll')) as PollAnswer
    answers.push(answer)
    if (answer.done) return answers
    if (answer.retry_after_ms !== undefined) throw new Error(`the fill waits: ${JSON.stringify(answer)}`)
  }
}

async function askAdmin(worker: BenchWorker, method: string, path: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}` }
  const response = await fetch(worker.origin + path, { method, headers })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text.slice(0, 300)}`)
  return JSON.parse(text) as unknown
}

/** As the clock of a server does beside its polls. */
async function maintainUntil(worker: BenchWorker, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await askAdmin(worker, 'POST', '/admin/maintenance')
    await sleep(MAINTENANCE_EVERY_MS, undefined, { signal }).catch(() => undefined)
  }
}

class Searcher {
  readonly #endpoint: string
  readonly #questions = makeCorpus(7).questions(2_000)
  #searches = 0

  constructor({ origin }: BenchWorker) {
    this.#endpoint = `${origin}/mcp`
  }

  /** Milliseconds of each search until the signal aborts. */
  async searchUntil(signal: AbortSignal): Promise<number[]> {
    const times: number[] = []
    while (!signal.aborted) {
      times.push(await this.#timeOne())
      await sleep(PAUSE_MS)
    }
    return times
  }

  async searchTimes(count: number): Promise<number[]> {
    const times: number[] = []
    while (times.length < count) times.push(await this.#timeOne())
    return times
  }

  async #timeOne(): Promise<number> {
    const query = this.#questions[this.#searches++ % this.#questions.length]
    const start = performance.now()
    await callTool(this.#endpoint, 'search', { query })
    return performance.now() - start
  }

  /** Resolves when an issue is found by its title, or when the fill ends. */
  async findTitle(title: string, number: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const found = (await callTool(this.#endpoint, 'search', { query: title })) as { results: { number?: number }[] }
      if (found.results.some((row) => row.number === number)) return
      await sleep(PAUSE_MS)
    }
  }
}
