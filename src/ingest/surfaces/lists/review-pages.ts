/**
 * Reads the reviews of pull requests: many pull requests in one GraphQL query, or
 * without a credential one page of one pull request over REST. One request each.
 */
import { z } from 'zod'
import type { GitHubResult } from '../../../github/github.ts'
import { MAX_PAGE_ITEMS } from '../../limits.ts'
import type { ReadItem } from '../payload/payload-parts.ts'
import { fromReviewNode, readReview, REVIEW_FIELDS, reviewNode, reviewPayload } from '../payload/review-payload.ts'
import type { SurfaceContext } from '../surface.ts'
import { repositoryVariables, toRepositoryName } from '../trees/step-results.ts'
import { malformed } from './updated-list.ts'

/** A pull request, and where its reviews go on after an earlier page. */
export interface ReviewsOf {
  readonly number: number
  /** A cursor of GraphQL, or a page number. */
  readonly from?: string
}

export interface ReviewPage {
  readonly number: number
  /** Undefined if GitHub does not know the pull request. */
  readonly reviews: readonly ReadItem[] | undefined
  /** The next page; undefined on the last. */
  readonly next?: string
}

/** How many pull requests one request reads at most. */
export function reviewsPerRequest({ github }: SurfaceContext, batch: number): number {
  return github.hasGraphql ? batch : 1
}

/** A page for each of `wanted`, in their order. */
export function readReviews(
  context: SurfaceContext,
  wanted: readonly ReviewsOf[],
): Promise<GitHubResult<readonly ReviewPage[]>> {
  const [first] = wanted
  return context.github.hasGraphql || first === undefined ? readByGraphql(context, wanted) : readByRest(context, first)
}

const connection = z.object({
  pageInfo: z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullish() }),
  nodes: z.array(reviewNode.nullable()),
})
const pullRequestNode = z.object({ reviews: connection }).nullish()
const repositoryNode = z.object({ repository: z.record(z.string(), z.unknown()).nullish() })

async function readByGraphql(
  context: SurfaceContext,
  wanted: readonly ReviewsOf[],
): Promise<GitHubResult<readonly ReviewPage[]>> {
  const fields = wanted.map(({ number, from }, at) => {
    const after = from === undefined ? '' : `, after: $from${at}`
    const reviews = `reviews(first: ${MAX_PAGE_ITEMS}${after})`
    return `p${number}: pullRequest(number: ${number}) { ${reviews} { pageInfo { hasNextPage endCursor } nodes { ${REVIEW_FIELDS} } } }`
  })
  const cursors = wanted.flatMap(({ from }, at) => (from === undefined ? [] : [[`from${at}`, from] as const]))
  const declared = ['$owner: String!', '$name: String!', ...cursors.map(([variable]) => `$${variable}: String`)]
  const query = `query(${declared.join(', ')}) { repository(owner: $owner, name: $name) { ${fields.join(' ')} } }`
  const data = await context.github.graphql(
    query,
    { ...repositoryVariables(context), ...Object.fromEntries(cursors) },
    'pr_review',
  )
  if (!data.ok) return data
  const parsed = repositoryNode.safeParse(data.value)
  const nodes = parsed.data?.repository
  if (!nodes) return { ok: false, fault: { kind: 'fault', reason: 'GraphQL does not know the repository' } }
  const pages: ReviewPage[] = []
  for (const { number } of wanted) {
    const page = toPage(nodes[`p${number}`], number, context)
    if (page === undefined) return malformed('pr_review')
    pages.push(page)
  }
  return { ok: true, value: pages }
}

function toPage(given: unknown, number: number, context: SurfaceContext): ReviewPage | undefined {
  const parsed = pullRequestNode.safeParse(given)
  if (!parsed.success) return undefined
  if (!parsed.data) return { number, reviews: undefined }
  const { pageInfo, nodes } = parsed.data.reviews
  const payloads = nodes.flatMap((node) => (node === null ? [] : [fromReviewNode(node)]))
  if (payloads.includes(undefined)) return undefined
  const reviews = payloads.flatMap(
    (payload) => (payload && readReview(payload, number, toRepositoryName(context))) ?? [],
  )
  const next = pageInfo.hasNextPage ? (pageInfo.endCursor ?? undefined) : undefined
  return { number, reviews, ...(next !== undefined && { next }) }
}

async function readByRest(
  context: SurfaceContext,
  { number, from = '1' }: ReviewsOf,
): Promise<GitHubResult<readonly ReviewPage[]>> {
  const { github, repository } = context
  const path = `/repos/${repository.name}/pulls/${number}/reviews?per_page=${MAX_PAGE_ITEMS}&page=${from}`
  const given = await github.get(path, { surface: 'pr_review', expects: 'array' })
  if (!given.ok) return given
  const answer = given.value
  if (answer.kind === 'absent' || answer.kind === 'moved') return { ok: true, value: [{ number, reviews: undefined }] }
  const body = answer.kind === 'ok' ? (answer.body as readonly unknown[]) : []
  const parsed = z.array(reviewPayload).safeParse(body)
  if (!parsed.success) return malformed('pr_review')
  const reviews = parsed.data.flatMap((payload) => readReview(payload, number, toRepositoryName(context)) ?? [])
  const hasNext = answer.kind === 'ok' && answer.next !== undefined
  return { ok: true, value: [{ number, reviews, ...(hasNext && { next: String(Number(from) + 1) }) }] }
}
