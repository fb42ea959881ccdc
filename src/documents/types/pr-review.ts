/** A review of a pull request. Many have a verdict but no text, so the verdict is indexed with the title. */
import { commentTitle, PROSE, threadEntity, type DocumentSpec } from '../document-spec.ts'

export const prReview: DocumentSpec<'pr_review'> = {
  ...PROSE,
  idPrefix: 'pv',
  identity: ['review_id'],
  required: ['number'],
  optional: ['review_state'],
  anchor: ({ identity }) => ({ kind: 'comment', type: identity.type, id: identity.reviewId }),
  entity: ({ number }) => threadEntity(number),
  exactKeys: ({ identity }) => [{ kind: 'comment', type: identity.type, id: identity.reviewId }],
  indexedTitle: ({ title = '', reviewState = '' }) => `${title} ${reviewState}`,
  shownTitle: commentTitle,
  webPath: ({ number, reviewId }) => `pull/${number}#pullrequestreview-${reviewId}`,
}
