/**
 * Keeps repositories on GitHub read while `npm start` runs: calls poll after poll
 * until a round is complete or waits, then one each minute, and compares the
 * whole index once a day. Prints progress, and an example answer as soon as rows
 * are there. It never rejects; a failure is printed once and tried again.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Failure } from '../../../../src/base/failure.ts'
import { toNameKey } from '../../../../src/base/repository-name.ts'
import type { RepositoryStatus, StatusAnswer } from '../../../../src/contracts/admin/status-contract.ts'
import { AdminClient } from '../../admin-client.ts'
import { toLimitText, toNewsText, toReadingLine, toReadText, toTroubleLines } from '../terminal/github-texts.ts'
import type { Meter } from '../terminal/progress-meter.ts'
import { callSearch, type Example, type ExampleSource } from './example-question.ts'

const POLL_EVERY_MS = 60_000
/** Between two looks at a run that goes on: it takes up to half a minute. */
const LOOK_EVERY_MS = 3_000
/** Requests of each minute that a comparison takes. */
const LAP_REQUESTS = 40
/** Titles that are tried as example questions. */
const TRIED_TITLES = 3

export interface GitHubReading {
  /** Origin of the server. */
  readonly origin: string
  readonly adminToken: string
  /** `owner/name`, as configured. */
  readonly repositories: readonly string[]
  /** Whose requests these are, in words. */
  readonly owner: string
  readonly meter: Meter
  /** Its keys are the configured names. */
  readonly example: Example
  readonly signal: AbortSignal
  readonly pollEveryMs?: number
}

export async function keepGitHubRead(reading: GitHubReading): Promise<void> {
  const { repositories, owner, meter, signal, pollEveryMs = POLL_EVERY_MS } = reading
  meter.say(`GitHub: ${repositories.join(', ')}, with ${owner}.`)
  const reader = new Reader(reading)
  while (!signal.aborted) {
    const goesOn = await reader.poll()
    if (goesOn) continue
    await reader.compareWhenDue()
    await sleep(pollEveryMs, undefined, { signal }).catch(() => undefined)
  }
}

class Reader {
  readonly #reading: GitHubReading
  readonly #client: AdminClient
  /** Sums of the round that is read. */
  #round = { written: 0, removed: 0 }
  #isFirstRound = true
  #hasPolled = false
  #limitPrinted = false
  readonly #printed = new Set<string>()
  /** The last failure of each kind of run, while it lasts. */
  readonly #problems: { poll?: string | undefined; lap?: string | undefined } = {}

  constructor(reading: GitHubReading) {
    this.#reading = reading
    const { origin, adminToken, signal } = reading
    this.#client = new AdminClient({ endpoint: origin, adminToken, signal })
  }

  /** One bounded run. True if the next one has something to do at once. */
  async poll(): Promise<boolean> {
    // The answer to the first request of all says what the limit leaves, before anything is read.
    const polled = await this.#watch(this.#client.poll(this.#hasPolled ? undefined : 1))
    this.#hasPolled = true
    if (!polled.ok) return this.#fail('poll', polled.failure)
    this.#round.written += polled.value.written
    this.#round.removed += polled.value.removed
    const { done, retry_after_ms: retryAfterMs } = polled.value
    const status = await this.#client.readStatus()
    if (!status.ok) return this.#fail('poll', status.failure)
    this.#problems.poll = undefined
    this.#show(status.value, done)
    if (done) this.#endRound()
    return !done && retryAfterMs === undefined
  }

  /** Shows meanwhile how far a run of the first round is. */
  async #watch<Value>(run: Promise<Value>): Promise<Value> {
    if (!this.#isFirstRound) return run
    const ended = new AbortController()
    const looking = this.#lookUntil(ended.signal)
    try {
      return await run
    } finally {
      ended.abort()
      await looking
    }
  }

  async #lookUntil(signal: AbortSignal): Promise<void> {
    while (await sleep(LOOK_EVERY_MS, true, { signal }).catch(() => false)) {
      const status = await this.#client.readStatus()
      if (status.ok && !signal.aborted) this.#show(status.value, false)
    }
  }

  /** Goes on with the comparison of every row, if it is due, by a few requests, so that polls are never short of them. */
  async compareWhenDue(): Promise<void> {
    const lap = await this.#client.reconcile(LAP_REQUESTS)
    if (lap.ok) this.#problems.lap = undefined
    else this.#fail('lap', lap.failure)
  }

  #show({ github, repositories }: StatusAnswer, done: boolean): void {
    const { meter } = this.#reading
    const limit = this.#limitPrinted ? undefined : toLimitText(github)
    if (limit !== undefined) {
      this.#limitPrinted = true
      meter.say(`GitHub: ${limit}.`)
    }
    for (const repository of repositories.filter(({ configured }) => configured)) {
      const isOutOfReach = repository.surfaces.every(({ state }) => state === 'unreadable')
      if (this.#isFirstRound && done && !isOutOfReach) meter.say(toReadText(repository))
      else if (this.#isFirstRound && !done) meter.show(toReadingLine(repository), repository.repo)
      for (const line of toTroubleLines(repository)) this.#sayOnce(line)
      this.#offerExample(repository, done)
    }
  }

  #endRound(): void {
    const news = this.#isFirstRound ? undefined : toNewsText(this.#round)
    if (news !== undefined) this.#reading.meter.say(news)
    this.#isFirstRound = false
    this.#round = { written: 0, removed: 0 }
  }

  #offerExample(repository: RepositoryStatus, isLast: boolean): void {
    if (!this.#isFirstRound) return
    const { example, origin, repositories } = this.#reading
    const { repo, surfaces } = repository
    const key = repositories.find((name) => toNameKey(name) === toNameKey(repo)) ?? repo
    if (surfaces.some(({ rows }) => rows > 0)) example.rowsCameIn(toSource(key, repo, `${origin}/mcp`), isLast)
    else if (isLast) example.hasNoRows(key)
  }

  #fail(run: 'poll' | 'lap', { message, hint }: Failure): false {
    const { poll, lap } = this.#problems
    if (![poll, lap].includes(message))
      this.#reading.meter.say(`GitHub: not read: ${message}${hint === undefined ? '' : ` ${hint}`}`)
    this.#problems[run] = message
    return false
  }

  #sayOnce(line: string): void {
    if (this.#printed.has(line)) return
    this.#printed.add(line)
    this.#reading.meter.say(line)
  }
}

/** Questions about a repository are the titles of its newest issues, else of any rows. */
function toSource(key: string, repo: string, endpoint: string): ExampleSource {
  const listQuestions = async (): Promise<readonly string[]> => {
    for (const type of ['issue', 'pull_request', 'doc', 'all']) {
      const list = { repo, type, since: '1970-01-01', top_k: TRIED_TITLES }
      const { results } = await callSearch<{ results: readonly { title?: string }[] }>(endpoint, list)
      const titles = results.flatMap(({ title }) => (title === undefined || title.trim() === '' ? [] : [title]))
      if (titles.length > 0) return titles
    }
    return []
  }
  return { key, repo, listQuestions }
}
