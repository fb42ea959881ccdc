/** `pull_request_review`: the review as it is now. */
import { z } from 'zod'
import { idPart, toChanges } from '../surfaces/payload/payload-parts.ts'
import { readReview, reviewPayload } from '../surfaces/payload/review-payload.ts'
import type { PendingRead } from '../surfaces/surface.ts'
import { NO_CHANGE, type EventReader } from './event.ts'

const payloadParts = z.object({
  action: z.unknown(),
  review: reviewPayload,
  pull_request: z.object({ number: idPart }),
})

export const readReviewEvent: EventReader = (payload, repository) => {
  const { data } = payloadParts.safeParse(payload)
  if (data === undefined) return NO_CHANGE
  const { number } = data.pull_request
  const item = readReview(data.review, number, repository)
  if (item === undefined) return NO_CHANGE
  // A later edit or dismissal without a time of its own could be an older state.
  const isUntimed = data.action !== 'submitted' && !data.review.updated_at && item.document !== undefined
  const pending: readonly PendingRead[] = isUntimed ? [{ kind: 'pr_review', key: String(number) }] : []
  return { changes: toChanges(item, repository), pending }
}
