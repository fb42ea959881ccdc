/**
 * The commit that the default branch is at. A conditional request: while the
 * branch stands still, it is the only one that files and commits need.
 */
import { isRecord } from '../../../base/json-value.ts'
import type { Surface } from '../../../base/vocabulary.ts'
import type { GitHubResult } from '../../../github/github.ts'
import { faultOf, repositoryPath, unexpectedAnswer } from './step-results.ts'
import type { SurfaceContext } from '../surface.ts'

/** A state of the default branch. Plain JSON: positions keep it. */
export interface BranchHead {
  /** Empty while the name of the default branch is unknown. */
  readonly branch: string
  /** Undefined for a repository without commits. */
  readonly commit?: string
  /** SHA of the commit's tree. */
  readonly tree?: string
  readonly etag?: string
}

/** The head now, or `known` itself while it is unchanged. */
export async function readHead(
  context: SurfaceContext,
  surface: Surface,
  known: BranchHead | undefined,
): Promise<GitHubResult<BranchHead>> {
  const { defaultBranch: branch = '' } = context.repository
  const query = branch === '' ? '' : `sha=${encodeURIComponent(branch)}&`
  const etag = known?.branch === branch ? known.etag : undefined
  const result = await context.github.get(`${repositoryPath(context)}/commits?${query}per_page=1`, {
    surface,
    expects: 'array',
    ...(etag !== undefined && { etag }),
  })
  if (!result.ok) return result
  const answer = result.value
  if (answer.kind === 'unchanged' && known !== undefined) return { ok: true, value: known }
  if (answer.kind === 'empty') return { ok: true, value: { branch } }
  if (answer.kind !== 'ok') return unexpectedAnswer(answer, `the default branch ${branch}`)
  const [first] = answer.body as readonly unknown[]
  const commit = isRecord(first) ? first : {}
  const tree = isRecord(commit['commit']) && isRecord(commit['commit']['tree']) ? commit['commit']['tree']['sha'] : ''
  // A branch has at least one commit, so an empty list is no answer.
  if (!isSha(commit['sha'])) return faultOf(`the list of commits of the default branch ${branch} has no commit`)
  return {
    ok: true,
    value: {
      branch,
      commit: commit['sha'],
      // GitHub accepts a commit where it expects a tree.
      tree: isSha(tree) ? tree : commit['sha'],
      ...(answer.etag !== undefined && { etag: answer.etag }),
    },
  }
}

/** The commit that the poll of a surface has come to or goes to; undefined before its first step. */
export async function readPolledHead({ rows }: SurfaceContext, surface: Surface): Promise<string | undefined> {
  const position = await rows.pollPosition(surface)
  const { head, walk } = (position ?? {}) as {
    readonly head?: BranchHead
    readonly walk?: { readonly head: BranchHead }
  }
  return (walk?.head ?? head)?.commit
}

/** SHA-1 or SHA-256 in hexadecimal digits. */
export function isSha(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/i.test(value)
}
