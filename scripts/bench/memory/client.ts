/**
 * The bench's Worker as it is asked: through the product's own door, and by
 * statements alone. Answers are read to their end and not taken apart, for that
 * is the caller's time and not the store's.
 */
import type { BenchWorker } from '../runner.ts'
import type { Replay, CountedStatement } from './worker.ts'

/** In mode local all come as this user. */
export const USER = 'local'

/** Calls a tool at /mcp; throws when it refuses or the server fails. */
export async function call(worker: BenchWorker, name: string, args: object): Promise<void> {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
  const answer = await post(`${worker.origin}/mcp`, message)
  if (!answer.includes('"structuredContent":')) throw new Error(`${name} refused: ${answer.slice(0, 300)}`)
}

/** The statements that some work came to in the user's own object. */
export async function recorded(worker: BenchWorker, work: () => Promise<unknown>): Promise<CountedStatement[]> {
  await post(`${worker.origin}/record?user=${USER}`, {})
  await work()
  return JSON.parse(await post(`${worker.origin}/statements?user=${USER}`, {})) as CountedStatement[]
}

/** The same statements, sent to an object over as many hops as a call takes. */
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
