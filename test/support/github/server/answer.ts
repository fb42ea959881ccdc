/** The answer to one request of a world, without faults: REST, GraphQL, wiki and pages of the server. */
import { createHash } from 'node:crypto'
import { findRepository, fullNameOf, type Repository, type World } from '../truth/world.ts'
import {
  createInstallationToken,
  findCaller,
  findInstallation,
  limitHeaders,
  limitMessage,
  limitState,
  mayRead,
  refuseJwt,
  refusePermission,
  windowOf,
  type Access,
  type Caller,
} from './access.ts'
import { answerGraphql } from './graphql/answer-graphql.ts'
import { NOT_FOUND, restError, type RestReply } from './reply.ts'
import { COMMIT_ROUTES } from './rest/rest-commits.ts'
import { GIT_ROUTES } from './rest/rest-git.ts'
import { repositoryJson, userJson } from './rest/rest-json.ts'
import { THREAD_ROUTES, type Route } from './rest/rest-threads.ts'
import { urlsOf } from './urls.ts'
import { advertiseWiki, rawWikiFile, renderedWikiPage, wikiPageList } from './wiki-pages.ts'

export interface WorldRequest {
  readonly method: string
  /** Below the world, with its query. */
  readonly path: string
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
  /** Of the scripted server. */
  readonly origin: string
}

const ROUTES: readonly Route[] = [...THREAD_ROUTES, ...COMMIT_ROUTES, ...GIT_ROUTES]

/** `world` may be an older state than the one that limits are counted in. */
export function answerRequest(world: World, access: Access, request: WorldRequest): RestReply {
  const url = new URL(request.path, request.origin)
  const parts = url.pathname.split('/').slice(1).map(decodeURIComponent)
  if (parts[0] === 'api' && parts[1] === 'graphql') return answerGraphqlRequest(world, access, request)
  if (parts[0] === 'api' && parts[1] === 'v3') return answerRest(world, access, request, url, parts.slice(2))
  const reply = answerPage(world, request, url, parts)
  return conditional(reply, request, false)
}

function answerGraphqlRequest(
  world: World,
  access: Access,
  { method, headers, body, origin }: WorldRequest,
): RestReply {
  if (method !== 'POST') return NOT_FOUND
  const caller = findCaller(world, access, headers['authorization'])
  return 'status' in caller ? caller : answerGraphql(world, access, { caller, origin, body })
}

/** Every request counts, but not an unchanged answer to a request with a valid token. */
function answerRest(world: World, access: Access, request: WorldRequest, url: URL, parts: string[]): RestReply {
  const { authorization } = request.headers
  if (request.headers['user-agent'] === undefined) {
    return {
      status: 403,
      text: 'Request forbidden by administrative rules. Please make sure your request has a User-Agent header',
      headers: { 'content-type': 'text/html' },
    }
  }
  const appReply = answerApp(world, access, request, parts)
  if (appReply !== undefined) return appReply
  const caller = findCaller(world, access, authorization)
  if ('status' in caller) return caller
  if (parts.length === 1 && parts[0] === 'rate_limit') return rateLimit(world, access, caller)
  if (limitState(world, access, caller, 'core').remaining === 0) {
    const refusal = restError(403, limitMessage(caller))
    return { ...refusal, headers: limitHeaders(world, access, caller, 'core') }
  }
  const found = answerApi(world, caller, request, url, parts)
  const reply = conditional(found, request, true)
  const free = reply.status === 304 && caller.grant !== undefined
  if (!free) windowOf(world, access, caller, 'core').used++
  return { ...reply, headers: { ...reply.headers, ...limitHeaders(world, access, caller, 'core') } }
}

function answerApp(world: World, access: Access, request: WorldRequest, parts: string[]): RestReply | undefined {
  const { authorization } = request.headers
  const names = parts[0] === 'repos' && parts[3] === 'installation' && parts.length === 4
  if (!names && parts[0] !== 'app') return undefined
  const refusal = refuseJwt(world, access, authorization)
  if (refusal !== undefined) return refusal
  if (names) {
    const repository = findRepository(world, `${parts[1]}/${parts[2]}`)
    const installation = repository === undefined ? undefined : findInstallation(access, repository)
    if (repository === undefined || installation === undefined) return NOT_FOUND
    const account = userJson({ world, urls: urlsOf(world, request.origin) }, repository.owner)
    const body = { id: installation, account, app_id: access.app?.id, target_type: 'Organization', suspended_at: null }
    return { status: 200, body }
  }
  if (parts[1] === 'installations' && parts[3] === 'access_tokens' && request.method === 'POST') {
    return createInstallationToken(world, access, Number(parts[2]))
  }
  return parts.length === 1 ? { status: 200, body: { id: access.app?.id, slug: 'kotodama' } } : NOT_FOUND
}

