/**
 * `npm run bench:memory`: the cost of conversation tools compared with the same
 * SQL statements sent directly to the same kind of object, and the cost of a
 * question in a large store compared with smaller ones: questions of a sentence,
 * and of one common word. The stores are measured alternately, so that the load of
 * the machine affects them equally. Exits 1 when a ratio exceeds its limit.
 * `--messages 100000 --rounds 5`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { commonQuestions, linesOf, questionsAbout, messageAt } from './memory/chat.ts'
import { call, recorded, replay, timed, USER } from './memory/client.ts'
import type { CountedStatement } from './memory/worker.ts'
import { median, quantile, table } from './figures.ts'
import { forgetPeak, readMemory } from './resource-usage.ts'
import { startBenchWorker, type BenchWorker } from './runner.ts'

/** Highest ratio of a call to its statements alone, and of a question in the large store to one in the small store. */
const TIMES_SQL = 2
const TIMES_SMALL = 3

/** Highest ratio of a question of one common word in the large store to one in the store of MIDDLE messages. */
const TIMES_MIDDLE = 2.5

const SMALL = 1_000
const MIDDLE = 10_000
const QUESTIONS = 50
const WRITES = 200
/** The largest number of messages that a rebuild indexes in one step. */
const REBUILT = 20_000
const PAGE = 500
/** A second user with a small store, which is written by statements alone. */
const MIRROR = 'mirror'

/** Times in ms of calls and of their statements alone, in the same order. */
interface Times {
  readonly tool: number[]
  readonly sql: number[]
}

const newTimes = (): Times => ({ tool: [], sql: [] })

const { values } = parseArgs({
  options: { messages: { type: 'string', default: '100000' }, rounds: { type: 'string', default: '5' } },
})
const large = Number(values.messages)
const rounds = Number(values.rounds)
const questions = questionsAbout(SMALL, QUESTIONS)
const folders = ['small', 'middle', 'large'].map((name) => mkdtempSync(join(tmpdir(), `kotodama-bench-${name}-`)))
const workers: BenchWorker[] = []
try {
  for (const folder of folders) {
    workers.push(
      await startBenchWorker(folder, { entry: 'scripts/bench/memory/worker.ts', folder: 'dist/bench-memory' }),
    )
  }
  const [few, some, many] = workers as [BenchWorker, BenchWorker, BenchWorker]
  await fill(few, USER, 0, SMALL)
  await fill(few, MIRROR, 0, SMALL)
  await fill(some, USER, 0, MIDDLE)
  await growLarge(many)
  const [ofFew, ofMany] = await askBoth(few, many)
  const common = await askCommon([few, some, many])
  const written = await writeBoth(few)
  report(ofFew, ofMany, written, common)
} finally {
  for (const worker of workers) await worker.dispose()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}

async function fill(worker: BenchWorker, user: string, from: number, to: number): Promise<number> {
  let ms = 0
  for (let at = from; at < to; at += PAGE) {
    const lines = linesOf(at, Math.min(at + PAGE, to))
    ms += await timed(() => worker.post(`/import?user=${user}`, lines))
  }
  return ms
}

/** Fills the large store and prints the times of import, rebuild and health. */
async function growLarge(worker: BenchWorker): Promise<void> {
  const rebuilt = Math.min(REBUILT, large)
  forgetPeak(worker.pid)
  let ms = await fill(worker, USER, 0, rebuilt)
  const rebuild = await timed(() => call(worker, 'rebuild_index', {}))
  ms += await fill(worker, USER, rebuilt, large)
  const health: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    health.push(await timed(() => call(worker, 'get_system_health', {})))
  }
  const { nowMib, peakMib } = readMemory(worker.pid)
  console.log(`import, ${PAGE} messages a page: ${Math.round((large * 1_000) / ms)} messages a second`)
  console.log(`rebuild_index of ${rebuilt} messages: ${rebuild.toFixed(0)} ms`)
  console.log(`get_system_health at ${large} messages: ${median(health).toFixed(0)} ms`)
  console.log(`the runtime uses ${nowMib.toFixed(0)} MiB, ${peakMib.toFixed(0)} at most while it was filled`)
}

