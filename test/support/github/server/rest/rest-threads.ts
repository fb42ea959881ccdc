/** REST routes of issues, pull requests, comments, reviews and releases. */
import { resolveCommit } from '../../truth/git-store.ts'
import type { Release, Repository, Review, Thread } from '../../truth/world.ts'
import type { Caller, Permission } from '../access.ts'
import { compareKeys, cursorPage, numberedPage, type SortKey } from './lists.ts'
import { NOT_FOUND, restError, type RestQuery, type RestReply } from '../reply.ts'
import {
  commentJson,
  issueJson,
  labelJson,
  milestoneJson,
  pullJson,
  releaseJson,
  reviewCommentJson,
  reviewJson,
  type View,
} from './rest-json.ts'

export interface RestRequest extends RestQuery {
  readonly view: View
  readonly caller: Caller
}

export interface Route {
  /** Parts of the path; `:name` is any one part, `*` the rest. */
  readonly path: string
  /** One of them is enough. */
  readonly permissions: readonly Permission[]
  readonly answer: (request: RestRequest) => RestReply
}

interface Dated {
  readonly id: number
  readonly createdMs: number
  readonly updatedMs: number
}

function sinceOf(query: URLSearchParams): number {
  const since = query.get('since')
  return since === null ? -Infinity : Date.parse(since)
}

function keyBy(query: URLSearchParams): (item: Dated) => SortKey {
  const field = query.get('sort') === 'updated' ? 'updatedMs' : 'createdMs'
  return (item) => ({ value: item[field], id: item.id })
}

function byState(query: URLSearchParams): (thread: Thread) => boolean {
  const state = query.get('state') ?? 'open'
  return (thread) => state === 'all' || thread.state === state
}

function listIssues({ view, query, ...request }: RestRequest): RestReply {
  const { repository, world } = view
  if (!repository.hasIssues) return restError(410, 'Issues are disabled for this repo')
  const since = sinceOf(query)
  if (Number.isNaN(since)) return restError(422, 'Invalid request.\n\nInvalid input: since')
  const labels = (query.get('labels') ?? '').split(',').filter(Boolean)
  const threads = [...repository.threads.values()].filter(byState(query)).filter((thread) => {
    const names = new Set(thread.labels.map((id) => repository.labels.get(id)?.name))
    return thread.updatedMs >= since && labels.every((label) => names.has(label))
  })
  const order = { keyOf: keyBy(query), descending: query.get('direction') !== 'asc' }
  return cursorPage({ ...request, query }, threads, order, world.settings, (thread) => issueJson(view, thread))
}

/** The lists of comments are ascending by id unless `sort` says otherwise. */
function listDated<Item extends Dated>(
  request: RestRequest,
  items: Iterable<Item>,
  toJson: (view: View, item: Item) => unknown,
): RestReply {
  const { query, view } = request
  const since = sinceOf(query)
  if (Number.isNaN(since)) return restError(422, 'Invalid request.\n\nInvalid input: since')
  const keyOf = query.has('sort') ? keyBy(query) : ({ id }: Item): SortKey => ({ value: id, id })
  const ascending = query.has('sort') ? query.get('direction') === 'asc' : true
  const listed = [...items].filter(({ updatedMs }) => updatedMs >= since)
  listed.sort((a, b) => compareKeys(keyOf(a), keyOf(b)) * (ascending ? 1 : -1))
  return numberedPage(request, listed, view.world.settings, (item) => toJson(view, item))
}

/** 410 for what was deleted, 301 for what was transferred. */
function absentThread({ view }: RestRequest, number: number, kind: 'issues' | 'pulls'): RestReply {
  const { repository, world, urls } = view
  if (repository.deletedNumbers.has(number)) return restError(410, 'This issue was deleted')
  const moved = repository.transferred.get(number)
  const there = moved === undefined ? undefined : world.repositories.get(moved.repository)
  if (moved === undefined || there === undefined || there.private) return NOT_FOUND
  const url = `${urls.api}/repositories/${there.id}/${kind}/${moved.number}`
  return { ...restError(301, 'Moved Permanently', { location: url }), body: { message: 'Moved Permanently', url } }
}

