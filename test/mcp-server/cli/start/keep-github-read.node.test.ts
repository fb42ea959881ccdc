/** The loop of `npm start` that reads GitHub, against an admin API whose answers the test writes. */
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { keepGitHubRead } from '../../../../mcp-server/src/cli/start/keep-github-read.ts'

type Answer = { readonly status?: number; readonly body: object }

let server: Server
let stop: AbortController
let lines: string[]
/** Of `POST /admin/poll` and `POST /admin/reconcile`, by the number of the call from 0. */
let answers: { poll: (call: number) => Answer; reconcile: (call: number) => Answer }
const calls = { poll: 0, reconcile: 0 }

const POLLED = { done: true, requests: 1, written: 0, unchanged: 0, stale: 0, removed: 0, pending: 0, surfaces: [] }
const STATUS = { version: '0', schema: 1, github: { auth: 'none', webhook: 'off', api_url: '' }, repositories: [] }
/** Answers a poll and a comparison alike. */
const read: Answer = { body: { ...POLLED, checked: 0 } }

function refused(message: string): Answer {
  return { status: 400, body: { status: 'ERROR', error: { code: 'INVALID_ARGUMENT', message } } }
}

beforeEach(async () => {
  stop = new AbortController()
  lines = []
  calls.poll = 0
  calls.reconcile = 0
  server = createServer((request, response) => {
    const name = /^\/admin\/(poll|reconcile)/.exec(request.url ?? '')?.[1] as 'poll' | 'reconcile' | undefined
    const { status = 200, body } = name === undefined ? { body: STATUS } : answers[name](calls[name]++)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(() => {
  stop.abort()
  server.close()
})

/** Reads until the index was compared so many times. */
async function readUntil(compared: number): Promise<void> {
  const reading = keepGitHubRead({
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    adminToken: 'secret',
    repositories: ['acme/app'],
    owner: 'no token',
    meter: { show: () => undefined, say: (line) => lines.push(line), end: () => undefined },
    example: { rowsCameIn: () => undefined, hasNoRows: () => undefined },
    signal: stop.signal,
    pollEveryMs: 1,
  })
  await expect.poll(() => calls.reconcile, { timeout: 10_000 }).toBeGreaterThanOrEqual(compared)
  stop.abort()
  await reading
}

const troubles = (): string[] => lines.filter((line) => line.startsWith('GitHub: not read'))

test('a comparison that fails again and again is reported once, also while polls succeed', async () => {
  answers = { poll: () => read, reconcile: () => refused('the rows cannot be compared.') }
  await readUntil(4)
  expect(troubles()).toEqual(['GitHub: not read: the rows cannot be compared.'])
})

test('a failure that polls and comparisons share is reported once', async () => {
  answers = { poll: () => refused('nothing can be read.'), reconcile: () => refused('nothing can be read.') }
  await readUntil(4)
  expect(troubles()).toEqual(['GitHub: not read: nothing can be read.'])
})

test('a failure that comes back after a success is reported again', async () => {
  answers = { poll: (call) => (call % 2 === 0 ? read : refused('it is gone.')), reconcile: () => read }
  await readUntil(4)
  expect(troubles().slice(0, 2)).toEqual(['GitHub: not read: it is gone.', 'GitHub: not read: it is gone.'])
})
