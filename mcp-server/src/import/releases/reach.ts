/**
 * How tagged commits reach each other and how many commits each one reaches.
 * The graph is walked once for every 32 tagged commits, each a bit of a mask.
 */
import type { CommitGraph } from './commit-graph.ts'

const BITS = 32

export interface Reach {
  /** Commits that the tagged commit at this index reaches, itself included. */
  readonly counts: readonly number[]
  /** Of them those at which the history of a shallow clone ends. */
  readonly cuts: readonly number[]
  /** True if the tagged commit `ancestor` is an ancestor of `descendant`, or the same. */
  isAncestor(ancestor: number, descendant: number): boolean
}

/** `tagged`: numbers of commits in ascending order. `boundary`: numbers of the last commits of a shallow clone. */
export function readReach(graph: CommitGraph, tagged: readonly number[], boundary: ReadonlySet<number>): Reach {
  const indexOf = new Map(tagged.map((commit, index) => [commit, index]))
  const words = Math.ceil(tagged.length / BITS)
  const containers = new Int32Array(tagged.length * words)
  const counts = tagged.map(() => 0)
  const cuts = tagged.map(() => 0)
  const add = (to: number[], word: number, mask: number, count: number): void => {
    for (let bits = mask; bits !== 0; bits &= bits - 1) {
      const index = word * BITS + (31 - Math.clz32(bits & -bits))
      to[index] = (to[index] ?? 0) + count
    }
  }
  const masks = new Int32Array(graph.shas.length)
  for (let word = 0; word < words; word += 1) {
    masks.fill(0)
    tagged.slice(word * BITS, (word + 1) * BITS).forEach((commit, bit) => {
      masks[commit] = 1 << bit
    })
    // Neighbours in the list mostly have equal masks: they are counted together.
    let [last, run] = [0, 0]
    for (let commit = tagged[word * BITS] ?? 0; commit < masks.length; commit += 1) {
      const mask = masks[commit] ?? 0
      if (mask === 0) continue
      for (const parent of graph.parentsOf(commit)) masks[parent] = (masks[parent] ?? 0) | mask
      if (mask !== last) {
        add(counts, word, last, run)
        ;[last, run] = [mask, 0]
      }
      run += 1
      if (boundary.has(commit)) add(cuts, word, mask, 1)
      const index = indexOf.get(commit)
      if (index !== undefined) containers[index * words + word] = mask
    }
    add(counts, word, last, run)
  }
  return {
    counts,
    cuts,
    isAncestor: (ancestor, descendant) =>
      (((containers[ancestor * words + Math.floor(descendant / BITS)] ?? 0) >>> (descendant % BITS)) & 1) === 1,
  }
}
