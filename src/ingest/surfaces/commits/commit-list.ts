/**
 * One page of the commits of a walk: of everything that the pinned commit leads
 * to, newest first, or of a comparison with the commit that was read before.
 * Commits in the index are not read again. A merge is put from the list; of
 * every other commit the files are to be read.
 */
import type { DocumentChange } from '../../../documents/document.ts'
import type { GitHubResult } from '../../../github/github.ts'
import { faultOf, repositoryPath, unexpectedAnswer } from '../trees/step-results.ts'
import type { SurfaceContext } from '../surface.ts'
import { toCommitDocument } from './commit-documents.ts'
import type { CommitWalk } from './commit-position.ts'
import { toCommitRecord, type CommitRecord } from './commit-record.ts'

/** GitHub gives no more. */
const COMMITS_A_PAGE = 100

interface ListedCommits {
  readonly changes: readonly DocumentChange[]
  readonly walk: CommitWalk
  /** Commits that were compared with the index. */
  readonly checked: number
}

/** Undefined when the pinned commit is gone. */
export async function listPage(
  context: SurfaceContext,
  walk: CommitWalk,
): Promise<GitHubResult<ListedCommits | undefined>> {
  const { head, from, page } = walk
  const pages = `per_page=${COMMITS_A_PAGE}&page=${page}`
  const base = repositoryPath(context)
  const path =
    from === undefined
      ? `${base}/commits?sha=${head.commit}&${pages}`
      : `${base}/compare/${from}...${head.commit}?${pages}`
  const result = await context.github.get(path, { surface: 'diff', expects: from === undefined ? 'array' : 'object' })
  if (!result.ok) {
    const isUnknown = from !== undefined && result.fault.kind === 'refused' && [404, 422].includes(result.fault.status)
    return isUnknown ? { ok: true, value: { changes: [], walk: listAll(walk), checked: 0 } } : result
  }
  const answer = result.value
  if (answer.kind === 'absent' || answer.kind === 'empty') {
    // GitHub does not know the old commit any more, or both have no common ancestor.
    return { ok: true, value: from === undefined ? undefined : { changes: [], walk: listAll(walk), checked: 0 } }
  }
  if (answer.kind !== 'ok') return unexpectedAnswer(answer, 'the list of commits')
  const comparison = from === undefined ? undefined : (answer.body as Record<string, unknown>)
  const values = comparison === undefined ? answer.body : comparison['commits']
  if (!Array.isArray(values)) return faultOf('the comparison of two commits has no list of commits')
  const records: CommitRecord[] = []
  for (const value of values) {
    const record = toCommitRecord(value)
    if (record === undefined) return faultOf('the list of commits has one without SHA, message or parents')
    records.push(record)
  }
  const isRewritten = comparison !== undefined && comparison['status'] !== 'ahead'
  const next: CommitWalk = {
    ...walk,
    page: page + 1,
    ...(answer.next === undefined && { listed: true }),
    ...(isRewritten && from !== undefined && { former: [from] }),
  }
  return { ok: true, value: await compare(context, next, records) }
}

/** Everything is listed; what only the old commit leads to is lost. */
function listAll({ from, ...walk }: CommitWalk): CommitWalk {
  return { ...walk, page: 1, ...(from !== undefined && { former: [from] }) }
}

async function compare(
  context: SurfaceContext,
  walk: CommitWalk,
  records: readonly CommitRecord[],
): Promise<ListedCommits> {
  const known = await context.rows.findCommits(records.map(({ sha }) => sha))
  const missing = records.filter(({ sha, parents }) => {
    const stored = known.get(sha)
    // The import of a shallow clone does not know the parents of its last commits.
    return stored === undefined || stored.join() !== parents.join()
  })
  const [merges, others] = [
    missing.filter(({ parents }) => parents.length > 1),
    missing.filter(({ parents }) => parents.length <= 1),
  ]
  return {
    changes: merges.map((record) => ({ put: toCommitDocument(record, undefined, context) })),
    walk: { ...walk, todo: [...walk.todo, ...others.map(({ sha }) => sha)], done: walk.done + merges.length },
    checked: records.length,
  }
}
