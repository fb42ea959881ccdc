/**
 * GraphQL: a query is run by a real executor over a part of GitHub's schema.
 * Errors are answered with status 200, as GitHub does; a query for too much at
 * once ends as its time-out, a 502 of HTML.
 */
import { GraphQLError, Kind, parse, validate, execute, visit, type DocumentNode } from 'graphql'
import { isBinary, listCommitFiles } from '../truth/commit-files.ts'
import { listAncestors, resolveCommit, type GitCommit, type GitPerson } from '../truth/git-store.ts'
import {
  fullNameOf,
  personOf,
  toTime,
  type Release,
  type Repository,
  type Review,
  type ReviewComment,
  type Thread,
  type World,
} from '../truth/world.ts'
import { limitHeaders, limitMessage, limitState, mayRead, windowOf, type Access, type Caller } from './access.ts'
import { SCHEMA } from './graphql-schema.ts'
import { restError, type RestReply } from './reply.ts'
import {
  issueJson,
  pullJson,
  releaseJson,
  reviewCommentJson,
  reviewJson,
  toNodeId,
  type Json,
  type View,
} from './rest-json.ts'
import { touches } from './rest-git.ts'
import { listShownReviews } from './rest-threads.ts'
import { urlsOf, webUrlOf, type Urls } from './urls.ts'

const MAX_FIRST = 100
const MAX_NODES = 500_000
const MAX_INT = 2_147_483_647
const TEXT_BYTES = 512_000

interface Scope {
  readonly world: World
  readonly urls: Urls
  readonly caller: Caller
}

