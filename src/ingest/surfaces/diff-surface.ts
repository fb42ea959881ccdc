/**
 * The commits that the default branch leads to, and the patches of their files.
 * The first round lists all of them, later ones compare the new head with the old
 * one. Order and place come from parents, never from dates. A lap lists all of
 * them again and finds every commit of the index that the branch does not lead
 * to.
 */
import type { PathRules } from '../../documents/paths/path-rules.ts'
import type { GitHubResult } from '../../github/github.ts'
import { readNext } from './commits/commit-files.ts'
import type { CommitWalk, DiffPosition } from './commits/commit-position.ts'
import { walkCommits } from './commits/commit-walk.ts'
import { areRulesRead, toRules } from './commits/rule-files.ts'
import { placeReleases } from './commits/placed-releases.ts'
import type { Step, SurfaceContext, SurfaceSpec } from './surface.ts'
import { readHead, readPolledHead, type BranchHead } from './trees/branch-head.ts'

export const diffSurface: SurfaceSpec = {
  surface: 'diff',
  poll: pollDiffs,
  lap: lapDiffs,
  // A release may have changed without a commit.
  readAgain: async ({ rows }) => ({ ok: true, value: { changes: await placeReleases(rows) } }),
}

async function pollDiffs(context: SurfaceContext, stored: unknown): Promise<GitHubResult<Step>> {
  const position = (stored ?? {}) as DiffPosition
  if (position.walk !== undefined) return walkCommits(context, { ...position, walk: position.walk })
  const result = await readHead(context, 'diff', position.head)
  if (!result.ok) return result
  const head = result.value
  const from = position.head?.commit
  if (position.head !== undefined && from === head.commit) {
    const { unread = [] } = position
    if (unread.length > 0 && areRulesRead(position.rules, head.tree ?? '')) {
      return readUnread(context, { ...position, head }, unread, toRules(position.rules))
    }
    return { ok: true, value: { changes: [], position: { ...position, head }, ended: true } }
  }
  return { ok: true, value: begin(position, toWalk(head, from)) }
}

/** A commit that was set aside is tried again; while it fails, the fault of the surface is its fault. */
async function readUnread(
  context: SurfaceContext,
  position: DiffPosition & { readonly head: BranchHead },
  unread: readonly string[],
  rules: PathRules,
): Promise<GitHubResult<Step>> {
  const walk = { ...toWalk(position.head, undefined), listed: true, todo: unread }
  const read = await readNext(context, walk, rules)
  if (!read.ok && read.fault.kind !== 'spent') return read
  const { changes, walk: next } = read.ok ? read.value : { changes: [], walk }
  return { ok: true, value: { changes, position: { ...position, walk: next }, ended: false } }
}

async function lapDiffs(context: SurfaceContext, stored: unknown): Promise<GitHubResult<Step>> {
  const position = (stored ?? {}) as DiffPosition
  const { walk } = position
  const polled = await readPolledHead(context, 'diff')
  const isPinned = walk !== undefined && (walk.listed !== true || walk.polled === polled)
  if (isPinned) return walkCommits(context, { ...position, walk })
  const result = await readHead(context, 'diff', undefined)
  if (!result.ok) return result
  const { lost: _, ...kept } = walk ?? {}
  const next = { ...toWalk(result.value, undefined), ...kept, head: result.value, lap: true as const }
  return { ok: true, value: begin(position, polled === undefined ? next : { ...next, polled }) }
}

function toWalk(head: BranchHead, from: string | undefined): CommitWalk {
  const walk = { head, page: 1, todo: [], done: 0 }
  // A repository without commits leads to none: what the old head led to is lost.
  if (head.commit === undefined) return { ...walk, listed: true, ...(from !== undefined && { former: [from] }) }
  return { ...walk, ...(from !== undefined && { from }) }
}

function begin(position: DiffPosition, walk: CommitWalk): Step {
  return { changes: [], position: { ...position, walk }, ended: false }
}
