/** Comments on lines of pull requests, from the list of the whole repository. */
import { reviewCommentPayload, readReviewComment } from './payload/comment-payload.ts'
import { pollList } from './lists/list-poll.ts'
import { lapList, type ComparedList } from './lists/range-lap.ts'
import { readAgainBy } from './read-again.ts'
import type { SurfaceSpec } from './surface.ts'
import type { z } from 'zod'

const LIST: ComparedList<z.infer<typeof reviewCommentPayload>> = {
  surface: 'pr_review_comment',
  types: ['pr_review_comment'],
  path: 'pulls/comments',
  parameters: '',
  payload: reviewCommentPayload,
  read: readReviewComment,
  identityOf: (commentId) => ({ type: 'pr_review_comment', commentId }),
}

export const reviewCommentSurface: SurfaceSpec = {
  surface: 'pr_review_comment',
  poll: (context, position) => pollList(LIST, context, position),
  lap: (context, position) => lapList(LIST, context, position),
  readAgain: readAgainBy('pr_review_comment', LIST),
}