function getIssue(request: RestRequest): RestReply {
  const { view, parts } = request
  const thread = view.repository.threads.get(Number(parts[1]))
  if (thread === undefined) return absentThread(request, Number(parts[1]), 'issues')
  if (!view.repository.hasIssues && thread.kind === 'issue') return restError(410, 'Issues are disabled for this repo')
  return { status: 200, body: issueJson(view, thread) }
}

function listThreadComments(request: RestRequest): RestReply {
  const { view, parts } = request
  const number = Number(parts[1])
  if (!view.repository.threads.has(number)) return absentThread(request, number, 'issues')
  const comments = [...view.repository.comments.values()].filter((comment) => comment.number === number)
  return listDated(request, comments, commentJson)
}

function pullOf({ view, parts }: RestRequest): Thread | undefined {
  const thread = view.repository.threads.get(Number(parts[1]))
  return thread?.kind === 'pull_request' ? thread : undefined
}

function listPulls(request: RestRequest): RestReply {
  const { view, query } = request
  const keyOf = keyBy(query)
  const ascending = query.has('sort') && query.get('sort') !== 'created' ? query.get('direction') !== 'desc' : false
  const sign = (query.get('direction') ?? (ascending ? 'asc' : 'desc')) === 'asc' ? 1 : -1
  const pulls = [...view.repository.threads.values()]
    .filter(({ kind }) => kind === 'pull_request')
    .filter(byState(query))
    .sort((a, b) => sign * compareKeys(keyOf(a), keyOf(b)))
  return numberedPage(request, pulls, view.world.settings, (thread) => pullJson(view, thread, false))
}

/** A pending review is shown to its author alone. */
export function listShownReviews(repository: Repository, caller: Caller, number: number): Review[] {
  return [...repository.reviews.values()]
    .filter((review) => review.number === number)
    .filter(({ submittedMs, author }) => submittedMs !== null || author === caller.grant?.login)
    .sort((a, b) => (a.submittedMs ?? Infinity) - (b.submittedMs ?? Infinity) || a.id - b.id)
}

function listReviews(request: RestRequest): RestReply {
  const { view, caller } = request
  const thread = pullOf(request)
  if (thread === undefined) return NOT_FOUND
  const reviews = listShownReviews(view.repository, caller, thread.number)
  return numberedPage(request, reviews, view.world.settings, (review) => reviewJson(view, review))
}

function getReview(request: RestRequest): RestReply {
  const { view, caller, parts } = request
  const thread = pullOf(request)
  if (thread === undefined) return NOT_FOUND
  const review = listShownReviews(view.repository, caller, thread.number).find(({ id }) => id === Number(parts[3]))
  return review === undefined ? NOT_FOUND : { status: 200, body: reviewJson(view, review) }
}

/** Comments of a pending review are part of the draft. */
function listShownReviewComments(repository: Repository) {
  return [...repository.reviewComments.values()].filter(
    ({ reviewId }) => repository.reviews.get(reviewId)?.submittedMs !== null,
  )
}

function listReleases({ caller, view, ...request }: RestRequest): RestReply {
  const { repository, world } = view
  const orderMs = (release: Release): number => release.publishedMs ?? release.createdMs
  const releases = [...repository.releases.values()]
    .filter(({ draft }) => !draft || caller.grant?.push === true)
    .sort((a, b) => orderMs(b) - orderMs(a) || b.id - a.id)
  return numberedPage(request, releases, world.settings, (release) => releaseJson(view, release))
}

function getRelease({ view, caller, parts }: RestRequest): RestReply {
  const release = view.repository.releases.get(Number(parts[1]))
  const hidden = release?.draft === true && caller.grant?.push !== true
  return release === undefined || hidden ? NOT_FOUND : { status: 200, body: releaseJson(view, release) }
}

