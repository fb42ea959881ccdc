/** Reachability of commits in the index, over the parents that are stored with them. */
import { listReached } from '../../../documents/releases/commit-graph.ts'
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
  const stored = new Set([...shas].filter((sha) => commits.has(sha)))
  const parentsOf = (sha: string): readonly string[] => (commits.get(sha) ?? []).filter((parent) => stored.has(parent))
  return Array.from(listReached(parentsOf, [...stored]), ({ sha }) => sha)
}
