/**
 * GraphQL: a query is run by a real executor over a part of GitHub's schema.
 * Errors are answered with status 200, as GitHub does; a query for too much at
 * once ends as its time-out, a 502 of HTML.
 */
import { execute, Kind, parse, validate, visit, type DocumentNode, type GraphQLError } from 'graphql'
import { toTime, type World } from '../../truth/world.ts'
import { limitHeaders, limitMessage, limitState, windowOf, type Access, type Caller } from '../access.ts'
import { restError, type RestReply } from '../reply.ts'
import type { Json } from '../rest/rest-json.ts'
import { urlsOf } from '../urls.ts'
import { actor, repository } from './graphql-objects.ts'
import { SCHEMA } from './graphql-schema.ts'

export function answerGraphql(
  world: World,
  access: Access,
  { caller, origin, body }: { readonly caller: Caller; readonly origin: string; readonly body: string },
): RestReply {
  if (caller.grant === undefined) {
    // GitHub's limits of anonymous callers are 0 here, though it is not a limit that refuses them.
    const none = { 'x-ratelimit-limit': '0', 'x-ratelimit-remaining': '0', 'x-ratelimit-resource': 'graphql' }
    return restError(401, 'This endpoint requires you to be authenticated.', none)
  }
  const request = readRequest(body)
  if (request === undefined) return restError(400, 'Problems parsing JSON')
  const state = limitState(world, access, caller, 'graphql')
  const headers = (): Record<string, string> => limitHeaders(world, access, caller, 'graphql')
  if (state.remaining === 0) {
    const error = { type: 'RATE_LIMITED', message: limitMessage(caller) }
    return { status: 200, headers: headers(), body: { errors: [error] } }
  }
  let document: DocumentNode
  try {
    document = parse(request.query)
  } catch (error) {
    return { status: 200, headers: headers(), body: { errors: [{ message: String((error as Error).message) }] } }
  }
  const invalid = validate(SCHEMA, document)
  if (invalid.length > 0) return { status: 200, headers: headers(), body: { errors: invalid.map(toErrorJson) } }
  const { connections, heavy } = measure(document)
  if (heavy > world.settings.maxGraphqlNodes) {
    return { status: 502, headers: { 'content-type': 'text/html' }, text: '<html><body>502 Bad Gateway</body></html>' }
  }
  const cost = Math.max(1, Math.round(connections / 100))
  windowOf(world, access, caller, 'graphql').used += cost
  const scope = { world, urls: urlsOf(world, origin), caller }
  const rateLimit = (): Json => {
    const { limit, used, remaining, reset } = limitState(world, access, caller, 'graphql')
    return { cost, limit, used, remaining, nodeCount: connections, resetAt: toTime(reset * 1000) }
  }
  const viewer = (): Json | null => actor(scope, caller.grant?.login ?? null)
  const rootValue = {
    rateLimit,
    viewer,
    repository: (args: { owner: string; name: string }) => repository(scope, args),
  }
  const result = execute({ schema: SCHEMA, document, rootValue, variableValues: request.variables })
  if (result instanceof Promise) throw new Error('no resolver waits')
  const errors = result.errors?.map(toErrorJson)
  return {
    status: 200,
    headers: headers(),
    body: { ...(result.data !== undefined && { data: result.data }), ...(errors !== undefined && { errors }) },
  }
}

function readRequest(body: string): { query: string; variables: Record<string, unknown> } | undefined {
  try {
    const { query, variables } = JSON.parse(body) as { query?: unknown; variables?: Record<string, unknown> }
    return typeof query === 'string' ? { query, variables: variables ?? {} } : undefined
  } catch {
    return undefined
  }
}

/** How GitHub writes an error: its type stands beside the message. */
function toErrorJson({ message, path, locations, extensions }: GraphQLError): Json {
  const { type } = extensions
  return { ...(type !== undefined && { type }), ...(path !== undefined && { path }), locations, message }
}

/** Connections of a query, and the things in it that cost time: aliased numbers and objects. */
function measure(document: DocumentNode): { connections: number; heavy: number } {
  const counts = { connections: 0, heavy: 0 }
  const costly = new Set(['pullRequest', 'issue', 'object', 'history', 'issueOrPullRequest'])
  visit(document, {
    [Kind.FIELD](node) {
      if (node.arguments?.some(({ name }) => name.value === 'first') === true) counts.connections++
      if (costly.has(node.name.value)) counts.heavy++
    },
  })
  return counts
}
