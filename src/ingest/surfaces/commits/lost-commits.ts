/**
 * Commits that the default branch no longer leads to. A pull request whose head
 * or merge commit leads to a lost commit holds it, and so all that it leads to;
 * GitHub answers that for one commit at a time. Others are removed with their
 * diffs.
 */
import type { DocumentChange } from '../../../documents/document.ts'
import type { GitHubResult } from '../../../github/github.ts'
import { MAX_LISTED_COMMITS } from '../../limits.ts'
import { repositoryPath, toRemovals, unexpectedAnswer } from '../trees/step-results.ts'
import type { SurfaceContext } from '../surface.ts'
import { childrenFirst, reachedFrom, type StoredCommits } from './ancestry.ts'
import type { CommitWalk } from './commit-position.ts'

/** Lost commits that one step asks for. */
const PROBES_AT_ONCE = 10

/** The walk with the first lost commits to ask for; with none when nothing is lost. */
export function findLost(commits: StoredCommits, walk: CommitWalk): CommitWalk {
  const { head, held = [], former = [], lap } = walk
  const kept = reachedFrom(commits, [...(head.commit === undefined ? [] : [head.commit]), ...held])
  const candidates = lap === true ? [...commits.keys()] : [...reachedFrom(commits, former)]
  const all = childrenFirst(commits, new Set(candidates.filter((sha) => !kept.has(sha))))
  const lost = all.slice(0, MAX_LISTED_COMMITS)
  // Once these are removed, their parents lead on to the rest.
  const next = all.length > lost.length ? lost.flatMap((sha) => commits.get(sha) ?? []) : []
  const roots = [...former, ...next].filter((sha) => commits.has(sha) && !kept.has(sha))
  return { ...walk, lost, ...(lap === true ? {} : { former: [...new Set(roots)] }) }
}

/** Asks for the first lost commits and removes those that no pull request holds. */
export async function removeLost(
  context: SurfaceContext,
  start: CommitWalk,
): Promise<GitHubResult<{ readonly changes: readonly DocumentChange[]; readonly walk: CommitWalk }>> {
  const changes: DocumentChange[] = []
  let walk = start
  for (let count = 0; count < PROBES_AT_ONCE && (walk.lost ?? []).length > 0; count += 1) {
    const [sha = '', ...lost] = walk.lost ?? []
    const held = await isHeld(context, sha)
    if (!held.ok) return walk === start ? held : { ok: true, value: { changes, walk } }
    if (held.value) {
      // Its ancestors are held as well: the rest is found again without them.
      return { ok: true, value: { changes, walk: { ...walk, lost: [], held: [...(walk.held ?? []), sha] } } }
    }
    walk = { ...walk, lost }
    changes.push(...(await removeCommit(context, sha)))
  }
  return { ok: true, value: { changes, walk } }
}

/** Removals of everything that the index has of a commit, which need not be all of it. */
export async function removeCommit(context: SurfaceContext, sha: string | undefined): Promise<DocumentChange[]> {
  return sha === undefined ? [] : toRemovals(context, await context.rows.listOfCommit(sha))
}

async function isHeld(context: SurfaceContext, sha: string): Promise<GitHubResult<boolean>> {
  const path = `${repositoryPath(context)}/commits/${sha}/pulls?per_page=1`
  const result = await context.github.get(path, { surface: 'diff', expects: 'array' })
  // GitHub answers 422 for a commit that it does not have.
  if (!result.ok)
    return result.fault.kind === 'refused' && result.fault.status === 422 ? { ok: true, value: false } : result
  const answer = result.value
  if (answer.kind === 'absent' || answer.kind === 'empty') return { ok: true, value: false }
  if (answer.kind !== 'ok') return unexpectedAnswer(answer, `the list of pull requests of the commit ${sha}`)
  return { ok: true, value: (answer.body as readonly unknown[]).length > 0 }
}
