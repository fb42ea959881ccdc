/** Asks a set of questions one after the other, and measures the quality and the cost of each answer. */
import { qualityOf, type Quality } from './quality.ts'
import { misspelt, type QuestionSet } from './question-set.ts'
import type { BenchWorker } from './runner.ts'
import type { FoundRows } from './worker.ts'

export interface MeasuredQuestion extends Quality {
  readonly found: FoundRows
}

/** Results in the order of the questions. With `slips`, a source of random numbers, each question has one typing error. */
export async function askAll(
  worker: BenchWorker,
  set: QuestionSet,
  slips?: () => number,
  fusion = 'rrf',
): Promise<MeasuredQuestion[]> {
  const measured: MeasuredQuestion[] = []
  for (const { text, answers } of set.questions) {
    const query = slips === undefined ? text : misspelt(text, slips)
    const found = (await worker.post('/find', JSON.stringify({ query, top_k: 10, fusion }))) as FoundRows
    const names = found.rowsFound.map((row) => set.namesOf(row))
    measured.push({ ...qualityOf(names, answers), found })
  }
  return measured
}
