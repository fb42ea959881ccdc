/**
 * The best chunks of a scan, one a document, kept while the scan goes on. What
 * can no longer be among them is let go from time to time, so that a scan of any
 * length holds little.
 */
import { documentOf } from '../fts/chunk-number.ts'

export class BestChunks {
  /** What a score must be above to matter. */
  floor = -Infinity
  readonly #limit: number
  #found: { readonly chunk: number; readonly score: number }[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  add(chunk: number, score: number): void {
    this.#found.push({ chunk, score })
    if (this.#found.length >= this.#limit * 4 + 64) this.#cut()
  }

  /** Best first; equal ones by chunk. */
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
