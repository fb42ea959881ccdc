/** A comment on an issue or pull request. */
import { commentTitle, PROSE, threadEntity, type DocumentSpec } from '../document-spec.ts'

export const issueComment: DocumentSpec<'issue_comment'> = {
  ...PROSE,
  idPrefix: 'ic',
  identity: ['comment_id'],
  required: ['number'],
  optional: [],
  anchor: ({ identity }) => ({ kind: 'comment', type: identity.type, id: identity.commentId }),
  entity: ({ number }) => threadEntity(number),
  exactKeys: ({ identity }) => [{ kind: 'comment', type: identity.type, id: identity.commentId }],
  shownTitle: commentTitle,
  webPath: ({ number, commentId }) => `issues/${number}#issuecomment-${commentId}`,
}
