/** Edits of what is written under issues and pull requests: comments, reviews, review comments. */
import { commentJson, issueJson, pullJson, reviewCommentJson, reviewJson } from '../server/rest/rest-json.ts'
import { deliver, need, nextId, threadOf, touch, type EditContext } from './edit-context.ts'
import type { EditOf, EditResult } from './edit.ts'
import type { Review } from './world.ts'

export function comment(context: EditContext, edit: EditOf<'comment'>): EditResult {
  const thread = threadOf(context, edit.number)
  const item = { ...written(context, edit), number: edit.number }
  context.repository.comments.set(item.id, item)
  touch(context, thread)
  deliverComment(context, item.id, 'created')
  return { id: item.id, number: edit.number }
}

function written(
  context: EditContext,
  edit: { readonly body: string | null; readonly author?: string | null; readonly association?: string },
) {
  return {
    id: nextId(context.world),
    author: edit.author === undefined ? context.by : edit.author,
    association: edit.association ?? 'NONE',
    body: edit.body ?? '',
    createdMs: context.nowMs,
    updatedMs: context.nowMs,
  }
}

function deliverComment(context: EditContext, id: number, action: string, more: object = {}): void {
  const item = need(context.repository.comments.get(id), `comment ${id}`)
  const issue = issueJson(context, threadOf(context, item.number))
  deliver(context, 'issue_comment', action, { ...more, issue, comment: commentJson(context, item) })
}

export function editComment(context: EditContext, edit: EditOf<'edit_comment'>): EditResult {
  const item = need(context.repository.comments.get(edit.id), `comment ${edit.id}`)
  const changes = { body: { from: item.body } }
  item.body = edit.body
  touch(context, item)
  deliverComment(context, edit.id, 'edited', { changes })
  return { id: edit.id }
}

/** Moves no time of its thread. */
export function deleteComment(context: EditContext, edit: EditOf<'delete_comment'>): EditResult {
  deliverComment(context, edit.id, 'deleted')
  context.repository.comments.delete(edit.id)
  return { id: edit.id }
}

export function review(context: EditContext, edit: EditOf<'review'>): EditResult {
  const thread = threadOf(context, edit.number)
  if (thread.kind !== 'pull_request') throw new Error(`${edit.number} is an issue, which has no reviews`)
  const pending = edit.state === 'PENDING'
  const made = written(context, edit)
  const item: Review = {
    ...made,
    // GitHub often stamps a review a second later than its submission.
    updatedMs: made.updatedMs + (made.id % 3 === 0 ? 1000 : 0),
    number: edit.number,
    state: edit.state,
    submittedMs: pending ? null : context.nowMs,
    commitSha: thread.headSha,
  }
  context.repository.reviews.set(item.id, item)
  if (!pending) submit(context, item)
  return { id: item.id, number: edit.number }
}

function submit(context: EditContext, item: Review): void {
  touch(context, threadOf(context, item.number))
  deliverReview(context, item, 'submitted')
}

function deliverReview(context: EditContext, item: Review, action: string, more: object = {}): void {
  const pull_request = pullJson(context, threadOf(context, item.number), false)
  deliver(context, 'pull_request_review', action, { ...more, review: reviewJson(context, item, true), pull_request })
}

function reviewOf(context: EditContext, id: number): Review {
  return need(context.repository.reviews.get(id), `review ${id}`)
}

export function submitReview(context: EditContext, edit: EditOf<'submit_review'>): EditResult {
  const item = reviewOf(context, edit.id)
  if (item.state !== 'PENDING') throw new Error(`review ${edit.id} is submitted`)
  item.state = edit.state
  item.submittedMs = context.nowMs
  touch(context, item)
  submit(context, item)
  return { id: edit.id }
}

/** Moves the review's own time, which only GraphQL and webhooks give, and not the pull request's. */
export function editReview(context: EditContext, edit: EditOf<'edit_review'>): EditResult {
  const item = reviewOf(context, edit.id)
  const changes = { body: { from: item.body } }
  item.body = edit.body
  touch(context, item)
  if (item.submittedMs !== null) deliverReview(context, item, 'edited', { changes })
  return { id: edit.id }
}

export function dismissReview(context: EditContext, edit: EditOf<'dismiss_review'>): EditResult {
  const item = reviewOf(context, edit.id)
  if (item.submittedMs === null) throw new Error(`review ${edit.id} is pending`)
  item.state = 'DISMISSED'
  touch(context, item)
  touch(context, threadOf(context, item.number))
  deliverReview(context, item, 'dismissed')
  return { id: edit.id }
}

export function reviewComment(context: EditContext, edit: EditOf<'review_comment'>): EditResult {
  const thread = threadOf(context, edit.number)
  const alone = { ...edit, do: 'review', state: 'COMMENTED', body: '' } as const
  const reviewId = edit.review ?? need(review(context, alone).id, 'review')
  const line = edit.line ?? 1
  const item = {
    ...written(context, edit),
    number: edit.number,
    reviewId,
    path: edit.path ?? 'src/main.ts',
    originalLine: line,
    line,
    originalCommitSha: thread.headSha,
    commitSha: thread.headSha,
    diffHunk: edit.diffHunk ?? `@@ -${line},0 +${line} @@\n+changed`,
  }
  context.repository.reviewComments.set(item.id, item)
  if (reviewOf(context, reviewId).submittedMs !== null) {
    touch(context, thread)
    deliverReviewComment(context, item.id, 'created')
  }
  return { id: item.id, number: edit.number }
}

function deliverReviewComment(context: EditContext, id: number, action: string, more: object = {}): void {
  const item = need(context.repository.reviewComments.get(id), `review comment ${id}`)
  const pull_request = pullJson(context, threadOf(context, item.number), false)
  const comment = reviewCommentJson(context, item)
  deliver(context, 'pull_request_review_comment', action, { ...more, comment, pull_request })
}

export function editReviewComment(context: EditContext, edit: EditOf<'edit_review_comment'>): EditResult {
  const item = need(context.repository.reviewComments.get(edit.id), `review comment ${edit.id}`)
  const changes = { body: { from: item.body } }
  item.body = edit.body
  touch(context, item)
  deliverReviewComment(context, edit.id, 'edited', { changes })
  return { id: edit.id }
}

/** A review that consisted of this comment alone goes too, without a delivery. */
export function deleteReviewComment(context: EditContext, edit: EditOf<'delete_review_comment'>): EditResult {
  const { reviewComments, reviews } = context.repository
  const item = need(reviewComments.get(edit.id), `review comment ${edit.id}`)
  deliverReviewComment(context, edit.id, 'deleted')
  reviewComments.delete(edit.id)
  const parent = reviews.get(item.reviewId)
  const others = [...reviewComments.values()].some(({ reviewId }) => reviewId === item.reviewId)
  if (parent?.state === 'COMMENTED' && parent.body === '' && !others) reviews.delete(item.reviewId)
  return { id: edit.id }
}
