/**
 * The plain ranking beside which ours is measured: one FTS5 table with the
 * tokenizer `porter unicode61`, every word of the question joined by OR, in the
 * order of `bm25`. Text of scripts without spaces is split into words by
 * `Intl.Segmenter` first. No filters, no exact references, no spelling.
 */
import { DatabaseSync } from 'node:sqlite'
import { misspelt, type QuestionSet } from './question-set.ts'
import { qualityOf, type Quality } from './quality.ts'
import type { BenchWorker } from './runner.ts'
import type { StoredText } from './worker.ts'

/** Results in the order of the questions, each with the same typing error as in `askAll` when `slips` is the same. */
export async function askPlainFts(worker: BenchWorker, set: QuestionSet, slips?: () => number): Promise<Quality[]> {
  const table = new PlainFts()
  try {
    for await (const { row, text } of readStoredTexts(worker)) table.add(set.namesOf(row), text)
    return set.questions.map(({ text, answers }) => {
      const query = slips === undefined ? text : misspelt(text, slips)
      return qualityOf(table.find(query, 10), answers)
    })
  } finally {
    table.close()
  }
}

/** Every document of the index, with its title, path and body as one text. */
async function* readStoredTexts(worker: BenchWorker): AsyncGenerator<StoredText> {
  for (let after = 0; ;) {
    const page = (await worker.post('/texts', JSON.stringify({ after }))) as readonly StoredText[]
    if (page.length === 0) return
    yield* page
    after = page.at(-1)!.document
  }
}

export class PlainFts {
  readonly #database = new DatabaseSync(':memory:')
  readonly #names: (readonly string[])[] = []

  constructor() {
    this.#database.exec("CREATE VIRTUAL TABLE plain USING fts5 (text, tokenize = 'porter unicode61')")
  }

  add(names: readonly string[], text: string): void {
    this.#names.push(names)
    const insert = this.#database.prepare('INSERT INTO plain (rowid, text) VALUES (?, ?)')
    insert.run(this.#names.length, spaced(text))
  }

  /** The names of the best `count` documents, best first; a word that stands twice in the question counts twice. */
  find(question: string, count: number): (readonly string[])[] {
    const words = spaced(question).match(/[\p{L}\p{M}\p{N}\p{Co}]+/gu) ?? []
    if (words.length === 0) return []
    const match = words.map((word) => `"${word}"`).join(' OR ')
    const select = this.#database.prepare('SELECT rowid FROM plain WHERE plain MATCH ? ORDER BY bm25(plain) LIMIT ?')
    return select.all(match, count).map(({ rowid }) => this.#names[Number(rowid) - 1]!)
  }

  close(): void {
    this.#database.close()
  }
}

const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]+/gu
const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' })

/** The text with a space at every border between words of a script without spaces. */
function spaced(text: string): string {
  return text.replace(UNSPACED, (run) => ` ${Array.from(segmenter.segment(run), ({ segment }) => segment).join(' ')} `)
}
