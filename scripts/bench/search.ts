/**
 * `npm run bench:search -- --data FILE`: how good the search is, on questions
 * whose answers are known, through the real use case on a real index. Every
 * question is asked twice: with each document standing for itself, and as the
 * tool answers, where rows about one thing fold into one. `--typos SEED` asks
 * with one slip of the keys in each question.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { randomFrom } from './corpus.ts'
import { median, table } from './figures.ts'
import { mean, qualityOf, type Quality } from './quality.ts'
import { misspelt, readQuestionSet, type QuestionSet } from './question-set.ts'
import { startBenchWorker, type BenchWorker } from './runner.ts'
import type { Found } from './worker.ts'

const PAGE = 100
const HEADER = ['set', 'questions', 'nDCG@10', 'Recall@10', 'MRR', 'folded', 'ms', 'rows p50', 'trips', 'bytes']

const { values } = parseArgs({
  options: { data: { type: 'string', multiple: true }, typos: { type: 'string' } },
})
const rows: string[][] = []
for (const file of values.data ?? []) rows.push(...(await benchSet(file, readQuestionSet(file))))
console.log(table(HEADER, rows))

interface Asked extends Quality {
  readonly found: Found
}

async function benchSet(name: string, set: QuestionSet): Promise<string[][]> {
  const state = mkdtempSync(join(tmpdir(), 'kotodama-bench-'))
  const worker = await startBenchWorker(state)
  try {
    for (let at = 0; at < set.lines.length; at += PAGE) {
      const page = set.lines.slice(at, at + PAGE).map((line) => JSON.stringify(line))
      await worker.post('/import', page.join('\n'))
    }
    const folded = await askAll(worker, set)
    await worker.post('/unfold', '')
    const apart = await askAll(worker, set)
    const tags = [...new Set(set.questions.map(({ tag }) => tag))]
    return tags.map((tag) => {
      const ofTag = (_: Asked, at: number) => set.questions[at]?.tag === tag
      return figures([shortName(name), tag].filter(Boolean).join(' '), apart.filter(ofTag), folded.filter(ofTag))
    })
  } finally {
    await worker.dispose()
    rmSync(state, { recursive: true, force: true })
  }
}

async function askAll(worker: BenchWorker, set: QuestionSet): Promise<Asked[]> {
  const random = randomFrom(Number(values.typos))
  const asked: Asked[] = []
  for (const { text, answers } of set.questions) {
    const query = values.typos === undefined ? text : misspelt(text, random)
    const found = (await worker.post('/find', JSON.stringify({ query, top_k: 10 }))) as Found
    asked.push({
      ...qualityOf(
        found.rowsFound.map((row) => set.idOf(row)),
        answers,
      ),
      found,
    })
  }
  return asked
}

function figures(name: string, apart: readonly Asked[], folded: readonly Asked[]): string[] {
  const quality = (of: (one: Asked) => number, asked = apart) => mean(asked.map(of)).toFixed(4)
  return [
    name,
    String(apart.length),
    quality((one) => one.ndcg),
    quality((one) => one.recall),
    quality((one) => one.reciprocalRank),
    quality((one) => one.ndcg, folded),
    median(folded.map(({ found }) => found.ms)).toFixed(1),
    String(median(folded.map(({ found }) => found.rows))),
    String(Math.max(...folded.map(({ found }) => found.roundTrips))),
    String(Math.round(mean(folded.map(({ found }) => found.chars)))),
  ]
}

function shortName(file: string): string {
  return file.replace(/^.*\//, '').replace(/\.json$/, '')
}
