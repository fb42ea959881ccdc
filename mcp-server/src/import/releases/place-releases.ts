/**
 * Places releases in the history, by ancestry and never by dates: the release
 * before each, the commits between them, and the commits that it was the first
 * to contain. One git command reads the history, and all else is computed.
 */
import type { Run } from '../../git/git-command.ts'
import { listAncestry } from '../../git/git-reader.ts'
import type { Tag } from '../../git/tags.ts'
import { readGraph, type CommitGraph } from './commit-graph.ts'
import { findFirstReleases } from './first-releases.ts'
import { readReach, type Reach } from './reach.ts'
import { compareOfOneCommit, compareReleases, toOrderedTag, type OrderedTag } from './tag-order.ts'

export interface Placement {
  readonly tag: Tag
  /** The nearest release that is an ancestor: that with the fewest commits between. */
  readonly previousTag?: string
  /** The commit of that release. */
  readonly previousSha?: string
  /** Commits since the previous release, or all; absent where a shallow clone lacks some of them. */
  readonly commitCount?: number
  /** SHAs of the commits that it was the first to contain, newest first. Of several tags of one commit, one has them. */
  readonly released: readonly string[]
  /** SHAs of the newest commits since the previous release, newest first. */
  listNewest(limit: number): string[]
}

/** In the order of the tags. `boundary`: the last commits of a shallow clone. */
export async function placeReleases(
  run: Run,
  tags: readonly Tag[],
  boundary: ReadonlySet<string>,
): Promise<Placement[]> {
  const graph = await readGraph(listAncestry(run, [...new Set(tags.map(({ commitSha }) => commitSha))]))
  const numberOf = (sha: string): number => graph.numbers.get(sha) ?? 0
  const ofCommit = new Map<number, OrderedTag[]>()
  for (const { name, commitSha } of tags) {
    const commit = numberOf(commitSha)
    const known = ofCommit.get(commit)
    if (known === undefined) ofCommit.set(commit, [toOrderedTag(name)])
    else known.push(toOrderedTag(name))
  }
  const tagged = [...ofCommit.keys()].sort((a, b) => a - b)
  const names = tagged.map((commit) => (ofCommit.get(commit) ?? []).sort(compareOfOneCommit))
  const cut = new Set([...boundary].flatMap((sha) => graph.numbers.get(sha) ?? []))
  const reach = readReach(graph, tagged, cut)
  const released = findFirstReleases(graph, tagged, reach, toRanks(names))
  const previous = tagged.map((_, index) => findPrevious(index, reach, names))
  const indexOf = new Map(tagged.map((commit, index) => [commit, index]))
  return tags.map((tag) => {
    const commit = numberOf(tag.commitSha)
    const index = indexOf.get(commit) ?? 0
    const before = previous[index]
    const [reached, reachedBefore] = [reach.counts[index] ?? 0, before === undefined ? 0 : (reach.counts[before] ?? 0)]
    const isCut = reach.cuts[index] !== (before === undefined ? 0 : reach.cuts[before])
    return {
      tag,
      ...(before === undefined ? {} : toPrevious(tag, names[before] ?? [], graph.shas[tagged[before] ?? 0])),
      ...(isCut ? {} : { commitCount: reached - reachedBefore }),
      released: names[index]?.[0]?.name === tag.name ? (released[index] ?? []) : [],
      listNewest: (limit) => listBetween(graph, commit, before === undefined ? undefined : tagged[before], limit),
    }
  })
}

/** The place of each tagged commit among all, by the first of its tags. */
function toRanks(names: readonly (readonly OrderedTag[])[]): number[] {
  const order = names.flatMap(([first], index) => (first === undefined ? [] : [{ first, index }]))
  const ranks: number[] = []
  order.sort((a, b) => compareReleases(a.first, b.first)).forEach(({ index }, rank) => (ranks[index] = rank))
  return ranks
}

/** An ancestor that reaches most leaves the fewest commits between. Of equal ones the later release counts. */
function findPrevious(index: number, reach: Reach, names: readonly (readonly OrderedTag[])[]): number | undefined {
  let best: number | undefined
  // The ancestors of a commit have larger numbers.
  for (let other = index + 1; other < names.length; other += 1) {
    if (!reach.isAncestor(other, index)) continue
    const more = (reach.counts[other] ?? 0) - (best === undefined ? 0 : (reach.counts[best] ?? 0))
    if (more > 0 || (more === 0 && isLater(names[other]?.[0], names[best ?? other]?.[0]))) best = other
  }
  return best
}

function isLater(one: OrderedTag | undefined, other: OrderedTag | undefined): boolean {
  return one !== undefined && other !== undefined && compareReleases(one, other) > 0
}

/** Of the tags of the commit before that of the same package, else the first. */
function toPrevious(
  { name }: Tag,
  before: readonly OrderedTag[],
  previousSha = '',
): { readonly previousTag: string; readonly previousSha: string } {
  const { line } = toOrderedTag(name)
  const previousTag = (before.find((tag) => tag.line === line) ?? before[0])?.name ?? ''
  return { previousTag, previousSha }
}

/** Commits that `from` reaches and `not` does not, in the order of the graph. */
function listBetween(graph: CommitGraph, from: number, not: number | undefined, limit: number): string[] {
  const [wanted, unwanted] = [new Set([from]), new Set(not === undefined ? [] : [not])]
  const found: string[] = []
  // Children come before their parents, so both sets are complete for a commit when its turn comes.
  for (let commit = from; wanted.size > 0 && found.length < limit; commit += 1) {
    const isUnwanted = unwanted.delete(commit)
    const isWanted = wanted.delete(commit) && !isUnwanted
    if (isWanted) found.push(graph.shas[commit] ?? '')
    if (!isUnwanted && !isWanted) continue
    const next = isUnwanted ? unwanted : wanted
    for (const parent of graph.parentsOf(commit)) next.add(parent)
  }
  return found
}
