/**
 * Finds the earliest release of every commit, by ancestry. Walks from children
 * to parents and carries along the tagged commits that contain a commit and of
 * which none contains another.
 */
import type { CommitGraph } from './commit-graph.ts'
import type { Reach } from './reach.ts'

/** Tagged commits that contain a commit and of which none contains another. Shared by the commits that have the same. */
interface Containers {
  /** Indexes, ascending. */
  readonly indexes: readonly number[]
  /** The one that counts as the earliest. */
  readonly best: number
}

/**
 * For each tagged commit the SHAs first released in it, newest first. `ranks`:
 * where containers do not contain each other, the one of the lowest rank counts.
 */
export function findFirstReleases(
  graph: CommitGraph,
  tagged: readonly number[],
  reach: Reach,
  ranks: readonly number[],
): string[][] {
  const released: string[][] = tagged.map(() => [])
  const indexOf = new Map(tagged.map((commit, index) => [commit, index]))
  const toContainers = (indexes: readonly number[]): Containers => ({
    indexes,
    best: indexes.reduce((best, index) => ((ranks[index] ?? 0) < (ranks[best] ?? 0) ? index : best)),
  })
  const join = (one: Containers, other: Containers): Containers => {
    if (one === other) return one
    const [ofOne, ofOther] = [without(one.indexes, other.indexes), without(other.indexes, one.indexes)]
    const isEarliestIn =
      (others: readonly number[]) =>
      (index: number): boolean =>
        !others.some((before) => reach.isAncestor(before, index))
    const keptOfOne = ofOne.filter(isEarliestIn(ofOther))
    const keptOfOther = ofOther.filter(isEarliestIn(ofOne))
    if (keptOfOther.length === 0 && keptOfOne.length === ofOne.length) return one
    if (keptOfOne.length === 0 && keptOfOther.length === ofOther.length) return other
    const kept = without(one.indexes, without(ofOne, keptOfOne))
    return toContainers([...kept, ...keptOfOther].sort((a, b) => a - b))
  }
  const containers: (Containers | undefined)[] = []
  graph.shas.forEach((sha, commit) => {
    const index = indexOf.get(commit)
    const own = index === undefined ? containers[commit] : toContainers([index])
    // Nothing asks for it again, and a long history of many branches has many.
    containers[commit] = undefined
    if (own === undefined) return
    released[own.best]?.push(sha)
    for (const parent of graph.parentsOf(commit)) {
      const known = containers[parent]
      containers[parent] = known === undefined ? own : join(known, own)
    }
  })
  return released
}

/** The numbers of one ascending list that the other one lacks. */
function without(list: readonly number[], other: readonly number[]): number[] {
  let at = 0
  return list.filter((value) => {
    while (at < other.length && (other[at] ?? 0) < value) at += 1
    return other[at] !== value
  })
}
