/**
 * Sides of one search that read the same index, in step: what they ask at the
 * same time goes in one round trip. Each side is written as if it were alone and
 * fails alone: a trip that fails is made again for each side by itself.
 */
import type { Index } from './index-database.ts'

interface Ask {
  readonly statements: D1PreparedStatement[]
  readonly resolve: (results: D1Result[]) => void
  readonly reject: (error: unknown) => void
}

type Reader<T> = (index: Index) => Promise<T>

/**
 * Runs both sides, each on an index of its own, and resolves when both are done.
 * One that waits for something else, such as a model, holds up the next trip of
 * the other.
 */
export async function batchTogether<A, B>(index: Index, one: Reader<A>, other: Reader<B>): Promise<[A, B]> {
  let running = 2
  let waiting: Ask[] = []
  const go = (): void => {
    if (waiting.length < running) return
    const asks = waiting
    waiting = []
    if (asks.length > 0) void answer(index, asks)
  }
  const batch = (statements: D1PreparedStatement[]) =>
    new Promise<D1Result[]>((resolve, reject) => {
      waiting.push({ statements, resolve, reject })
      go()
    })
  const prepare = (text: string) => index.database.prepare(text)
  const shared: Index = { database: { prepare, batch } as unknown as D1Database }
  const run = async <T>(side: Reader<T>): Promise<T> => {
    try {
      return await side(shared)
    } finally {
      running -= 1
      go()
    }
  }
  return Promise.all([run(one), run(other)])
}

async function answer({ database }: Index, asks: readonly Ask[]): Promise<void> {
  const alone = (ask: Ask) => database.batch(ask.statements).then(ask.resolve, ask.reject)
  if (asks.length === 1) return void asks.map(alone)
  try {
    const results = await database.batch(asks.flatMap(({ statements }) => statements))
    let at = 0
    for (const { statements, resolve } of asks) resolve(results.slice(at, (at += statements.length)))
  } catch {
    await Promise.all(asks.map(alone))
  }
}