function getReleaseByTag({ view, parts }: RestRequest): RestReply {
  const tag = parts.slice(2).join('/')
  const release = [...view.repository.releases.values()].find((one) => one.tag === tag && !one.draft)
  return release === undefined ? NOT_FOUND : { status: 200, body: releaseJson(view, release) }
}

function listPullsOfCommit(request: RestRequest): RestReply {
  const { view, parts } = request
  const sha = resolveCommit(view.repository.git, parts[1] ?? '')
  if (sha === undefined) return restError(422, `No commit found for SHA: ${parts[1]}`)
  const pulls = [...view.repository.threads.values()].filter(
    ({ kind, mergeSha, headSha }) => kind === 'pull_request' && (mergeSha === sha || headSha === sha),
  )
  return numberedPage(request, pulls, view.world.settings, (thread) => pullJson(view, thread, false))
}

/** One of a map by the id at the end of the path. */
function getById<Item>(
  listOf: (repository: Repository) => ReadonlyMap<number, Item>,
  toJson: (view: View, item: Item) => unknown,
): Route['answer'] {
  return ({ view, parts }) => {
    const item = listOf(view.repository).get(Number(parts.at(-1)))
    return item === undefined ? NOT_FOUND : { status: 200, body: toJson(view, item) }
  }
}

const THREADS: readonly Permission[] = ['issues', 'pull_requests']

export const THREAD_ROUTES: readonly Route[] = [
  { path: 'issues', permissions: ['issues'], answer: listIssues },
  {
    path: 'issues/comments',
    permissions: THREADS,
    answer: (request) => listDated(request, request.view.repository.comments.values(), commentJson),
  },
  { path: 'issues/comments/:id', permissions: THREADS, answer: getById(({ comments }) => comments, commentJson) },
  { path: 'issues/:number', permissions: THREADS, answer: getIssue },
  { path: 'issues/:number/comments', permissions: THREADS, answer: listThreadComments },
  { path: 'pulls', permissions: ['pull_requests'], answer: listPulls },
  {
    path: 'pulls/comments',
    permissions: ['pull_requests'],
    answer: (request) => listDated(request, listShownReviewComments(request.view.repository), reviewCommentJson),
  },
  {
    path: 'pulls/comments/:id',
    permissions: ['pull_requests'],
    answer: getById(
      (repository) => new Map(listShownReviewComments(repository).map((comment) => [comment.id, comment])),
      reviewCommentJson,
    ),
  },
  {
    path: 'pulls/:number',
    permissions: ['pull_requests'],
    answer: (request) => {
      const thread = pullOf(request)
      return thread === undefined ? NOT_FOUND : { status: 200, body: pullJson(request.view, thread) }
    },
  },
  { path: 'pulls/:number/reviews', permissions: ['pull_requests'], answer: listReviews },
  { path: 'pulls/:number/reviews/:id', permissions: ['pull_requests'], answer: getReview },
  { path: 'commits/:sha/pulls', permissions: ['pull_requests', 'contents'], answer: listPullsOfCommit },
  { path: 'releases', permissions: ['contents'], answer: listReleases },
  { path: 'releases/tags/*', permissions: ['contents'], answer: getReleaseByTag },
  { path: 'releases/:id', permissions: ['contents'], answer: getRelease },
  {
    path: 'labels',
    permissions: THREADS,
    answer: (request) =>
      numberedPage(request, [...request.view.repository.labels.values()], request.view.world.settings, (label) =>
        labelJson(request.view, label),
      ),
  },
  {
    path: 'milestones',
    permissions: THREADS,
    answer: (request) =>
      numberedPage(request, [...request.view.repository.milestones.values()], request.view.world.settings, (one) =>
        milestoneJson(request.view, one),
      ),
  },
]
