/**
 * Reviews. GitHub has no list of them, so the pull requests of the index lead:
 * in the order of their last update, many in one GraphQL query. A query that fails
 * is asked for half as many, until the round ends. A round without a changed pull
 * request makes no request. A lap reads the reviews of all pull requests and
 * proves of each missing row that it is gone.
 */
import type { GitHubResult } from '../../github/github.ts'
import { MAX_REVIEW_BATCH, OVERLAP_MS } from '../limits.ts'
import { readUpToMs } from './lists/list-poll.ts'
import { readReviews, reviewsPerRequest, type ReviewPage, type ReviewsOf } from './lists/review-pages.ts'
import { keyOf, toChanges } from './payload/payload-parts.ts'
import { proveReview, readReviewsAgain, type ReviewKey } from './review-reads.ts'
import type { ComparedRow, RowPlace } from '../../index/ingestion/compared-rows.ts'
import type { PendingRead, Step, SurfaceContext, SurfaceSpec } from './surface.ts'
import { toRepositoryName } from './trees/step-results.ts'

interface ReviewPosition {
  /** The last pull request whose reviews were read. */
  readonly after: RowPlace
  /** In the middle of a walk: how many pull requests a query asks for. */
  readonly batch?: number
  /** Pull requests with further reviews. */
  readonly more?: readonly ReviewsOf[]
  /** In a lap: rows that no page had. */
  readonly unseen?: readonly ReviewKey[]
  /** GitHub answered 404 for the first of them. */
  readonly suspect?: boolean
}

const START: ReviewPosition = { after: { updatedAt: -1, key: 0 } }

export const reviewSurface: SurfaceSpec = {
  surface: 'pr_review',
  after: 'issue',
  poll,
  lap,
  readAgain: readReviewsAgain,
}

async function poll(context: SurfaceContext, given: unknown): Promise<GitHubResult<Step>> {
  const stored = (given as ReviewPosition | undefined) ?? START
  // Beyond the place that the list of pull requests was read to, older ones may still come.
  const readTo = readUpToMs(await context.rows.pollPosition('issue'))
  const end = Number.isFinite(readTo) ? { updatedAt: readTo - 1, key: Number.MAX_SAFE_INTEGER } : undefined
  const begins = stored.batch === undefined
  if (begins && (await listPullRequests(context, stored.after, end, 1)).length === 0) {
    return { ok: true, value: { changes: [], position: stored, ended: true } }
  }
  const position = begins ? { ...stored, after: { updatedAt: stored.after.updatedAt - OVERLAP_MS, key: 0 } } : stored
  return walk(context, position, end, false)
}

async function lap(context: SurfaceContext, given: unknown): Promise<GitHubResult<Step>> {
  const position = (given as ReviewPosition | undefined) ?? START
  const { unseen = [], more = [] } = position
  const [first, ...others] = unseen
  if (first === undefined || more.length > 0) return walk(context, position, undefined, true)
  const { suspect, ...rest } = position
  const proven = await proveReview(context, first, suspect === true)
  if (!proven.ok) return proven
  if (proven.value === 'unproven') {
    return { ok: true, value: { changes: [], position: { ...position, suspect: true }, ended: false, checked: 0 } }
  }
  return {
    ok: true,
    value: { changes: [proven.value], position: { ...rest, unseen: others }, ended: false, checked: 0 },
  }
}

/** One request for the next pull requests, or for further reviews of those before. */
async function walk(
  context: SurfaceContext,
  position: ReviewPosition,
  end: RowPlace | undefined,
  compares: boolean,
): Promise<GitHubResult<Step>> {
  const { after, batch = MAX_REVIEW_BATCH, more = [] } = position
  const limit = reviewsPerRequest(context, batch)
  const found = more.length > 0 ? [] : await listPullRequests(context, after, end, limit)
  const wanted = more.length > 0 ? more.slice(0, limit) : found.map((row) => ({ number: keyOf(row) }))
  if (wanted.length === 0) {
    return { ok: true, value: { changes: [], position: compares ? undefined : { after }, ended: true } }
  }
  const pages = await readReviews(context, wanted)
  if (!pages.ok) {
    if (pages.fault.kind !== 'fault' || limit === 1) return pages
    const smaller = { ...position, batch: Math.max(1, Math.floor(batch / 2)) }
    return { ok: true, value: { changes: [], position: smaller, ended: false } }
  }
  const last = found.at(-1)
  const next: ReviewPosition = {
    after: last === undefined ? after : { updatedAt: last.updatedAt, key: keyOf(last) },
    batch,
    more: [...more.slice(limit), ...pages.value.flatMap(toMore)],
  }
  const changes = pages.value.flatMap(({ reviews = [] }) =>
    reviews.flatMap((item) => toChanges(item, toRepositoryName(context))),
  )
  // A pull request that GitHub does not know is read by itself, which proves what became of it.
  const pending = pages.value.flatMap(({ number, reviews }): readonly PendingRead[] =>
    reviews === undefined ? [{ kind: 'thread', key: String(number) }] : [],
  )
  const step = { changes, ended: false, ...(pending.length > 0 && { pending }) }
  if (!compares) return { ok: true, value: { ...step, position: next } }
  const { checked, unseen } = await compareRows(context, position.unseen ?? [], found, pages.value)
  return { ok: true, value: { ...step, position: { ...next, unseen }, checked } }
}

function toMore({ number, next }: ReviewPage): readonly ReviewsOf[] {
  return next === undefined ? [] : [{ number, from: next }]
}

/** Rows below the pull requests that were begun, and those from before, without the reviews of these pages. */
async function compareRows(
  { rows }: SurfaceContext,
  before: readonly ReviewKey[],
  begun: readonly ComparedRow[],
  pages: readonly ReviewPage[],
): Promise<{ readonly checked: number; readonly unseen: readonly ReviewKey[] }> {
  const read = new Set(pages.flatMap(({ number, reviews }) => (reviews === undefined ? [] : number)))
  const numbers = begun.map(keyOf).filter((number) => read.has(number))
  const below = numbers.length === 0 ? [] : await rows.listUnder(numbers, 'pr_review')
  const present = new Set(
    pages.flatMap(({ reviews = [] }) => reviews.filter(({ document }) => document !== undefined).map(keyOf)),
  )
  const all = [...before, ...below.map((row) => ({ number: row.number ?? 0, id: keyOf(row) }))]
  return { checked: below.length, unseen: all.filter(({ id }) => !present.has(id)) }
}

function listPullRequests(
  { rows }: SurfaceContext,
  after: RowPlace,
  end: RowPlace | undefined,
  limit: number,
): Promise<readonly ComparedRow[]> {
  return rows.listBetween(['pull_request'], after, end, limit)
}
