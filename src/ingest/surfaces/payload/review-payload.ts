/**
 * Reviews, as REST answers and deliveries give them and as GraphQL does. Both
 * become the same document; only GraphQL knows when a review was edited. Pending
 * reviews and those of bots have no document. A review without text stays: it
 * has a verdict.
 */
import { z } from 'zod'
import type { RepositoryName } from '../../../documents/document.ts'
import { idPart, isBot, makeDocument, textPart, timePart, urlPart, userPart, type ReadItem } from './payload-parts.ts'

export const reviewPayload = z.object({
  id: idPart,
  body: textPart,
  html_url: urlPart,
  state: z.string(),
  user: userPart,
  submitted_at: timePart.nullish(),
  updated_at: timePart.nullish(),
  author_association: textPart,
})

export type ReviewPayload = z.infer<typeof reviewPayload>

/** In GraphQL the login of a bot has no `[bot]`: the type of the author says it. */
export const reviewNode = z.object({
  /** Missing on older servers; the address ends in the same number. */
  fullDatabaseId: z.union([z.string(), z.int()]).nullish(),
  databaseId: z.int().nullish(),
  url: z.string(),
  body: textPart,
  state: z.string(),
  submittedAt: timePart.nullish(),
  updatedAt: timePart.nullish(),
  authorAssociation: textPart,
  author: z.object({ __typename: z.string().nullish(), login: z.string() }).nullish(),
})

/** The fields of `reviewNode` that a query asks for. */
export const REVIEW_FIELDS = 'url body state submittedAt updatedAt authorAssociation author { __typename login }'

/** The form of a REST answer; undefined if the node has no id. */
export function fromReviewNode(node: z.infer<typeof reviewNode>): ReviewPayload | undefined {
  const id = Number(/#pullrequestreview-(\d{1,15})$/.exec(node.url)?.[1] ?? node.fullDatabaseId ?? node.databaseId)
  if (!Number.isSafeInteger(id) || id <= 0) return undefined
  return {
    id,
    body: node.body,
    html_url: node.url,
    state: node.state,
    user: node.author && { login: node.author.login, type: node.author.__typename },
    submitted_at: node.submittedAt,
    updated_at: node.updatedAt,
    author_association: node.authorAssociation,
  }
}

/** Undefined for a pending review: only its author sees it. */
export function readReview(payload: ReviewPayload, number: number, repository: RepositoryName): ReadItem | undefined {
  const { id, user, submitted_at: submittedAt } = payload
  const state = payload.state.toLowerCase()
  if (state === 'pending' || submittedAt === null || submittedAt === undefined) return undefined
  const times = { createdAt: submittedAt, updatedAt: payload.updated_at ?? submittedAt }
  const item: ReadItem = { identity: { type: 'pr_review', reviewId: id }, ...times }
  if (isBot(user)) return item
  const fields = {
    number,
    review_id: id,
    review_state: state,
    url: payload.html_url,
    author: user?.login,
    author_association: payload.author_association,
  }
  return { ...item, document: makeDocument('pr_review', fields, times, { repository, body: payload.body }) }
}
