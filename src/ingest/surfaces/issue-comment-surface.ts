/** Comments on issues and pull requests, from the list of the whole repository. */
import { issueCommentPayload, readIssueComment } from './payload/comment-payload.ts'
import { pollList } from './lists/list-poll.ts'
import { lapList, type ComparedList } from './lists/range-lap.ts'
import { readAgainBy } from './read-again.ts'
import type { SurfaceSpec } from './surface.ts'
import type { z } from 'zod'

const LIST: ComparedList<z.infer<typeof issueCommentPayload>> = {
  surface: 'issue_comment',
  types: ['issue_comment'],
  path: 'issues/comments',
  parameters: '',
  payload: issueCommentPayload,
  read: readIssueComment,
  identityOf: (commentId) => ({ type: 'issue_comment', commentId }),
}

export const issueCommentSurface: SurfaceSpec = {
  surface: 'issue_comment',
  poll: (context, position) => pollList(LIST, context, position),
  lap: (context, position) => lapList(LIST, context, position),
  readAgain: readAgainBy('issue_comment', LIST),
}
