/**
 * A query of the GraphQL API and the meaning of its errors. Data beside errors
 * is not used, because it may lack anything; only nodes that do not exist are
 * known to be null.
 */
import { withCustomRequest } from '@octokit/graphql'
import { fail, failBecause, wordsOf } from './fault.ts'
import type { GitHubResult } from './github.ts'
import type { Asker } from './rest.ts'
import { refuseAnswer } from './session.ts'

type Data = Readonly<Record<string, unknown>>

export async function queryGraphql(
  graphqlUrl: string,
  query: string,
  variables: Data,
  asker: Asker,
): Promise<GitHubResult<Data>> {
  const answer = await asker({
    api: 'graphql',
    expects: 'object',
    send: (client) => withCustomRequest(client).defaults({ url: graphqlUrl })(query, variables),
  })
  if (!answer.ok) return answer
  const { status, data, errors } = answer.value
  if (status !== 200) return refuseAnswer(answer.value)
  const failure = toFailure(Array.isArray(errors) ? errors : [])
  if (failure !== undefined) return failure
  if (typeof data !== 'object' || data === null) return failBecause("GitHub's answer to a query has no data")
  return { ok: true, value: data as Data }
}

/** Undefined when all errors are about nodes below the root that do not exist. */
function toFailure(errors: readonly unknown[]): GitHubResult<never> | undefined {
  const faults = errors.map((error) => ({ ...(error as { type?: unknown; message?: unknown; path?: unknown } | null) }))
  const other = faults.find(({ type }) => type !== 'NOT_FOUND')
  if (other !== undefined) {
    const reason = `GraphQL: ${wordsOf(`${String(other.type ?? 'error')} ${String(other.message ?? '')}`, undefined)}`
    const isRefusal = other.type === 'FORBIDDEN' || other.type === 'INSUFFICIENT_SCOPES'
    return isRefusal ? fail({ kind: 'refused', status: 403, reason }) : failBecause(reason)
  }
  const root = faults.find(({ path }) => !Array.isArray(path) || path.length < 2)
  if (root === undefined) return undefined
  return fail({ kind: 'refused', status: 404, reason: 'GraphQL: the repository does not exist or is out of reach' })
}
