/** The bench's Worker as it is asked: through the product's own door, and by statements alone. */
import type { BenchWorker } from '../runner.ts'
import { callTool } from '../tool-client.ts'
import type { Replay, Statement } from './worker.ts'

/** In mode local all come as this user. */
export const USER = 'local'

export function call(worker: BenchWorker, name: string, args: object): Promise<unknown> {
  return callTool(`${worker.origin}/mcp`, name, args)
}

/** The statements that some work came to in the user's own object. */
export async function recorded(worker: BenchWorker, work: () => Promise<unknown>): Promise<Statement[]> {
  await worker.post(`/record?user=${USER}`, '')
  await work()
  return (await worker.post(`/statements?user=${USER}`, '')) as Statement[]
}

/** The same statements, sent to an object over as many hops as a call takes. */
export function replay(worker: BenchWorker, user: string, given: Replay): Promise<unknown> {
  return worker.post(`/replay?user=${user}`, JSON.stringify(given))
}

/** Milliseconds that work takes. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
