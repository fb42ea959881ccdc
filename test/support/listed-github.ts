/**
 * A GitHub of one repository in memory that implements the port: lists by update
 * and by page, single items, reviews over GraphQL and REST. It counts requests,
 * and a test may change it between any two.
 */
import { parseTime, toTime } from '../../src/base/time.ts'
import type { GitHub, GitHubFault, GitHubResult, RestAnswer } from '../../src/github/github.ts'

export const REPOSITORY = {
  id: 7,
  name: 'acme/app',
  private: false,
  defaultBranch: 'main',
  serverUrl: 'https://github.com',
}

export type Item = Record<string, unknown> & { id: number; updated_at: string }

export interface ListedGitHub extends GitHub {
  readonly threads: Map<number, Item>
  readonly comments: Map<number, Item>
  readonly reviewComments: Map<number, Item>
  /** By the number of the pull request. */
  readonly reviews: Map<number, Item[]>
  releases: Item[]
  tags: { name: string; commit: { sha: string } }[]
  /** Answers of single addresses, before all others. */
  readonly answers: Map<string, RestAnswer>
  readonly requests: string[]
  /** Runs before each request; may change the world or make the request fail. */
  before: (path: string) => GitHubFault | undefined
  /** A list says that it ends after so many items. */
  endsAfter: number
  /** Lists by update have cursors beside page numbers, and refuse far pages. */
  hasCursors: boolean
  hasGraphql: boolean
}

const text = (ms: number): string => toTime(ms)

export function thread(number: number, updatedMs: number, more: Record<string, unknown> = {}): Item {
  return {
    id: 1_000_000 + number,
    number,
    title: `Thread ${number}`,
    body: `The text of thread ${number}`,
    state: 'open',
    html_url: `https://github.com/acme/app/issues/${number}`,
    user: { login: 'mona', type: 'User' },
    labels: [],
    milestone: null,
    assignees: [],
    created_at: text(0),
    updated_at: text(updatedMs),
    author_association: 'NONE',
    ...more,
  }
}

export function pull(number: number, updatedMs: number, more: Record<string, unknown> = {}): Item {
  return thread(number, updatedMs, { pull_request: { merged_at: null }, draft: false, ...more })
}

export function comment(id: number, updatedMs: number, more: Record<string, unknown> = {}): Item {
  return {
    id,
    body: `The words of comment ${id}`,
    html_url: `https://github.com/acme/app/issues/1#issuecomment-${id}`,
    issue_url: 'https://api.github.com/repos/acme/app/issues/1',
    user: { login: 'mona', type: 'User' },
    created_at: text(0),
    updated_at: text(updatedMs),
    author_association: 'NONE',
    ...more,
  }
}

export function review(id: number, submittedMs: number, more: Record<string, unknown> = {}): Item {
  return {
    id,
    body: `Review ${id}`,
    html_url: `https://github.com/acme/app/pull/1#pullrequestreview-${id}`,
    state: 'APPROVED',
    user: { login: 'mona', type: 'User' },
    submitted_at: text(submittedMs),
    updated_at: text(submittedMs),
    author_association: 'MEMBER',
    ...more,
  }
}

export function release(id: number, tag: string, publishedMs: number, more: Record<string, unknown> = {}): Item {
  return {
    id,
    tag_name: tag,
    name: `Release ${tag}`,
    body: `Notes of ${tag}`,
    html_url: `https://github.com/acme/app/releases/tag/${tag}`,
    draft: false,
    prerelease: false,
    author: { login: 'mona', type: 'User' },
    created_at: text(publishedMs),
    published_at: text(publishedMs),
    updated_at: text(publishedMs),
    ...more,
  }
}

export function listedGitHub(): ListedGitHub {
  const world: ListedGitHub = {
    auth: 'token',
    hasGraphql: true,
    threads: new Map(),
    comments: new Map(),
    reviewComments: new Map(),
    reviews: new Map(),
    releases: [],
    tags: [],
    answers: new Map(),
    requests: [],
    before: () => undefined,
    endsAfter: Number.POSITIVE_INFINITY,
    hasCursors: false,
    async get(path, options) {
      world.requests.push(path)
      const fault = world.before(path)
      if (fault !== undefined) return { ok: false, fault }
      if (world.hasCursors && /&page=/.test(path)) {
        return { ok: false, fault: { kind: 'refused', status: 422, reason: 'use cursors' } }
      }
      return { ok: true, value: world.answers.get(path) ?? answer(world, path, options.etag) }
    },
    async graphql(query) {
      world.requests.push(query)
      const fault = world.before(query)
      return fault === undefined ? { ok: true, value: answerQuery(world, query) } : { ok: false, fault }
    },
    readWikiHead: unused,
    readWikiPageList: unused,
    readWikiPage: unused,
  }
  return world
}

async function unused(): Promise<GitHubResult<never>> {
  throw new Error('not a wiki')
}

