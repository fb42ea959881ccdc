/**
 * Client of the bench's Worker: calls through the product's own endpoint, and
 * statements alone. Answers are read to their end but not parsed, because parsing
 * is the time of the caller.
 */
import type { BenchWorker } from '../runner.ts'
import type { Replay, CountedStatement } from './worker.ts'

/** The user of every request in mode local. */
export const USER = 'local'

/** Calls a tool at /mcp; throws when it refuses or the server fails. */
export async function call(worker: BenchWorker, name: string, args: object): Promise<void> {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
  const answer = await post(`${worker.origin}/mcp`, message)
  if (!answer.includes('"structuredContent":')) throw new Error(`${name} refused: ${answer.slice(0, 300)}`)
}

/** Runs some work and returns the statements that it ran in the object of USER. */
export async function recorded(worker: BenchWorker, work: () => Promise<unknown>): Promise<CountedStatement[]> {
  await post(`${worker.origin}/record?user=${USER}`, {})
  await work()
  return JSON.parse(await post(`${worker.origin}/statements?user=${USER}`, {})) as CountedStatement[]
}

/** Runs statements in the object of a user, over as many hops as a call of a tool. */
export async function replay(worker: BenchWorker, user: string, given: Replay): Promise<void> {
  await post(`${worker.origin}/replay?user=${user}`, given)
}

/** Milliseconds that work takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

async function post(url: string, body: object): Promise<string> {
  const response = await fetch(url, { method: 'POST', headers: HEADERS, body: JSON.stringify(body) })
  const answer = await response.text()
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${answer.slice(0, 300)}`)
  return answer
}