export function answerGraphql(
  world: World,
  access: Access,
  { caller, origin, body }: { readonly caller: Caller; readonly origin: string; readonly body: string },
): RestReply {
  if (caller.grant === undefined) return restError(401, 'This endpoint requires you to be authenticated.')
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

function refuse(type: string, message: string): GraphQLError {
  return new GraphQLError(message, { extensions: { type } })
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

interface Paging {
  readonly first?: number
  readonly last?: number
  readonly after?: string
}

/** A page of a connection. GitHub refuses one without bounds and one of more than 100. */
function connect<Item>(name: string, items: readonly Item[], paging: Paging, toNode: (item: Item) => unknown): Json {
  const count = paging.first ?? paging.last
  if (count === undefined) {
    throw refuse(
      'MISSING_PAGINATION_BOUNDARIES',
      `You must provide a \`first\` or \`last\` value to properly paginate the \`${name}\` connection.`,
    )
  }
  if (count > MAX_FIRST) {
    throw refuse(
      'EXCESSIVE_PAGINATION',
      `Requesting ${count} records on the \`${name}\` connection exceeds the \`first\` limit of ${MAX_FIRST} records.`,
    )
  }
  if (count < 0 || count > MAX_NODES) throw refuse('ARGUMENT_ERROR', `${name}: ${count} is out of range`)
  const after = paging.after == null ? 0 : Number(Buffer.from(paging.after, 'base64').toString().split(':')[2])
  if (!Number.isInteger(after))
    throw refuse('INVALID_CURSOR_ARGUMENTS', `\`${paging.after}\` does not appear to be a valid cursor.`)
  const from = paging.first === undefined ? Math.max(0, items.length - count) : after
  const shown = items.slice(from, from + count)
  const cursor = (at: number): string => Buffer.from(`cursor:v2:${at}`).toString('base64')
  return {
    nodes: shown.map(toNode),
    totalCount: items.length,
    pageInfo: {
      hasNextPage: from + shown.length < items.length,
      hasPreviousPage: from > 0,
      startCursor: shown.length === 0 ? null : cursor(from + 1),
      endCursor: shown.length === 0 ? null : cursor(from + shown.length),
    },
  }
}

/** Ids beyond 32 bits have only the full form. */
function ids(kind: string, id: number): Json {
  return { id: toNodeId(kind, id), databaseId: id > MAX_INT ? null : id, fullDatabaseId: String(id) }
}

/** A bot's login is without its `[bot]`. */
function actor({ world, urls }: Scope, login: string | null): Json | null {
  if (login === null) return null
  const { id, type } = personOf(world, login)
  const bare = login.replace(/\[bot\]$/, '')
  const url = `${urls.server}/${type === 'Bot' ? `apps/${bare}` : bare}`
  return {
    __typename: type,
    ...ids('U', id),
    login: bare,
    url,
    avatarUrl: `${urls.server}/avatars/u/${id}`,
    name: null,
  }
}

function repository(scope: Scope, { owner, name }: { owner: string; name: string }): Json {
  const { world, urls, caller } = scope
  const id = world.names.get(`${owner}/${name}`.toLowerCase())
  const found = id === undefined ? undefined : world.repositories.get(id)
  if (found === undefined || !mayRead(caller, found)) {
    throw refuse('NOT_FOUND', `Could not resolve to a Repository with the name '${owner}/${name}'.`)
  }
  const at = { ...scope, repository: found }
  const { git } = found
  const threads = [...found.threads.values()]
  const ref = (full: string): Json | null => {
    const sha = git.refs.get(full)
    if (sha === undefined) return null
    const [, prefix = '', short = ''] = /^(refs\/[^/]+\/)(.+)$/.exec(full) ?? []
    return { id: `REF_${full}`, name: short, prefix, target: () => gitObject(at, sha) }
  }
  const numbered = (kind: string, number: number, wanted: (thread: Thread) => boolean): Json => {
    const thread = found.threads.get(number)
    if (thread === undefined || !wanted(thread)) {
      throw refuse('NOT_FOUND', `Could not resolve to ${kind} with the number of ${number}.`)
    }
    return thread.kind === 'issue' ? issue(at, thread) : pullRequest(at, thread)
  }
  const releases = [...found.releases.values()].filter(({ draft }) => !draft || caller.grant?.push === true)
  return {
    ...ids('R', found.id),
    name: found.name,
    nameWithOwner: fullNameOf(found),
    url: webUrlOf(urls, found),
    isPrivate: found.private,
    isArchived: found.archived,
    isEmpty: git.refs.size === 0,
    hasIssuesEnabled: found.hasIssues,
    hasWikiEnabled: found.hasWiki,
    updatedAt: toTime(found.updatedMs),
    pushedAt: toTime(found.pushedMs),
    defaultBranchRef: () => ref(`refs/heads/${found.defaultBranch}`),
    ref: ({ qualifiedName }: { qualifiedName: string }) =>
      ref(qualifiedName) ?? ref(`refs/heads/${qualifiedName}`) ?? ref(`refs/tags/${qualifiedName}`),
    object: ({ oid, expression }: { oid?: string; expression?: string }) =>
      gitObject(at, oid ?? resolveExpression(found, expression ?? '') ?? ''),
    issue: ({ number }: { number: number }) => numbered('an Issue', number, ({ kind }) => kind === 'issue'),
    pullRequest: ({ number }: { number: number }) =>
      numbered('a PullRequest', number, ({ kind }) => kind === 'pull_request'),
    issueOrPullRequest: ({ number }: { number: number }) => numbered('an issue or pull request', number, () => true),
    pullRequests: (paging: Paging & PullOrder) =>
      connect('pullRequests', sortPulls(threads, paging), paging, (thread) => pullRequest(at, thread)),
    release: ({ tagName }: { tagName: string }) => {
      const one = releases.find(({ tag }) => tag === tagName)
      return one === undefined ? null : release(at, one)
    },
    releases: (paging: Paging & { orderBy?: { direction: string } }) => {
      const sign = paging.orderBy?.direction === 'ASC' ? 1 : -1
      const sorted = releases.toSorted((a, b) => sign * (a.createdMs - b.createdMs || a.id - b.id))
      return connect('releases', sorted, paging, (one) => release(at, one))
    },
  }
}

interface PullOrder {
  readonly states?: readonly string[]
  readonly orderBy?: { readonly field: string; readonly direction: string }
}

function stateOf({ mergedMs, state }: Thread): string {
  return mergedMs === null ? state.toUpperCase() : 'MERGED'
}

function sortPulls(threads: readonly Thread[], { states, orderBy }: PullOrder): Thread[] {
  const field = orderBy?.field === 'UPDATED_AT' ? 'updatedMs' : 'createdMs'
  const sign = orderBy?.direction === 'DESC' ? -1 : 1
  return threads
    .filter((thread) => thread.kind === 'pull_request' && (states?.includes(stateOf(thread)) ?? true))
    .sort((a, b) => sign * (a[field] - b[field] || a.id - b.id))
}

type At = Scope & View

/** What threads, comments and reviews share. */
function written(
  at: At,
  item: {
    readonly author: string | null
    readonly association: string
    readonly body: string | null
    readonly createdMs: number
    readonly updatedMs: number
  },
): Json {
  return {
    author: actor(at, item.author),
    authorAssociation: item.association,
    body: item.body ?? '',
    createdAt: toTime(item.createdMs),
    updatedAt: toTime(item.updatedMs),
  }
}

function issue(at: At, thread: Thread): Json {
  const { number, title } = thread
  const closedAt = thread.closedMs === null ? null : toTime(thread.closedMs)
  const url = issueJson(at, thread)['html_url']
  return {
    __typename: 'Issue',
    ...ids('I', thread.id),
    ...written(at, thread),
    number,
    title,
    url,
    closedAt,
    state: stateOf(thread),
  }
}

function pullRequest(at: At, thread: Thread): Json {
  const time = (ms: number | null): string | null => (ms === null ? null : toTime(ms))
  return {
    __typename: 'PullRequest',
    ...ids('PR', thread.id),
    ...written(at, thread),
    number: thread.number,
    title: thread.title,
    url: pullJson(at, thread, false)['html_url'],
    state: stateOf(thread),
    isDraft: thread.draft,
    merged: thread.mergedMs !== null,
    mergedAt: time(thread.mergedMs),
    closedAt: time(thread.closedMs),
    headRefOid: thread.headSha,
    headRefName: thread.headRef,
    baseRefName: thread.baseRef,
    mergeCommit: () => (thread.mergeSha === null ? null : gitObject(at, thread.mergeSha)),
    reviews: (paging: Paging & { states?: readonly string[] }) => {
      const reviews = listShownReviews(at.repository, at.caller, thread.number)
      const wanted = reviews.filter(({ state }) => paging.states?.includes(state) ?? true)
      return connect('reviews', wanted, paging, (one) => review(at, thread, one))
    },
  }
}

function review(at: At, thread: Thread, item: Review): Json {
  const submittedAt = item.submittedMs === null ? null : toTime(item.submittedMs)
  const comments = [...at.repository.reviewComments.values()].filter(({ reviewId }) => reviewId === item.id)
  return {
    ...ids('PRR', item.id),
    ...written(at, item),
    state: item.state,
    submittedAt,
    publishedAt: submittedAt,
    lastEditedAt: null,
    url: reviewJson(at, item)['html_url'],
    commit: () => gitObject(at, item.commitSha),
    pullRequest: () => pullRequest(at, thread),
    comments: (paging: Paging) => connect('comments', comments, paging, (one) => reviewComment(at, one)),
  }
}

function reviewComment(at: At, item: ReviewComment): Json {
  return {
    ...ids('PRRC', item.id),
    ...written(at, item),
    path: item.path,
    line: item.line,
    originalLine: item.originalLine,
    diffHunk: item.diffHunk,
    url: reviewCommentJson(at, item)['html_url'],
    commit: () => gitObject(at, item.commitSha),
    originalCommit: () => gitObject(at, item.originalCommitSha),
  }
}

function release(at: At, item: Release): Json {
  const commit = resolveCommit(at.repository.git, `refs/tags/${item.tag}`)
  return {
    ...ids('RE', item.id),
    name: item.name,
    tagName: item.tag,
    description: item.body,
    isDraft: item.draft,
    isPrerelease: item.prerelease,
    author: actor(at, item.author),
    createdAt: toTime(item.createdMs),
    updatedAt: toTime(item.updatedMs),
    publishedAt: item.publishedMs === null ? null : toTime(item.publishedMs),
    url: releaseJson(at, item)['html_url'],
    tagCommit: () => (commit === undefined ? null : gitObject(at, commit)),
  }
}

/** `main`, a SHA, or `main:docs/guide.md`. */
function resolveExpression({ git }: Repository, expression: string): string | undefined {
  const [, name = '', path] = /^([^:]*)(?::(.*))?$/s.exec(expression) ?? []
  const sha = git.refs.get(name) ?? git.refs.get(`refs/heads/${name}`) ?? resolveCommit(git, name)
  if (path === undefined) return sha ?? (git.trees.has(name) || git.blobs.has(name) ? name : undefined)
  let at = git.commits.get(sha ?? '')?.tree ?? name
  for (const part of path.split('/').filter(Boolean)) {
    at = git.trees.get(at)?.find((entry) => entry.name === part)?.sha ?? ''
  }
  return at
}

function gitObject(at: At, sha: string): Json | null {
  const { git } = at.repository
  const base = { id: `GIT_${sha}`, oid: sha, abbreviatedOid: sha.slice(0, 7) }
  const commit = git.commits.get(sha)
  if (commit !== undefined) return { __typename: 'Commit', ...base, ...commitFields(at, commit) }
  const bytes = git.blobs.get(sha)
  if (bytes !== undefined) {
    const binary = isBinary(git, sha)
    const isTruncated = bytes.length > TEXT_BYTES
    const text = binary ? null : new TextDecoder().decode(bytes.subarray(0, TEXT_BYTES))
    return { __typename: 'Blob', ...base, text, byteSize: bytes.length, isBinary: binary, isTruncated }
  }
  const tag = git.tags.get(sha)
  if (tag !== undefined) {
    return { __typename: 'Tag', ...base, name: sha, message: tag.message, target: () => gitObject(at, tag.target) }
  }
  const tree = git.trees.get(sha)
  if (tree === undefined) return null
  const entries = tree.map((entry) => ({
    name: entry.name,
    path: entry.name,
    type: entry.mode === '040000' ? 'tree' : entry.mode === '160000' ? 'commit' : 'blob',
    mode: Number.parseInt(entry.mode, 8),
    oid: entry.sha,
    size: git.blobs.get(entry.sha)?.length ?? 0,
    object: () => gitObject(at, entry.sha),
  }))
  return { __typename: 'Tree', ...base, entries }
}

function commitFields(at: At, commit: GitCommit): Json {
  const { git } = at.repository
  const person = ({ name, email, dateMs, login }: GitPerson): Json => ({
    name,
    email,
    date: toTime(dateMs),
    user: actor(at, login?.endsWith('[bot]') === true ? null : login),
  })
  const list = (name: string, commits: readonly GitCommit[], paging: Paging): Json =>
    connect(name, commits, paging, ({ sha }) => gitObject(at, sha))
  return {
    message: commit.message,
    messageHeadline: commit.message.split('\n', 1)[0],
    url: `${webUrlOf(at.urls, at.repository)}/commit/${commit.sha}`,
    committedDate: toTime(commit.committer.dateMs),
    authoredDate: toTime(commit.author.dateMs),
    author: person(commit.author),
    committer: person(commit.committer),
    tree: () => gitObject(at, commit.tree),
    changedFilesIfAvailable: () => listCommitFiles(git, commit).length,
    parents: (paging: Paging) =>
      list(
        'parents',
        commit.parents.flatMap((parent) => git.commits.get(parent) ?? []),
        paging,
      ),
    history: (paging: Paging & { path?: string }) => {
      const { path } = paging
      const commits = listAncestors(git, commit.sha)
      return list('history', path == null ? commits : commits.filter((one) => touches(git, one, path)), paging)
    },
    associatedPullRequests: (paging: Paging) => {
      const pulls = [...at.repository.threads.values()].filter(
        ({ kind, mergeSha, headSha }) => kind === 'pull_request' && (mergeSha === commit.sha || headSha === commit.sha),
      )
      return connect('associatedPullRequests', pulls, paging, (thread) => pullRequest(at, thread))
    },
  }
}
