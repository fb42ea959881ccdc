/**
 * Which commits are still to be read, and which rows have become those of
 * commits nothing leads to. New commits come first, then what earlier runs left
 * unread.
 */
import { findCommits, findIndependent, listCommits, listLost } from '../git/git-reader.ts'
import type { Run } from '../git/git-command.ts'
import type { GitCheckout } from './checkout.ts'
import type { ImportPosition, Range } from './position.ts'

export interface CommitFilter {
  /** Milliseconds UTC; commits before it are passed over. */
  readonly sinceMs: number | undefined
  /** A shallow clone's last commits: what they changed is not known here. */
  readonly boundary: ReadonlySet<string>
  /** Commits nothing leads to any more. */
  readonly lost: ReadonlySet<string>
}

export interface CommitPlan {
  /** Where the reading stands before its first commit. */
  readonly position: ImportPosition
  readonly filter: CommitFilter
  /** Commits whose rows are to be removed. */
  readonly dropped: readonly string[]
  /** Commits of HEAD's history that count. */
  readonly total: number
  /** Commits of all ranges that count and are not read. */
  readonly work: number
}

/** Tips beyond these are forgotten: what only they led to is read again should HEAD go there. */
const MAX_TIPS = 8
const MAX_RANGES = 6
const MAX_REMAINS = 50

export async function planCommits(
  checkout: GitCheckout,
  head: string,
  before: ImportPosition,
  sinceMs: number | undefined,
): Promise<CommitPlan> {
  const { run, boundary, shallow } = checkout
  const usable = await usablePosition(checkout, before)
  const others = [...usable.tips, ...usable.drop, ...usable.ranges.map(({ from }) => from)]
  const suspects = [...new Set(others)].filter((id) => id !== head)
  const lost = new Set((await listLost(run, suspects)).lost)
  const lostTips = usable.tips.filter((tip) => lost.has(tip))
  const drop = [...new Set([...usable.drop, ...lostTips])]
  // What a lost tip led to and is still there has been read all the same.
  const { boundary: remains } = await listLost(run, lostTips)
  const kept = usable.tips.filter((tip) => !lost.has(tip))
  const tips = await findIndependent(run, [...kept, ...remains.slice(0, MAX_REMAINS)])
  const position: ImportPosition = {
    ...usable,
    drop,
    ...(await withHead(run, head, tips.slice(0, MAX_TIPS), usable.ranges)),
    ...(shallow === undefined ? {} : { shallow }),
  }
  const filter = { sinceMs, boundary, lost }
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

/** Puts what HEAD leads to and no tip does first in the row, and HEAD among the tips. */
async function withHead(
  run: Run,
  head: string,
  tips: readonly string[],
  ranges: readonly Range[],
): Promise<Pick<ImportPosition, 'tips' | 'ranges'>> {
  if (ranges.length >= MAX_RANGES) return { tips: [head], ranges: [{ from: head, not: [], skip: 0 }] }
  const others = (await findIndependent(run, [head, ...tips])).filter((tip) => tip !== head)
  if (tips.includes(head)) return { tips: [head, ...others], ranges }
  return { tips: [head, ...others], ranges: [{ from: head, not: tips, skip: 0 }, ...ranges] }
}

/** Whether a commit is to be read. */
export function counts(commit: { readonly sha: string; readonly committedAt: number }, filter: CommitFilter): boolean {
  if (filter.sinceMs !== undefined && commit.committedAt < filter.sinceMs) return false
  return !filter.boundary.has(commit.sha) && !filter.lost.has(commit.sha)
}

/** The position as far as this repository can still follow it. */
async function usablePosition({ run, shallow }: GitCheckout, before: ImportPosition): Promise<ImportPosition> {
  const { shallow: shallowBefore, ...position } = before
  const named = [...position.tips, ...position.drop, ...position.ranges.flatMap(({ from, not }) => [from, ...not])]
  const found = await findCommits(run, [...new Set(named)])
  const here = (ids: readonly string[]): string[] => ids.filter((id) => found.has(id))
  const broken = position.ranges.some(({ from, not }) => here([from, ...not]).length < not.length + 1)
  // Deepened or cut anew: other commits follow, and documents have other dates.
  const recut = shallowBefore !== shallow
  if (!broken && !recut) return { ...position, drop: here(position.drop), tips: here(position.tips) }
  const { docs, ...rest } = position
  const drop = here([...position.drop, ...position.tips, ...position.ranges.map(({ from }) => from)])
  return { ...rest, ...(docs !== undefined && !recut ? { docs } : {}), drop, tips: [], ranges: [] }
}

function isWhole({ from, not, skip }: Range, head: string): boolean {
  return from === head && not.length === 0 && skip === 0
}

async function countCommits({ run }: GitCheckout, range: Range, filter: CommitFilter): Promise<number> {
  let at = 0
  let count = 0
  for await (const commit of listCommits(run, range.from, range.not)) {
    if (at >= range.skip && counts(commit, filter)) count += 1
    at += 1
  }
  return count
}
