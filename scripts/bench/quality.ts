/** The quality of an ordered answer, measured against the documents that answer the question. */

export interface Quality {
  /** Discounted gain divided by the best possible: log2 discount, equal gain for every answer. */
  readonly ndcg: number
  /** Share of the answers among the first ten, of at most ten. */
  readonly recall: number
  /** 1 divided by the place of the first answer; 0 when none is among the first ten. */
  readonly reciprocalRank: number
}

/** Number of places that count. */
const DEPTH = 10

/** `found`: the names of each row, best first; an answer counts where it is first found. */
export function qualityOf(found: readonly (readonly string[])[], answers: ReadonlySet<string>): Quality {
  let [gain, ideal, hits, reciprocalRank] = [0, 0, 0, 0]
  const open = new Set(answers)
  for (const [at, names] of found.slice(0, DEPTH).entries()) {
    const answer = names.find((name) => open.has(name))
    if (answer === undefined) continue
    open.delete(answer)
    gain += 1 / Math.log2(at + 2)
    hits += 1
    reciprocalRank ||= 1 / (at + 1)
  }
  const reachable = Math.min(DEPTH, answers.size)
  for (let at = 0; at < reachable; at += 1) ideal += 1 / Math.log2(at + 2)
  return { ndcg: gain / ideal, recall: hits / reachable, reciprocalRank }
}

/** The first row that is an answer, and the name by which it is one. */
export function firstAnswer(
  found: readonly (readonly string[])[],
  answers: ReadonlySet<string>,
): { readonly at: number; readonly name: string } | undefined {
  for (const [at, names] of found.entries()) {
    const name = names.find((one) => answers.has(one))
    if (name !== undefined) return { at, name }
  }
  return undefined
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
