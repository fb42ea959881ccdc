/**
 * Plans the commits of an import: ranges of unread commits, newest first and
 * then those that earlier runs left unread, and lost commits, which neither HEAD
 * nor any branch or tag reaches and whose rows are removed.
 */
import { findCommits, findIndependent, listCommits, listLost } from '../../git/git-reader.ts'
import type { Run } from '../../git/git-command.ts'
import type { GitCheckout } from './checkout.ts'
import { MAX_RANGES, MAX_REMAINS, MAX_TIPS } from '../limits.ts'
import type { CommitRange, ImportPosition } from './position.ts'

export interface CommitFilter {
  /** Milliseconds UTC; earlier commits are skipped. */
  readonly sinceMs: number | undefined
  /** Lost commits. */
  readonly lost: ReadonlySet<string>
}

export interface CommitPlan {
  /** The position before the first commit. */
  readonly position: ImportPosition
  readonly filter: CommitFilter
  /** Lost commits whose rows are removed. */
  readonly dropped: readonly string[]
  /** Commits in HEAD's history that the filter accepts. */
  readonly total: number
  /** Unread commits of all ranges that the filter accepts. */
  readonly work: number
}

export async function planCommits(
  checkout: GitCheckout,
  head: string,
  before: ImportPosition,
  sinceMs: number | undefined,
): Promise<CommitPlan> {
  const { run, shallow } = checkout
  const usable = await usablePosition(checkout, before)
  const others = [...usable.tips, ...usable.drop, ...usable.ranges.map(({ from }) => from)]
  const mayBeLost = [...new Set(others)].filter((id) => id !== head)
  const lost = new Set((await listLost(run, mayBeLost)).lost)
  const lostTips = usable.tips.filter((tip) => lost.has(tip))
  const drop = [...new Set([...usable.drop, ...lostTips])]
  // Parents of lost commits that are not lost were read too, so they are tips.
  const { boundary: remains } = await listLost(run, lostTips)
  const kept = usable.tips.filter((tip) => !lost.has(tip))
  const tips = await findIndependent(run, [...kept, ...remains.slice(0, MAX_REMAINS)])
  const position: ImportPosition = {
    ...usable,
    drop,
    ...(await withHead(run, head, tips.slice(0, MAX_TIPS), usable.ranges)),
    ...(shallow === undefined ? {} : { shallow }),
  }
  const filter = { sinceMs, lost }
  const all = { from: head, not: [], skip: 0 }
  const total = await countCommits(checkout, all, filter)
  const counts = await Promise.all(
    position.ranges.map((range) => (isWhole(range, head) ? total : countCommits(checkout, range, filter))),
  )
  return {
    position,
    filter,
    dropped: (await listLost(run, drop)).lost,
    total,
    work: counts.reduce((sum, count) => sum + count, 0),
  }
}

/** Adds HEAD to the tips, and in front of the ranges one with the commits that only HEAD reaches. */
async function withHead(
  run: Run,
  head: string,
  tips: readonly string[],
  ranges: readonly CommitRange[],
): Promise<Pick<ImportPosition, 'tips' | 'ranges'>> {
  if (ranges.length >= MAX_RANGES) return { tips: [head], ranges: [{ from: head, not: [], skip: 0 }] }
  const others = (await findIndependent(run, [head, ...tips])).filter((tip) => tip !== head)
  if (tips.includes(head)) return { tips: [head, ...others], ranges }
  return { tips: [head, ...others], ranges: [{ from: head, not: tips, skip: 0 }, ...ranges] }
}

/** True for a commit that is read. */
export function isWanted(
  commit: { readonly sha: string; readonly committedAt: number },
  filter: CommitFilter,
): boolean {
  if (filter.sinceMs !== undefined && commit.committedAt < filter.sinceMs) return false
  return !filter.lost.has(commit.sha)
}

/** The part of a position whose commits this repository still has. */
async function usablePosition({ run, shallow }: GitCheckout, before: ImportPosition): Promise<ImportPosition> {
  const { shallow: shallowBefore, ...position } = before
  const named = [...position.tips, ...position.drop, ...position.ranges.flatMap(({ from, not }) => [from, ...not])]
  const found = await findCommits(run, [...new Set(named)])
  const present = (ids: readonly string[]): string[] => ids.filter((id) => found.has(id))
  const broken = position.ranges.some(({ from, not }) => present([from, ...not]).length < not.length + 1)
  // A shallow clone that was deepened or cut again has other commits, and other dates of documents.
  const recut = shallowBefore !== shallow
  if (!broken && !recut) return { ...position, drop: present(position.drop), tips: present(position.tips) }
  const { docs, ...rest } = position
  const drop = present([...position.drop, ...position.tips, ...position.ranges.map(({ from }) => from)])
  return { ...rest, ...(docs !== undefined && !recut ? { docs } : {}), drop, tips: [], ranges: [] }
}

function isWhole({ from, not, skip }: CommitRange, head: string): boolean {
  return from === head && not.length === 0 && skip === 0
}

async function countCommits({ run }: GitCheckout, range: CommitRange, filter: CommitFilter): Promise<number> {
  let at = 0
  let count = 0
  for await (const commit of listCommits(run, range.from, range.not)) {
    if (at >= range.skip && isWanted(commit, filter)) count += 1
    at += 1
  }
  return count
}
