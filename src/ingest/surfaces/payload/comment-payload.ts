/**
 * Comments on issues, and comments on lines of pull requests. Those of bots and
 * those that say nothing have no document. The line and the commit of a review
 * comment are the ones it was written on: the others move with later commits.
 */
import { z } from 'zod'
import type { RepositoryName } from '../../../documents/document.ts'
import { saysNothing } from './says-nothing.ts'
import { idPart, isBot, makeDocument, textPart, timePart, urlPart, userPart, type ReadItem } from './payload-parts.ts'

/** The number at the end of the address of an issue or pull request. */
const threadNumber = z.string().transform((url, context) => {
  const digits = /\/(?:issues|pulls?)\/(\d{1,15})$/.exec(url)?.[1]
  if (digits === undefined) context.addIssue({ code: 'custom', message: 'not the address of a thread' })
  return Number(digits ?? 0)
})

const common = {
  id: idPart,
  body: textPart,
  html_url: urlPart,
  user: userPart,
  created_at: timePart,
  updated_at: timePart,
  author_association: textPart,
}

export const issueCommentPayload = z.object({ ...common, issue_url: threadNumber })

export const reviewCommentPayload = z.object({
  ...common,
  pull_request_url: threadNumber,
  path: textPart,
  original_line: z.int().nonnegative().nullish(),
  original_commit_id: textPart,
  diff_hunk: textPart,
})

export function readIssueComment(payload: z.infer<typeof issueCommentPayload>, repository: RepositoryName): ReadItem {
  return readComment('issue_comment', payload, { number: payload.issue_url }, repository)
}

export function readReviewComment(payload: z.infer<typeof reviewCommentPayload>, repository: RepositoryName): ReadItem {
  const fields = {
    number: payload.pull_request_url,
    file_path: payload.path,
    line: payload.original_line,
    commit_sha: payload.original_commit_id,
    diff_hunk: payload.diff_hunk,
  }
  return readComment('pr_review_comment', payload, fields, repository)
}

function readComment(
  type: 'issue_comment' | 'pr_review_comment',
  payload: Omit<z.infer<typeof issueCommentPayload>, 'issue_url'>,
  own: Readonly<Record<string, unknown>>,
  repository: RepositoryName,
): ReadItem {
  const { id, body, user } = payload
  const times = { createdAt: payload.created_at, updatedAt: payload.updated_at }
  const item: ReadItem = { identity: { type, commentId: id }, ...times }
  if (isBot(user) || saysNothing(body ?? '')) return item
  const fields = {
    ...own,
    comment_id: id,
    url: payload.html_url,
    author: user?.login,
    author_association: payload.author_association,
  }
  return { ...item, document: makeDocument(type, fields, times, { repository, body }) }
}