/** Sends every question to both stores: first to warm up and to record its statements, then repeatedly to the tool and as statements. */
async function askBoth(few: BenchWorker, many: BenchWorker): Promise<[Times, Times]> {
  const stores = [few, many].map((worker) => ({ worker, statements: [] as CountedStatement[][], times: newTimes() }))
  const ask = (worker: BenchWorker, query: string) => call(worker, 'search_messages', { query })
  for (const query of questions) {
    for (const { worker, statements } of stores) statements.push(await recorded(worker, () => ask(worker, query)))
  }
  for (const { worker, statements } of stores) {
    printStatements(worker === few ? SMALL : large, questions[0]!, statements[0]!)
  }
  for (let round = 0; round < rounds; round += 1) {
    for (const [at, query] of questions.entries()) {
      for (const { worker, statements, times } of stores) {
        times.tool.push(await timed(() => ask(worker, query)))
        times.sql.push(await timed(() => replay(worker, USER, { isChange: false, statements: statements[at]! })))
      }
    }
  }
  return stores.map(({ times }) => times) as [Times, Times]
}

/** Times in ms of questions of one common word, for each worker. */
async function askCommon(stores: readonly BenchWorker[]): Promise<number[][]> {
  const words = commonQuestions()
  const times = stores.map((): number[] => [])
  for (let round = 0; round <= rounds; round += 1) {
    for (const query of words) {
      for (const [at, worker] of stores.entries()) {
        const ms = await timed(() => call(worker, 'search_messages', { query }))
        // The first round warms up.
        if (round > 0) times[at]!.push(ms)
      }
    }
  }
  return times
}

/** Writes the same messages into two equal stores: into one by the tool, into the other by its statements. */
async function writeBoth(worker: BenchWorker): Promise<Times> {
  const times = newTimes()
  for (let at = SMALL; at < SMALL + WRITES; at += 1) {
    const message = messageAt(at)
    const statements = await recorded(worker, async () => {
      times.tool.push(await timed(() => call(worker, 'write_message', message)))
    })
    times.sql.push(await timed(() => replay(worker, MIRROR, { isChange: true, statements })))
    if (at === SMALL) printStatements(SMALL, message.content, statements)
  }
  return times
}

function printStatements(size: number, subject: string, statements: readonly CountedStatement[]): void {
  const times = new Map<string, number>()
  for (const { sql } of statements) {
    const line = sql.replace(/\s+/g, ' ').trim()
    times.set(line, (times.get(line) ?? 0) + 1)
  }
  console.log(`\n${statements.length} statements at ${size} messages: ${subject}`)
  for (const [line, count] of times) console.log(`  ${count} x ${line}`)
}

function report(few: Times, many: Times, written: Times, common: readonly number[][]): void {
  const row = (name: string, size: number, { tool, sql }: Times) => {
    const figures = [median(tool), quantile(tool, 0.95), median(sql), quantile(sql, 0.95), median(tool) / median(sql)]
    return [name, size, ...figures.map((figure) => figure.toFixed(2))]
  }
  const header = ['call', 'messages', 'tool p50', 'tool p95', 'SQL p50', 'SQL p95', 'ratio']
  const rows = [
    row('write_message', SMALL, written),
    row('search_messages', SMALL, few),
    row('search_messages', large, many),
  ]
  const [grown, sqlGrown] = [median(many.tool) / median(few.tool), median(many.sql) / median(few.sql)]
  console.log(`\n${table(header, rows)}`)
  console.log(
    `\n${large} messages against ${SMALL}: ${grown.toFixed(2)} times at the tool, ${sqlGrown.toFixed(2)} in SQL alone`,
  )
  const sizes = [SMALL, MIDDLE, large]
  const commonRows = common.map((times, at) => [
    sizes[at]!,
    ...[median(times), quantile(times, 0.95)].map((ms) => ms.toFixed(2)),
  ])
  console.log(`\nQuestions of one common word\n${table(['messages', 'tool p50', 'tool p95'], commonRows)}`)
  const commonGrown = median(common[2]!) / median(common[1]!)
  console.log(`\n${large} messages against ${MIDDLE}: ${commonGrown.toFixed(2)} times`)
  const ratios = [written, few, many].map(({ tool, sql }) => median(tool) / median(sql))
  const isWithin = ratios.every((ratio) => ratio <= TIMES_SQL) && grown <= TIMES_SMALL && commonGrown <= TIMES_MIDDLE
  console.log(
    `At most: ${TIMES_SQL} times the statements, ${TIMES_SMALL} times the small store, ${TIMES_MIDDLE} times the middle one for common words. ${isWithin ? 'All within.' : 'Not all within.'}`,
  )
  if (!isWithin) process.exitCode = 1
}
