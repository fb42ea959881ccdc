import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askAll, type MeasuredQuestion } from '../../scripts/bench/ask-questions.ts'
import { readOwnSet } from '../../scripts/bench/own-set.ts'
import { mean } from '../../scripts/bench/quality.ts'
import { startBenchWorker, type BenchWorker } from '../../scripts/bench/runner.ts'
import type { FoundRows } from '../../scripts/bench/worker.ts'

const set = await readOwnSet()

let state: string
let worker: BenchWorker
let measured: MeasuredQuestion[]

beforeAll(async () => {
  state = mkdtempSync(join(tmpdir(), 'own-questions-'))
  worker = await startBenchWorker(state)
  await set.fill(worker)
  measured = await askAll(worker, set, { group: 'auto', fusion: 'rrf' })
}, 300_000)

afterAll(async () => {
  await worker.dispose()
  rmSync(state, { recursive: true, force: true })
})

test('questions about this project find their answers among the first ten, mostly first', () => {
  const missed = set.questions.filter((_, at) => measured[at]?.recall === 0).map(({ text }) => text)
  expect(mean(measured.map(({ recall }) => recall)), `missed: ${missed.join('; ')}`).toBeGreaterThanOrEqual(0.9)
  expect(mean(measured.map(({ reciprocalRank }) => reciprocalRank))).toBeGreaterThanOrEqual(0.7)
})

test('no question costs more than six round trips', () => {
  expect(Math.max(...measured.map(({ found }) => found.roundTrips))).toBeLessThanOrEqual(6)
})

test('the question that the README shows has the answer that the README gives', async () => {
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')
  const [, question = ''] = /\*\*search\*\* `(\{.*\})`/.exec(readme) ?? []
  const [, path, passage = ''] = /The first result is \[([^\]]+)\].*: \*(.+)\*/.exec(readme) ?? []
  const { rowsFound } = (await worker.post('/find', question)) as FoundRows
  expect(rowsFound[0]).toMatchObject({ type: 'doc', doc_path: path })
  expect(readFileSync(join(import.meta.dirname, '../..', path!), 'utf8')).toContain(passage.replace(/\.$/, ''))
})
