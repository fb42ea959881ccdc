/** Asks a set of questions, one after the other, and tells how good each answer is and what it cost. */
import { qualityOf, type Quality } from './quality.ts'
import { misspelt, type QuestionSet } from './question-set.ts'
import type { BenchWorker } from './runner.ts'
import type { FoundRows } from './worker.ts'

export interface AskedQuestion extends Quality {
  readonly found: FoundRows
}

/** In the order of the questions; with random numbers given, each with one slip of the keys. */
export async function askAll(
  worker: BenchWorker,
  set: QuestionSet,
  slips?: () => number,
  fusion = 'rrf',
): Promise<AskedQuestion[]> {
  const asked: AskedQuestion[] = []
  for (const { text, answers } of set.questions) {
    const query = slips === undefined ? text : misspelt(text, slips)
    const found = (await worker.post('/find', JSON.stringify({ query, top_k: 10, fusion }))) as FoundRows
    const names = found.rowsFound.map((row) => set.namesOf(row))
    asked.push({ ...qualityOf(names, answers), found })
  }
  return asked
}
