/** Reachability of commits in the index, over the parents that are stored with them. */
import type { SurfaceRows } from '../surface.ts'

/** Parents by SHA. */
export type StoredCommits = ReadonlyMap<string, readonly string[]>

export async function readStoredCommits(rows: SurfaceRows): Promise<StoredCommits> {
  return new Map((await rows.listCommits()).map(({ sha, parents }) => [sha, parents]))
}

/** Commits that `from` lead to, themselves included, also those that are not stored. Children come before the parents found through them. */
export function reachedFrom(commits: StoredCommits, from: readonly string[]): Set<string> {
  const reached = new Set(from)
  // A set yields what is added while it is walked.
  for (const sha of reached) for (const parent of commits.get(sha) ?? []) reached.add(parent)
  return reached
}

/** The stored ones among `shas`, each before its parents. */
export function childrenFirst(commits: StoredCommits, shas: ReadonlySet<string>): string[] {
  const children = new Map([...shas].flatMap((sha) => (commits.has(sha) ? [[sha, 0] as [string, number]] : [])))
  for (const sha of children.keys()) {
    for (const parent of commits.get(sha) ?? []) {
      const known = children.get(parent)
      if (known !== undefined) children.set(parent, known + 1)
    }
  }
  const ordered = [...children].flatMap(([sha, count]) => (count === 0 ? [sha] : []))
  for (const sha of ordered) {
    for (const parent of commits.get(sha) ?? []) {
      const left = (children.get(parent) ?? 0) - 1
      if (!children.has(parent)) continue
      children.set(parent, left)
      if (left === 0) ordered.push(parent)
    }
  }
  return ordered
}
