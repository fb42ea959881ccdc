/**
 * Reads of single threads, and of all of them. A thread that the index does not
 * have is read with its comments and reviews, because lists show them only at
 * the time of their last update. Keys: `12`, `12 absent`, `12/comments/2` and
 * `12/review-comments/2` (a page); for all threads, where the list goes on.
 */
import type { z } from 'zod'
import type { GitHubResult } from '../../github/github.ts'
import { MAX_PAGE_ITEMS } from '../limits.ts'
import {
  issueCommentPayload,
  readIssueComment,
  readReviewComment,
  reviewCommentPayload,
} from './payload/comment-payload.ts'
import { toChanges } from './payload/payload-parts.ts'
import { proveItem, type ComparedList } from './lists/range-lap.ts'
import { malformed, readItems, readListPage, type ListPlace, type UpdatedList } from './lists/updated-list.ts'
import { NOTHING, pendingAbsent, splitAbsent, toNumber, type AgainReader } from './read-again.ts'
import type { PendingRead, ReadAgain, SurfaceContext } from './surface.ts'
import { toRepositoryName } from './trees/step-results.ts'

interface CommentsOfThread<Payload> extends Pick<UpdatedList<Payload>, 'payload' | 'read'> {
  readonly surface: 'issue_comment' | 'pr_review_comment'
  /** Of the route: `issues/12/comments`. */
  readonly folder: 'issues' | 'pulls'
}

const COMMENTS: CommentsOfThread<z.infer<typeof issueCommentPayload>> = {
  surface: 'issue_comment',
  folder: 'issues',
  payload: issueCommentPayload,
  read: readIssueComment,
}

const REVIEW_COMMENTS: CommentsOfThread<z.infer<typeof reviewCommentPayload>> = {
  surface: 'pr_review_comment',
  folder: 'pulls',
  payload: reviewCommentPayload,
  read: readReviewComment,
}

export function readThreadAgain<Payload>(list: ComparedList<Payload>): AgainReader {
  return async (context, key) => {
    const { bare, isSuspect } = splitAbsent(key)
    const [digits = '', part, page = '1'] = bare.split('/')
    const number = toNumber(digits)
    if (number === undefined) return { ok: true, value: NOTHING }
    if (part === 'comments') return readComments(COMMENTS, context, number, page)
    if (part === 'review-comments') return readComments(REVIEW_COMMENTS, context, number, page)
    const proven = await proveItem(list, context, number, isSuspect)
    if (!proven.ok) return proven
    if (proven.value === 'unproven') return { ok: true, value: pendingAbsent('thread', bare) }
    const changes = [proven.value]
    if ('remove' in proven.value) return { ok: true, value: { changes } }
    const { type } = proven.value.put.identity
    const known = await Promise.all([
      context.rows.listUnder([number], 'issue'),
      context.rows.listUnder([number], 'pull_request'),
    ])
    const pending = known.flat().length > 0 ? [] : readsBelow(number, type === 'pull_request')
    return { ok: true, value: { changes, pending } }
  }
}

function readsBelow(number: number, isPullRequest: boolean): readonly PendingRead[] {
  const comments: PendingRead = { kind: 'thread', key: `${number}/comments/1` }
  if (!isPullRequest) return [comments]
  return [comments, { kind: 'thread', key: `${number}/review-comments/1` }, { kind: 'pr_review', key: String(number) }]
}

async function readComments<Payload>(
  comments: CommentsOfThread<Payload>,
  context: SurfaceContext,
  number: number,
  page: string,
): Promise<GitHubResult<ReadAgain>> {
  const { github, repository } = context
  const { surface, folder } = comments
  const path = `/repos/${repository.name}/${folder}/${number}/comments?per_page=${MAX_PAGE_ITEMS}&page=${page}`
  const answer = await github.get(path, { surface, expects: 'array' })
  if (!answer.ok) return answer
  if (answer.value.kind !== 'ok') return { ok: true, value: NOTHING }
  const items = readItems(comments, answer.value.body, context)
  if (items === undefined) return malformed(surface)
  const changes = items.flatMap((item) => toChanges(item, toRepositoryName(context)))
  const part = folder === 'issues' ? 'comments' : 'review-comments'
  const pending: readonly PendingRead[] =
    answer.value.next === undefined ? [] : [{ kind: 'thread', key: `${number}/${part}/${Number(page) + 1}` }]
  return { ok: true, value: { changes, pending } }
}

/** One page of all threads: renamed and deleted labels and milestones move no time. */
export function readThreadsAgain<Payload>(list: ComparedList<Payload>): AgainReader {
  return async (context, key) => {
    const place = key === '' ? {} : (JSON.parse(key) as ListPlace)
    const page = await readListPage(list, context, place)
    if (!page.ok) return page
    if (page.value.kind !== 'page') return { ok: true, value: NOTHING }
    const { items, next } = page.value
    const changes = items.flatMap((item) => toChanges(item, toRepositoryName(context)))
    const pending: readonly PendingRead[] = next === undefined ? [] : [{ kind: 'threads', key: JSON.stringify(next) }]
    return { ok: true, value: { changes, pending } }
  }
}
