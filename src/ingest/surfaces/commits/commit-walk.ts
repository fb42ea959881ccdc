/**
 * The walk through the commits of one pinned head. Each step makes at least one
 * request and can end after it. When the list is at its end, the stored parents
 * prove that nothing is missing: a commit whose parent is not in the index sends
 * the walk on to that parent, so a list that ends early loses nothing. A commit
 * that GitHub fails to give is set aside, and does not block the others.
 */
import type { DocumentChange } from '../../../documents/document.ts'
import type { GitHubResult } from '../../../github/github.ts'
import { MAX_LISTED_COMMITS } from '../../limits.ts'
import type { Step, SurfaceContext } from '../surface.ts'
import { readStoredCommits, reachedFrom } from './ancestry.ts'
import { readCommits } from './commit-files.ts'
import { listPage } from './commit-list.ts'
import type { CommitWalk, WalkingDiffs } from './commit-position.ts'
import { findLost, removeCommit, removeLost } from './lost-commits.ts'
import { placeReleases } from './placed-releases.ts'
import { areRulesRead, readRules, toRules } from './rule-files.ts'

export async function walkCommits(context: SurfaceContext, position: WalkingDiffs): Promise<GitHubResult<Step>> {
  const { walk, rules } = position
  const { tree } = walk.head
  if (walk.todo.length > 0) {
    if (!areRulesRead(rules, tree ?? '')) {
      const read = await readRules(context, tree ?? '', rules)
      return read.ok ? { ok: true, value: toStep({ ...position, rules: read.value }, walk, []) } : read
    }
    const read = await readCommits(context, walk, toRules(rules))
    return read.ok ? { ok: true, value: toStep(position, read.value.walk, read.value.changes) } : read
  }
  if (walk.listed !== true) {
    const page = await listPage(context, walk)
    if (!page.ok) return page
    if (page.value === undefined) return { ok: true, value: await restart(context, position) }
    return { ok: true, value: toStep(position, page.value.walk, page.value.changes, page.value.checked) }
  }
  if ((walk.lost ?? []).length > 0) {
    const removed = await removeLost(context, walk)
    return removed.ok ? { ok: true, value: toStep(position, removed.value.walk, removed.value.changes) } : removed
  }
  return { ok: true, value: await close(context, position) }
}

function toStep(position: WalkingDiffs, walk: CommitWalk, changes: readonly DocumentChange[], checked = 0): Step {
  return { changes, position: { ...position, walk }, ended: false, done: walk.done, checked }
}

/** After a force push GitHub may have lost the pinned commit: the next step pins the one of now. */
async function restart(context: SurfaceContext, { walk, head, ...rest }: WalkingDiffs): Promise<Step> {
  const commit = walk.former?.[0] ?? head?.commit
  // The old head stays known, so that its commits count as lost if the next head does not lead to them.
  return {
    changes: await removeCommit(context, walk.large?.sha),
    position: { ...rest, ...(commit !== undefined && { head: { branch: head?.branch ?? '', commit } }) },
    ended: false,
  }
}

/** Compares what the head leads to with the index: asks for what is missing, then for what is lost, else ends. */
async function close(context: SurfaceContext, position: WalkingDiffs): Promise<Step> {
  const { walk, unread: _unread, ...rest } = position
  const commits = await readStoredCommits(context.rows)
  const aside = new Set(walk.aside)
  const reached = reachedFrom(commits, walk.head.commit === undefined ? [] : [walk.head.commit])
  const missing = [...reached].filter((sha) => !commits.has(sha) && !aside.has(sha))
  if (missing.length > 0) return toStep(position, { ...walk, todo: missing.slice(0, MAX_LISTED_COMMITS) }, [])
  const next = findLost(commits, walk)
  if ((next.lost ?? []).length > 0) return toStep(position, next, [])
  const changes = await placeReleases(context.rows, { commits })
  const unread = [...aside].filter((sha) => reached.has(sha) && !commits.has(sha))
  const end = { ...rest, head: walk.head, ...(unread.length > 0 && { unread }) }
  return { changes, position: end, ended: true, done: walk.done }
}
