/**
 * The commits that tags reach, held as numbers. A commit has a smaller number
 * than its parents, and otherwise a smaller one than older commits.
 */
import type { CommitParents } from '../../git/git-reader.ts'

export interface CommitGraph {
  /** By number. */
  readonly shas: readonly string[]
  readonly numbers: ReadonlyMap<string, number>
  /** Numbers of the parents. */
  parentsOf(commit: number): Int32Array
}

/** `commits`: each before its parents, and every parent among them. */
export async function readGraph(commits: AsyncIterable<CommitParents>): Promise<CommitGraph> {
  // A parent is named before it is listed: ids are given when a SHA is first met, numbers when it is listed.
  const ids = new Map<string, number>()
  const idOf = (sha: string): number => {
    const known = ids.get(sha)
    if (known !== undefined) return known
    ids.set(sha, ids.size)
    return ids.size - 1
  }
  const shas: string[] = []
  const numberOfId: number[] = []
  const starts: number[] = []
  const parentIds: number[] = []
  for await (const { sha, parents } of commits) {
    numberOfId[idOf(sha)] = shas.length
    shas.push(sha)
    starts.push(parentIds.length)
    for (const parent of parents) parentIds.push(idOf(parent))
  }
  starts.push(parentIds.length)
  const parents = Int32Array.from(parentIds, (id) => numberOfId[id] ?? 0)
  for (const [sha, id] of ids) ids.set(sha, numberOfId[id] ?? 0)
  return { shas, numbers: ids, parentsOf: (commit) => parents.subarray(starts[commit], starts[commit + 1]) }
}
