/**
 * `npm run bench:scale`: the cost of a search as the index grows. At each size,
 * sixty mixed questions without a filter and with common and rare labels,
 * repositories, states and windows of time, and sixty questions of one common
 * word: rows read, round trips, and milliseconds beside those of a `SELECT 1` sent
 * before each. Questions without a filter are also asked before the maintenance run
 * that counts common terms. `--sizes 1000,10000,200000 --seed 1`; the last size takes minutes.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { COMMON_REPOSITORY, COMMON_WINDOW, LABEL, makeCorpus, RARE_LABEL, RARE_WINDOW, WINDOW } from './corpus.ts'
import { median, quantile, table } from './figures.ts'
import { startBenchWorker } from './runner.ts'
import type { FoundRows } from './worker.ts'

const FILTERS: Readonly<Record<string, object>> = {
  none: {},
  'common label': { labels: [LABEL] },
  'rare label': { labels: [RARE_LABEL] },
  'common repository': { repo: COMMON_REPOSITORY },
  'rare repository': { repo: 'bench/repository-7' },
  'common state': { state: 'closed' },
  'rare state': { state: 'open' },
  'half of all time': COMMON_WINDOW,
  'eight weeks': WINDOW,
  'one day': RARE_WINDOW,
}
const PAGE = 200

const { values } = parseArgs({
  options: { sizes: { type: 'string', default: '1000,10000,200000' }, seed: { type: 'string', default: '1' } },
})
const sizes = values.sizes.split(',').map(Number)
const corpus = makeCorpus(Number(values.seed))
const state = mkdtempSync(join(tmpdir(), 'kotodama-bench-'))
const worker = await startBenchWorker(state)
try {
  const rows: (string | number)[][] = []
  let size = 0
  for (const next of sizes) {
    const seconds = await fill(size, next)
    console.log(`${next} documents: ${Math.round((next - size) / seconds)} documents/s while filling`)
    size = next
    const questions = corpus.questions(size)
    rows.push([size, 'none, terms not counted', ...(await measure(questions, {}))])
    rows.push([size, 'common words, not counted', ...(await measure(corpus.commonWords, {}))])
    await worker.post('/maintenance', '')
    for (const [name, filter] of Object.entries(FILTERS)) rows.push([size, name, ...(await measure(questions, filter))])
    rows.push([size, 'none, common words', ...(await measure(corpus.commonWords, {}))])
  }
  const header = [
    'documents',
    'filter',
    'rows p50',
    'rows p95',
    'trips',
    'ms p50',
    'ms p95',
    'SELECT 1',
    'above',
    'results',
  ]
  console.log(`\n${table(header, rows)}`)
  console.log(
    '\nAims at top_k 10: median rows at most 300 (550 with a window) at every size; median 25 ms above SELECT 1 at 10,000, and at 200,000 at most 2.5 times as many as at 10,000.',
  )
} finally {
  await worker.dispose()
  rmSync(state, { recursive: true, force: true })
}

async function fill(from: number, to: number): Promise<number> {
  const start = performance.now()
  for (let at = from; at < to; at += PAGE) {
    const page = corpus.lines(at, Math.min(at + PAGE, to)).map((line) => JSON.stringify(line))
    await worker.post('/import', page.join('\n'))
  }
  return (performance.now() - start) / 1_000
}

async function measure(queries: readonly string[], filter: object): Promise<(string | number)[]> {
  const answers: FoundRows[] = []
  const [searches, baselines]: [number[], number[]] = [[], []]
  await worker.post('/find', JSON.stringify({ query: queries[0], ...filter }))
  for (const query of queries) {
    const baseline = performance.now()
    await worker.post('/baseline', '')
    const start = performance.now()
    answers.push((await worker.post('/find', JSON.stringify({ query, top_k: 10, ...filter }))) as FoundRows)
    searches.push(performance.now() - start)
    baselines.push(start - baseline)
  }
  const rows = answers.map((answer) => answer.rows)
  const above = median(searches) - median(baselines)
  return [
    median(rows),
    quantile(rows, 0.95),
    Math.max(...answers.map(({ roundTrips }) => roundTrips)),
    ...[median(searches), quantile(searches, 0.95), median(baselines), above].map((ms) => ms.toFixed(1)),
    median(answers.map(({ rowsFound }) => rowsFound.length)),
  ]
}
