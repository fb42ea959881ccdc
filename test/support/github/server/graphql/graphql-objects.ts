/** Repositories and what is in them as objects that a query is run over. */
import { isBinary, listCommitFiles } from '../../truth/commit-files.ts'
import {
  findEntry,
  listAncestors,
  resolveCommit,
  touches,
  type GitCommit,
  type GitPerson,
} from '../../truth/git-store.ts'
import {
  findRepository,
  fullNameOf,
  personOf,
  toTime,
  type Release,
  type Repository,
  type Review,
  type ReviewComment,
  type Thread,
  type World,
  type WrittenThing,
} from '../../truth/world.ts'
import { mayRead, type Caller } from '../access.ts'
import {
  issueJson,
  pullJson,
  releaseJson,
  reviewCommentJson,
  reviewJson,
  toNodeId,
  type Json,
  type View,
} from '../rest/rest-json.ts'
import { listShownReviews } from '../rest/rest-threads.ts'
import { webUrlOf, type Urls } from '../urls.ts'
import { connect, refuse, type Paging } from './connections.ts'

const MAX_INT = 2_147_483_647
/** Bytes of a blob's text; the rest is cut. */
const TEXT_BYTES = 512_000

interface Scope {
  readonly world: World
  readonly urls: Urls
  readonly caller: Caller
}

/** Ids beyond 32 bits have only the full form. */
function ids(kind: string, id: number): Json {
  return { id: toNodeId(kind, id), databaseId: id > MAX_INT ? null : id, fullDatabaseId: String(id) }
}

/** A bot's login is without its `[bot]`. */
export function actor({ world, urls }: Scope, login: string | null): Json | null {
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

export function repository(scope: Scope, { owner, name }: { owner: string; name: string }): Json {
  const { world, urls, caller } = scope
  const found = findRepository(world, `${owner}/${name}`)
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

/** The fields that threads, comments and reviews share. */
function written(at: At, item: WrittenThing): Json {
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
  return findEntry(git, git.commits.get(sha ?? '')?.tree ?? name, path)?.sha
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
