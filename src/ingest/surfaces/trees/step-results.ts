/**
 * Shared by the surfaces: faults for answers that none of them can use, and the
 * repository as requests and documents name it.
 */
import { encodeUrlPath } from '../../../base/url-path.ts'
import type { DocumentChange, RepositoryName } from '../../../documents/document.ts'
import type { GitHubResult, RestAnswer } from '../../../github/github.ts'
import type { ComparedRow } from '../../../index/ingestion/compared-rows.ts'
import type { SurfaceContext } from '../surface.ts'

export function faultOf(reason: string): GitHubResult<never> {
  return { ok: false, fault: { kind: 'fault', reason } }
}

/** For an answer of a kind that the request cannot have. `what` names the thing that was requested. */
export function unexpectedAnswer(answer: RestAnswer, what: string): GitHubResult<never> {
  switch (answer.kind) {
    case 'absent':
      return { ok: false, fault: { kind: 'refused', status: answer.status, reason: `${what} is not there` } }
    case 'moved':
      return faultOf(`${what} has moved`)
    case 'empty':
      return faultOf(`${what} is not there: the repository has no commits`)
    default:
      return faultOf(`${what} has an unexpected form`)
  }
}

/** The path of the repository in the REST API. */
export function repositoryPath({ repository }: SurfaceContext): string {
  return `/repos/${encodeUrlPath(repository.name)}`
}

/** The repository in queries, and its variables. */
export function repositoryVariables({ repository }: SurfaceContext): { readonly owner: string; readonly name: string } {
  const [owner = '', name = ''] = repository.name.split('/')
  return { owner, name }
}

/** The address of a page of the repository; `path` is below that of the repository. */
export function webPage({ repository }: SurfaceContext, path: string): string {
  return `${repository.serverUrl}/${repository.name}/${path}`
}

/** The repository as documents name it. */
export function toRepositoryName({ repository }: SurfaceContext): RepositoryName {
  return { name: repository.name, id: repository.id, private: repository.private }
}

/** Removals of these rows. */
export function toRemovals(context: SurfaceContext, rows: readonly ComparedRow[]): DocumentChange[] {
  const repository = toRepositoryName(context)
  return rows.map(({ identity }) => ({ remove: { identity, repository } }))
}
