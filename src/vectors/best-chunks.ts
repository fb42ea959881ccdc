/**
 * Keeps the best chunk of each of the best documents during a scan. It regularly
 * drops chunks that cannot be among them, so memory does not grow with the scan.
 */
import { documentOf } from '../fts/chunk-number.ts'

export class BestChunks {
  /** A chunk with a score up to this value cannot be among the best. */
  floor = -Infinity
  /** Number of documents. */
  readonly #limit: number
  #found: { readonly chunk: number; readonly score: number }[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  add(chunk: number, score: number): void {
    this.#found.push({ chunk, score })
    if (this.#found.length >= this.#limit * 4 + 64) this.#cut()
  }

  /** The best chunks, best first; ties by number of the chunk. */
  chunks(): number[] {
    this.#cut()
    return this.#found.map(({ chunk }) => chunk)
  }

  #cut(): void {
    const documents = new Set<number>()
    const kept = this.#found
      .sort((a, b) => b.score - a.score || a.chunk - b.chunk)
      .filter(({ chunk }) => {
        const document = documentOf(chunk)
        const isFirst = !documents.has(document)
        documents.add(document)
        return isFirst
      })
      .slice(0, this.#limit)
    this.#found = kept
    if (kept.length === this.#limit) this.floor = kept.at(-1)?.score ?? -Infinity
  }
}
