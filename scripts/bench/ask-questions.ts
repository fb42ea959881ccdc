/** Asks a set of questions one after the other, and measures the quality and the cost of each answer. */
import { firstAnswer, qualityOf, type Quality } from './quality.ts'
import { misspelt, type QuestionSet } from './question-set.ts'
import type { BenchWorker } from './runner.ts'
import type { FoundRow, FoundRows } from './worker.ts'

export interface MeasuredQuestion extends Quality {
  readonly found: FoundRows
  /** Characters of the answer up to the end of the name of a document that answers; undefined where none is found. */
  readonly evidence?: number
}

/** How a question is asked: every row by itself, or as the tool answers, where a commit is one row and one answer. */
export interface Way {
  readonly group: 'none' | 'auto'
  readonly fusion: string
}

/** Results in the order of the questions. With `slips`, a source of random numbers, each question has one typing error. */
export async function askAll(
  worker: BenchWorker,
  set: QuestionSet,
  way: Way,
  slips?: () => number,
): Promise<MeasuredQuestion[]> {
  const measured: MeasuredQuestion[] = []
  for (const { text, answers, things } of set.questions) {
    const query = slips === undefined ? text : misspelt(text, slips)
    const found = (await worker.post('/find', JSON.stringify({ query, top_k: 10, ...way }))) as FoundRows
    const names = found.rowsFound.map((row) => set.namesOf(row))
    const wanted = way.group === 'none' ? answers : things
    const first = firstAnswer(names, wanted)
    const evidence = first && endOfName(found, first.at, first.name)
    measured.push({ ...qualityOf(names, wanted), found, ...(evidence !== undefined && { evidence }) })
  }
  return measured
}

/** The end of the name in the row at this place, or of the field that names the row. */
function endOfName({ text, rowsFound }: FoundRows, at: number, name: string): number {
  const rows = (JSON.parse(text) as { readonly results: readonly unknown[] }).results
  let start = text.indexOf('"results":[') + '"results":['.length
  for (const row of rows.slice(0, at)) start += JSON.stringify(row).length + 1
  const json = JSON.stringify(rows[at])
  const key = [JSON.stringify(name), keyOf(rowsFound[at]!)].find((one) => json.includes(one)) ?? ''
  return start + json.indexOf(key) + key.length
}

function keyOf({ doc_path, commit_sha, file_path, number }: FoundRow): string {
  if (number !== undefined) return `"number":${number}`
  return JSON.stringify(doc_path ?? commit_sha ?? file_path ?? '')
}
