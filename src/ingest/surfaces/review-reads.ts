/**
 * Single reads of reviews: what a review is now, or the proof that it is gone;
 * and all reviews of a pull request again. Keys: `12` is a pull request,
 * `12/after/CURSOR` its next reviews, `12/review/34` one review, with ` absent`
 * after a 404.
 */
import type { DocumentChange } from '../../documents/document.ts'
import type { GitHubResult } from '../../github/github.ts'
import { prove } from './lists/item-proof.ts'
import { readReviews } from './lists/review-pages.ts'
import { keyOf, toCertainChange, toChanges, type ReadItem } from './payload/payload-parts.ts'
import { readReview, reviewPayload } from './payload/review-payload.ts'
import { NOTHING, pendingAbsent, splitAbsent, toNumber } from './read-again.ts'
import type { PendingRead, ReadAgain, SurfaceContext } from './surface.ts'
import { toRepositoryName } from './trees/step-results.ts'

export interface ReviewKey {
  readonly number: number
  readonly id: number
}

/** See `prove`. A pending review counts as gone. */
export function proveReview(
  context: SurfaceContext,
  { number, id }: ReviewKey,
  isSuspect: boolean,
): Promise<GitHubResult<DocumentChange | 'unproven'>> {
  const repository = toRepositoryName(context)
  const removal: DocumentChange = { remove: { identity: { type: 'pr_review', reviewId: id }, repository } }
  return prove(context, isSuspect, {
    surface: 'pr_review',
    path: `pulls/${number}/reviews/${id}`,
    payload: reviewPayload,
    removal,
    toChange(payload) {
      const item = readReview(payload, number, repository)
      return item === undefined ? removal : toCertainChange(item, repository)
    },
  })
}

export async function readReviewsAgain(context: SurfaceContext, key: string): Promise<GitHubResult<ReadAgain>> {
  const { bare, isSuspect } = splitAbsent(key)
  const [digits, part, rest] = bare.split('/')
  const number = toNumber(digits)
  if (number === undefined) return { ok: true, value: NOTHING }
  if (part === 'review') {
    const id = toNumber(rest)
    if (id === undefined) return { ok: true, value: NOTHING }
    const proven = await proveReview(context, { number, id }, isSuspect)
    if (!proven.ok) return proven
    return {
      ok: true,
      value: proven.value === 'unproven' ? pendingAbsent('pr_review', bare) : { changes: [proven.value] },
    }
  }
  const from = part === 'after' ? bare.slice(`${digits}/after/`.length) : undefined
  const pages = await readReviews(context, [from === undefined ? { number } : { number, from }])
  if (!pages.ok) return pages
  const [page] = pages.value
  if (page?.reviews === undefined) {
    return { ok: true, value: { changes: [], pending: [{ kind: 'thread', key: String(number) }] } }
  }
  const changes = page.reviews.flatMap((item) => toChanges(item, toRepositoryName(context)))
  const pending =
    page.next === undefined
      ? await listAbsent(context, number, from === undefined ? page.reviews : undefined)
      : [{ kind: 'pr_review', key: `${number}/after/${page.next}` } as const]
  return { ok: true, value: { changes, pending } }
}

/** Rows that the one page of all reviews does not have: each is read by itself. Several pages prove nothing. */
async function listAbsent(
  { rows }: SurfaceContext,
  number: number,
  reviews: readonly ReadItem[] | undefined,
): Promise<readonly PendingRead[]> {
  if (reviews === undefined) return []
  const present = new Set(reviews.filter(({ document }) => document !== undefined).map(keyOf))
  const known = await rows.listUnder([number], 'pr_review')
  const absent = known.map(keyOf).filter((id) => !present.has(id))
  return absent.map((id) => ({ kind: 'pr_review', key: `${number}/review/${id}` }))
}