function answer(world: ListedGitHub, path: string, etag: string | undefined): RestAnswer {
  const url = new URL(path, 'https://api.github.com')
  const [, , , , ...parts] = url.pathname.split('/')
  const route = parts.join('/')
  switch (route) {
    case '':
      return { kind: 'ok', body: { id: REPOSITORY.id } }
    case 'issues':
      return listed(world, [...world.threads.values()], url, etag)
    case 'issues/comments':
      return listed(world, [...world.comments.values()], url, etag)
    case 'pulls/comments':
      return listed(world, [...world.reviewComments.values()], url, etag)
    case 'releases':
      return paged(world, world.releases, url, etag)
    case 'tags':
      return paged(world, world.tags, url, etag)
    default:
      return single(world, parts, url)
  }
}

function single(world: ListedGitHub, parts: readonly string[], url: URL): RestAnswer {
  const [first, second = '', third, fourth] = parts
  const id = Number(third ?? second)
  const found = (item: unknown): RestAnswer =>
    item === undefined ? { kind: 'absent', status: 404 } : { kind: 'ok', body: item }
  if (first === 'issues' && second === 'comments') return found(world.comments.get(id))
  if (first === 'pulls' && second === 'comments') return found(world.reviewComments.get(id))
  if (first === 'issues' && third === undefined) return found(world.threads.get(Number(second)))
  if (first === 'issues') {
    const below = [...world.comments.values()].filter((one) => String(one['issue_url']).endsWith(`/${second}`))
    return paged(world, below, url, undefined)
  }
  const reviews = world.reviews.get(Number(second))
  if (first === 'pulls' && third === 'reviews' && fourth !== undefined) {
    return found(reviews?.find((one) => one.id === Number(fourth)))
  }
  if (first === 'pulls' && third === 'reviews') {
    return world.threads.has(Number(second)) ? paged(world, reviews ?? [], url, undefined) : found(undefined)
  }
  const tag = decodeURIComponent(parts.at(-1) ?? '')
  if (first === 'releases') return found(world.releases.find((one) => one['tag_name'] === tag && one['draft'] !== true))
  const ref = world.tags.find(({ name }) => name === tag)
  return found(ref && { object: { type: 'commit', sha: ref.commit.sha } })
}

/** Sorted by update; within one second in an order that ids do not show. */
function listed(world: ListedGitHub, items: readonly Item[], url: URL, etag: string | undefined): RestAnswer {
  const since = parseTime(url.searchParams.get('since') ?? '1970-01-01')!
  const kept = items
    .filter((item) => parseTime(item.updated_at)! >= since)
    .sort((a, b) => parseTime(a.updated_at)! - parseTime(b.updated_at)! || shuffled(a.id) - shuffled(b.id))
  const order = url.searchParams.get('direction') === 'desc' ? kept.toReversed() : kept
  return world.hasCursors ? cursorPage(order, url) : paged(world, order, url, etag)
}

/** Goes on behind an item, by its place in the order when the page was made. */
function cursorPage(items: readonly Item[], url: URL): RestAnswer {
  const [time = '', place = '0'] = (url.searchParams.get('after') ?? '').split(' ')
  const isBehind = (one: Item): boolean =>
    one.updated_at > time || (one.updated_at === time && shuffled(one.id) > Number(place))
  const behind = time === '' ? items : items.filter(isBehind)
  const body = behind.slice(0, Number(url.searchParams.get('per_page')))
  const last = body.at(-1)
  if (last === undefined || body.length === behind.length) return { kind: 'ok', body }
  const next = new URL(url)
  next.searchParams.set('after', `${last.updated_at} ${shuffled(last.id)}`)
  return { kind: 'ok', body, next: next.pathname + next.search }
}

function shuffled(id: number): number {
  return (id * 7919) % 1013
}

function paged(world: ListedGitHub, all: readonly unknown[], url: URL, etag: string | undefined): RestAnswer {
  const size = Number(url.searchParams.get('per_page'))
  const start = (Number(url.searchParams.get('page') ?? 1) - 1) * size
  const body = all.slice(start, Math.min(start + size, Math.max(world.endsAfter, start)))
  const hasNext = start + size < Math.min(all.length, world.endsAfter)
  const tag = JSON.stringify([body, hasNext])
  if (tag === etag) return { kind: 'unchanged' }
  return { kind: 'ok', body, etag: tag, ...(hasNext && { next: 'https://api.github.com/next' }) }
}

function answerQuery(world: ListedGitHub, query: string): Readonly<Record<string, unknown>> {
  const nodes: Record<string, unknown> = {}
  for (const [, number = ''] of query.matchAll(/pullRequest\(number: (\d+)\)/g)) {
    const all = world.reviews.get(Number(number)) ?? []
    const toNode = (one: Item): unknown => ({
      url: one['html_url'],
      body: one['body'],
      state: one['state'],
      submittedAt: one['submitted_at'],
      updatedAt: one.updated_at,
      authorAssociation: one['author_association'],
      author: one['user'] && toActor(one['user'] as { login: string; type: string }),
    })
    nodes[`p${number}`] = world.threads.has(Number(number))
      ? { reviews: { pageInfo: { hasNextPage: false, endCursor: null }, nodes: all.map(toNode) } }
      : null
  }
  return { repository: nodes }
}

function toActor({ login, type }: { login: string; type: string }): unknown {
  return { __typename: type, login: login.replace(/\[bot\]$/, '') }
}
