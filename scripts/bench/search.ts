/**
 * `npm run bench:search`: the quality of the search on questions whose answers are
 * known, through the real use case on a real index: this project's own, or with
 * `--data FILE` sets of `{docs, queries, qrels}`. Every question is asked twice:
 * with each row by itself, judged by the document, so that a diff of the right
 * commit counts only if it is the right file; and as the tool answers, judged by
 * the commit. `plain` is FTS5 without our ranking, on the same texts. Characters
 * are those of the tool's answer, and of what is read up to a document that
 * answers, where one is found. `--sets FOLDER` reads the sets of test/questions/sets
 * from clones in a folder, `--set NAME` only some of them. `--typos SEED` adds one
 * typing error to each question. With the
 * settings of an embedder in the environment every question is asked by word
 * search, by vector search and by both.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { askAll, type MeasuredQuestion, type Way } from './ask-questions.ts'
import { randomFrom } from './corpus.ts'
import { median, quantile, table } from './figures.ts'
import { mean, type Quality } from './quality.ts'
import { readOwnSet } from './own-set.ts'
import { askPlainFts } from './plain-fts.ts'
import { readQuestionSet, type QuestionSet } from './question-set.ts'
import { startBenchWorker, type BenchWorker } from './runner.ts'
import { readRepositorySets } from './sets/repository-sets.ts'

const HEADER = [
  'set',
  'questions',
  'nDCG@10',
  'Recall@10',
  'MRR',
  'plain nDCG@10',
  'plain Recall@10',
  'plain MRR',
  'by commit: nDCG',
  'Recall',
  'MRR',
  'ms',
  'rows p50',
  'trips',
  'chars p50',
  'p95',
  'to evidence p50',
  'within 2,000',
]

/** Characters within which the evidence should be. */
const NEAR_CHARS = 2_000

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
    const folded = await askAllWays(worker, set, 'auto')
    const apart = await askAllWays(worker, set, 'none')
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

async function askAllWays(worker: BenchWorker, set: QuestionSet, group: Way['group']): Promise<MeasuredQuestion[][]> {
  const ways: MeasuredQuestion[][] = []
  for (const fusion of FUSIONS) ways.push(await askAll(worker, set, { group, fusion }, slips()))
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
  const chars = folded.map(({ found }) => found.chars)
  const evidence = folded.flatMap((one) => one.evidence ?? [])
  const near = evidence.filter((end) => end <= NEAR_CHARS).length / evidence.length
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
    quality((one) => one.recall, folded),
    quality((one) => one.reciprocalRank, folded),
    median(folded.map(({ found }) => found.ms)).toFixed(1),
    String(median(folded.map(({ found }) => found.rows))),
    String(Math.max(...folded.map(({ found }) => found.roundTrips))),
    String(median(chars)),
    String(quantile(chars, 0.95)),
    String(median(evidence)),
    `${Math.round(100 * near)} %`,
  ]
}

/** The same typing errors on every call; undefined without `--typos`. */
function slips(): (() => number) | undefined {
  return values.typos === undefined ? undefined : randomFrom(Number(values.typos))
}

function shortName(file: string): string {
  return file.replace(/^.*\//, '').replace(/\.json$/, '')
}
