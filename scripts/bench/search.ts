/**
 * `npm run bench:search`: the quality of the search on questions whose answers are
 * known, through the real use case on a real index: this project's own, or with
 * `--data FILE` sets of `{docs, queries, qrels}`. Every question is asked twice:
 * with each document by itself, and as the tool answers, with rows of one entity
 * aggregated; `plain` is FTS5 without our ranking, on the same texts. `--sets FOLDER`
 * reads the sets of test/questions/sets from clones in a folder, `--set NAME` only
 * some of them. `--typos SEED` adds one typing error to each question. With the
 * settings of an embedder in the environment every question is asked by word
 * search, by vector search and by both.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { askAll, type MeasuredQuestion } from './ask-questions.ts'
import { randomFrom } from './corpus.ts'
import { median, table } from './figures.ts'
import { mean, type Quality } from './quality.ts'
import { readOwnSet } from './own-set.ts'
import { askPlainFts } from './plain-fts.ts'
import { readQuestionSet, type QuestionSet } from './question-set.ts'
import { startBenchWorker, type BenchWorker } from './runner.ts'
import { readRepositorySets } from './sets/repository-sets.ts'

const QUALITY = ['nDCG@10', 'Recall@10', 'MRR', 'plain nDCG@10', 'plain Recall@10', 'plain MRR']
const HEADER = ['set', 'questions', ...QUALITY, 'folded', 'ms', 'rows p50', 'trips', 'bytes']

/** Values of `fusion` that are measured. */
const FUSIONS = process.env['EMBEDDER_URL'] ? ['sparse_only', 'dense_only', 'rrf'] : ['rrf']

const { values } = parseArgs({
  options: {
    data: { type: 'string', multiple: true },
    sets: { type: 'string' },
    set: { type: 'string', multiple: true },
    typos: { type: 'string' },
  },
})
const rows: string[][] = []
if (values.data === undefined && values.sets === undefined) rows.push(...(await benchSet('own', await readOwnSet())))
for (const file of values.data ?? []) rows.push(...(await benchSet(file, readQuestionSet(file))))
if (values.sets !== undefined) {
  const skip = (name: string, reason: string) => console.error(`${name} is omitted: it ${reason}`)
  for await (const { name, set } of readRepositorySets(values.sets, values.set, skip)) {
    rows.push(...(await benchSet(name, set)))
  }
}
console.log(table(HEADER, rows))

async function benchSet(name: string, set: QuestionSet): Promise<string[][]> {
  const state = mkdtempSync(join(tmpdir(), 'kotodama-bench-'))
  const worker = await startBenchWorker(state)
  try {
    await set.fill(worker)
    if (FUSIONS.length > 1) await embedAll(worker)
    const folded = await askAllWays(worker, set)
    await worker.post('/unfold', '')
    const apart = await askAllWays(worker, set)
    const plain = await askPlainFts(worker, set, slips())
    const tags = [...new Set(set.questions.map(({ tag }) => tag))]
    return tags.flatMap((tag) => {
      const ofTag = (_: Quality, at: number) => set.questions[at]?.tag === tag
      return FUSIONS.map((fusion, way) => {
        const title = [shortName(name), tag, FUSIONS.length > 1 ? fusion : ''].filter(Boolean).join(' ')
        return figures(title, apart[way]!.filter(ofTag), plain.filter(ofTag), folded[way]!.filter(ofTag))
      })
    })
  } finally {
    await worker.dispose()
    rmSync(state, { recursive: true, force: true })
  }
}

/** Runs maintenance until every vector is made. */
async function embedAll(worker: BenchWorker): Promise<void> {
  for (;;) {
    const { processed, retried } = (await worker.post('/maintenance', '')) as { processed: number; retried: number }
    if (retried > 0) throw new Error(`${retried} documents have no vectors: see the embedder`)
    if (processed === 0) return
  }
}

async function askAllWays(worker: BenchWorker, set: QuestionSet): Promise<MeasuredQuestion[][]> {
  const ways: MeasuredQuestion[][] = []
  for (const fusion of FUSIONS) ways.push(await askAll(worker, set, slips(), fusion))
  return ways
}

function figures(
  name: string,
  apart: readonly MeasuredQuestion[],
  plain: readonly Quality[],
  folded: readonly MeasuredQuestion[],
): string[] {
  const quality = (of: (one: Quality) => number, questions: readonly Quality[] = apart) =>
    mean(questions.map(of)).toFixed(4)
  return [
    name,
    String(apart.length),
    quality((one) => one.ndcg),
    quality((one) => one.recall),
    quality((one) => one.reciprocalRank),
    quality((one) => one.ndcg, plain),
    quality((one) => one.recall, plain),
    quality((one) => one.reciprocalRank, plain),
    quality((one) => one.ndcg, folded),
    median(folded.map(({ found }) => found.ms)).toFixed(1),
    String(median(folded.map(({ found }) => found.rows))),
    String(Math.max(...folded.map(({ found }) => found.roundTrips))),
    String(Math.round(mean(folded.map(({ found }) => found.chars)))),
  ]
}

/** The same typing errors on every call; undefined without `--typos`. */
function slips(): (() => number) | undefined {
  return values.typos === undefined ? undefined : randomFrom(Number(values.typos))
}

function shortName(file: string): string {
  return file.replace(/^.*\//, '').replace(/\.json$/, '')
}
