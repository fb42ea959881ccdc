/** `issue_comment`, which also carries its issue as it is now, and `pull_request_review_comment`. */
import type { DocumentChange, Identity, RepositoryName } from '../../documents/document.ts'
import {
  issueCommentPayload,
  readIssueComment,
  readReviewComment,
  reviewCommentPayload,
} from '../surfaces/payload/comment-payload.ts'
import { toCertainChange, toChanges, type ReadItem } from '../surfaces/payload/payload-parts.ts'
import { joinReadings, type EventReader } from './event.ts'
import { readThreadState } from './thread-events.ts'

export const readIssueCommentEvent: EventReader = ({ action, comment, issue }, repository) => {
  const { data } = issueCommentPayload.safeParse(comment)
  const changes = data === undefined ? [] : toCommentChanges(action, readIssueComment(data, repository), repository)
  return joinReadings(readThreadState(issue, repository), { changes, pending: [] })
}

export const readReviewCommentEvent: EventReader = ({ action, comment }, repository) => {
  const { data } = reviewCommentPayload.safeParse(comment)
  if (data === undefined) return { changes: [], pending: [] }
  return { changes: toCommentChanges(action, readReviewComment(data, repository), repository), pending: [] }
}

function toCommentChanges(action: unknown, item: ReadItem, repository: RepositoryName): readonly DocumentChange[] {
  if (action === 'deleted') return [toRemoval(item.identity, repository)]
  // Older words of it may be in the index, even of the same second.
  if (action === 'edited') return [toCertainChange(item, repository)]
  return toChanges(item, repository)
}

function toRemoval(identity: Identity, repository: RepositoryName): DocumentChange {
  return { remove: { identity, repository } }
}
