/**
 * Issues and pull requests, as the issues list, the pull request routes and
 * deliveries give them. Written by anyone, bots included.
 */
import { z } from 'zod'
import { ISSUE_STATES } from '../../../base/vocabulary.ts'
import type { RepositoryName } from '../../../documents/document.ts'
import { MAX_NAMES } from '../../../documents/limits.ts'
import {
  idPart,
  makeDocument,
  textPart,
  timePart,
  urlPart,
  titlePart,
  userPart,
  type ReadItem,
} from './payload-parts.ts'

const label = z.union([z.string(), z.object({ name: z.string().nullish() })])

export const threadPayload = z.object({
  number: idPart,
  title: titlePart,
  body: textPart,
  state: z.enum(ISSUE_STATES),
  html_url: urlPart,
  user: userPart,
  labels: z.array(label).nullish(),
  milestone: z.object({ title: textPart }).nullish(),
  assignees: z.array(userPart).nullish(),
  created_at: timePart.nullish(),
  updated_at: timePart,
  author_association: textPart,
  draft: z.boolean().nullish(),
  /** Of an issue: present if it is a pull request. */
  pull_request: z.object({ merged_at: textPart }).nullish(),
  /** Of a pull request itself. */
  merged: z.boolean().nullish(),
  merged_at: textPart,
  head: z.unknown().optional(),
})

/** In deliveries: those of `pinned` may have neither state nor labels. */
export const deliveredThread = threadPayload.extend({ state: z.enum(ISSUE_STATES).nullish() })

export type ThreadPayload = z.infer<typeof deliveredThread>

function isPullRequest(payload: ThreadPayload): boolean {
  return (payload.pull_request ?? payload.head ?? undefined) !== undefined
}

/** False for a delivery in the short form, without the state and the labels. */
export function isWhole({ state }: ThreadPayload): boolean {
  return state !== undefined && state !== null
}

/** True for a pull request of which it is unknown whether it is merged, or whether it is a draft. */
export function hasUnknownEnd(payload: ThreadPayload): boolean {
  if (!isPullRequest(payload)) return false
  const { state, merged, merged_at: mergedAt, draft, pull_request: inIssue } = payload
  const knowsMerged = [merged, mergedAt, inIssue?.merged_at].some((value) => value !== undefined)
  return (state !== 'open' && !knowsMerged) || typeof draft !== 'boolean'
}

export function readThread(payload: ThreadPayload, repository: RepositoryName): ReadItem {
  const { number, milestone, labels, assignees } = payload
  const type = isPullRequest(payload) ? 'pull_request' : 'issue'
  const times = { createdAt: payload.created_at ?? payload.updated_at, updatedAt: payload.updated_at }
  const mergedAt = payload.merged_at ?? payload.pull_request?.merged_at
  const fields = {
    ...payload,
    url: payload.html_url,
    author: payload.user?.login,
    labels: (labels ?? []).flatMap((one) => (typeof one === 'string' ? one : (one.name ?? []))).slice(0, MAX_NAMES),
    milestone: milestone?.title,
    assignees: (assignees ?? []).flatMap((user) => user?.login ?? []).slice(0, MAX_NAMES),
    merged: type === 'issue' ? undefined : (payload.merged ?? typeof mergedAt === 'string'),
    draft: type === 'issue' ? undefined : (payload.draft ?? false),
    created_at: undefined,
    updated_at: undefined,
  }
  return {
    identity: { type, number },
    ...times,
    document: makeDocument(type, fields, times, { repository, body: payload.body }),
  }
}