function rateLimit(world: World, access: Access, caller: Caller): RestReply {
  const core = limitState(world, access, caller, 'core')
  const graphql = limitState(world, access, caller, 'graphql')
  return {
    status: 200,
    headers: limitHeaders(world, access, caller, 'core'),
    body: { resources: { core, graphql }, rate: core },
  }
}

function answerApi(world: World, caller: Caller, request: WorldRequest, url: URL, parts: string[]): RestReply {
  const urls = urlsOf(world, request.origin)
  const byName = parts[0] === 'repos'
  const name = `${parts[1]}/${parts[2]}`
  const repository = byName ? findRepository(world, name) : world.repositories.get(Number(parts[1]))
  if ((!byName && parts[0] !== 'repositories') || repository === undefined || !mayRead(caller, repository)) {
    return NOT_FOUND
  }
  const rest = parts.slice(byName ? 3 : 2)
  const tail = url.pathname
    .split('/')
    .slice(byName ? 6 : 5)
    .join('/')
  const selfUrl = `${urls.api}/repositories/${repository.id}${tail === '' ? '' : `/${tail}`}`
  if (byName && fullNameOf(repository).toLowerCase() !== name.toLowerCase()) {
    const location = selfUrl + url.search
    return { status: 301, headers: { location }, body: { message: 'Moved Permanently', url: location } }
  }
  if (request.method !== 'GET') return NOT_FOUND
  const view = { world, urls, repository }
  if (rest.length === 0) return { status: 200, body: repositoryJson(view) }
  const route = findRoute(rest)
  if (route === undefined) return NOT_FOUND
  const refusal = refusePermission(caller, repository, route.permissions)
  const accept = request.headers['accept'] ?? ''
  return refusal ?? route.answer({ view, caller, parts: rest, query: url.searchParams, selfUrl, accept })
}

/** Fixed parts win over variable ones, as `issues/comments` over `issues/:number`. */
function findRoute(parts: readonly string[]): Route | undefined {
  const matching = ROUTES.filter(({ path }) => {
    const wanted = path.split('/')
    const rest = wanted.at(-1) === '*'
    if (rest ? parts.length < wanted.length : parts.length !== wanted.length) return false
    return wanted.every((part, at) => part === '*' || part.startsWith(':') || part === parts[at])
  })
  const variables = ({ path }: Route): number => path.split('/').filter((part) => /^[:*]/.test(part)).length
  const whole = ({ path }: Route): number => (path.endsWith('*') ? 1 : 0)
  return matching.sort((a, b) => whole(a) - whole(b) || variables(a) - variables(b))[0]
}

function answerPage(world: World, { origin }: WorldRequest, url: URL, parts: string[]): RestReply {
  const urls = urlsOf(world, origin)
  const named = (owner = '', name = ''): Repository | undefined => findRepository(world, `${owner}/${name}`)
  if (parts[0] === 'raw' && parts[1] === 'wiki') {
    const repository = named(parts[2], parts[3])
    const absent: RestReply = { status: 404, text: '404: Not Found', headers: { 'content-type': 'text/plain' } }
    return repository === undefined ? absent : rawWikiFile(repository, parts.slice(4).join('/'))
  }
  const [owner, name = '', page, ...rest] = parts
  if (name.endsWith('.wiki.git') && page === 'info') {
    return advertiseWiki(named(owner, name.slice(0, -'.wiki.git'.length)), url.searchParams.get('service'))
  }
  const repository = named(owner, name)
  if (repository === undefined || repository.private) return { status: 404, text: 'Not Found' }
  if (fullNameOf(repository).toLowerCase() !== `${owner}/${name}`.toLowerCase()) {
    const location = [urls.server, fullNameOf(repository), page, ...rest].filter(Boolean).join('/')
    return { status: 301, headers: { location }, text: '' }
  }
  if (page !== 'wiki') return { status: 200, text: '<html></html>', headers: { 'content-type': 'text/html' } }
  return rest[0] === '_pages' ? wikiPageList(urls, repository) : renderedWikiPage(repository)
}

/** Adds an ETag, weak for the API, and answers 304 when the caller has it already. */
function conditional(reply: RestReply, { method, headers }: WorldRequest, weak: boolean): RestReply {
  if (reply.status !== 200 || method !== 'GET') return reply
  const content = reply.text ?? JSON.stringify(reply.body)
  const digest = createHash('sha256')
    .update(content)
    .update(reply.headers?.['link'] ?? '')
    .digest('hex')
  const etag = weak ? `W/"${digest}"` : `"${digest}"`
  const known = (headers['if-none-match'] ?? '').split(',').map((one) => one.trim().replace(/^W\//, ''))
  if (known.includes(`"${digest}"`)) return { status: 304, headers: { etag } }
  return { ...reply, headers: { ...reply.headers, etag } }
}
