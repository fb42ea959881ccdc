/** A comment on a line of a pull request's diff. */
import { commentTitle, PROSE, threadEntity, type DocumentSpec } from '../document-spec.ts'

export const prReviewComment: DocumentSpec<'pr_review_comment'> = {
  ...PROSE,
  idPrefix: 'pc',
  identity: ['comment_id'],
  required: ['number'],
  optional: ['file_path', 'line', 'diff_hunk', 'commit_sha'],
  anchor: ({ identity }) => ({ kind: 'comment', type: identity.type, id: identity.commentId }),
  entity: ({ number }) => threadEntity(number),
  exactKeys: ({ identity }) => [{ kind: 'comment', type: identity.type, id: identity.commentId }],
  shownTitle: commentTitle,
  webPath: ({ number, commentId }) => `pull/${number}#discussion_r${commentId}`,
}
