/**
 * Groups the hits of a search into the things that its rows show: a commit with
 * its diffs, a thread, a file with its diffs, or every hit by itself.
 */
import { documentOf } from '../fts/chunk-number.ts'
import type { CommitLookup } from '../index/documents/read-documents.ts'
import type { ChunkPlace } from '../index/words/candidates.ts'
import { aggregate } from '../ranking/documents/aggregate.ts'
import type { Group } from '../ranking/documents/aggregate.ts'
import type { HybridPlan } from './plan/plan.ts'

/** The key of the thing that a row is about. */
export function thingOf(group: HybridPlan['group']): (place: ChunkPlace) => string {
  switch (group) {
    case 'auto':
      return (place) => (place.commitSha === null ? place.entity : `${repositoryOf(place)}:${place.commitSha}`)
    case 'file':
      return ({ entity }) => entity
    case 'none':
      return ({ chunk }) => String(documentOf(chunk))
  }
}

/** Groups in order of rank, or of the time of their newest rows, which then come first in them. The others are in order of rank. */
export function toGroups<Hit extends ChunkPlace & { readonly document: number; readonly rank: number }>(
  { group, sort }: HybridPlan,
  hits: readonly Hit[],
): Group<Hit>[] {
  if (sort === 'relevance') return aggregate(hits, thingOf(group))
  const timeOf = (hit: Hit) => (sort === 'created_desc' ? hit.createdAt : hit.updatedAt)
  const newestFirst = hits.toSorted((a, b) => timeOf(b) - timeOf(a) || b.document - a.document)
  return aggregate(newestFirst, thingOf(group)).map(({ first, others }) => ({ first, others: byRank(others) }))
}

/** The documents of a group, best first. */
export function membersOf<Hit extends { readonly rank: number }>({ first, others }: Group<Hit>): readonly Hit[] {
  return byRank([first, ...others])
}

function byRank<Hit extends { readonly rank: number }>(hits: readonly Hit[]): Hit[] {
  return hits.toSorted((a, b) => a.rank - b.rank)
}

/** The commit that a group is about, with its best document; undefined for a group about something else. */
export function commitOf<Hit extends ChunkPlace & { readonly document: number; readonly rank: number }>(
  plan: HybridPlan,
  group: Group<Hit>,
): Omit<CommitLookup, 'withFiles'> | undefined {
  const { first, others } = group
  if (plan.group !== 'auto' || first.commitSha === null) return undefined
  const { document } = others.reduce((best, hit) => (hit.rank < best.rank ? hit : best), first)
  return { document, repository: repositoryOf(first), sha: first.commitSha }
}

/** An entity is the key of a repository, a colon and a name within it. */
function repositoryOf({ entity }: ChunkPlace): number {
  return Number(entity.slice(0, entity.indexOf(':')))
}
