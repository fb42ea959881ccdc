/**
 * Issues and pull requests, as the issues list, the pull request routes and
 * deliveries give them. Written by anyone, bots included.
 */
import { z } from 'zod'
import { ISSUE_STATES } from '../../../base/vocabulary.ts'
import type { RepositoryName } from '../../../documents/document.ts'
import { MAX_NAMES } from '../../../documents/limits.ts'
import { idPart, makeDocument, textPart, timePart, titlePart, userPart, type ReadItem } from './payload-parts.ts'

const label = z.union([z.string(), z.object({ name: z.string().nullish() })])

export const threadPayload = z.object({
  number: idPart,
  title: titlePart,
  body: textPart,
  state: z.enum(ISSUE_STATES),
  html_url: textPart,
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

export type ThreadPayload = z.infer<typeof threadPayload>

export function isPullRequest(payload: ThreadPayload): boolean {
  return (payload.pull_request ?? payload.head ?? undefined) !== undefined
}

/** False for a pull request in a delivery that does not say whether it is merged and a draft. */
export function isWhole(payload: ThreadPayload): boolean {
  if (!isPullRequest(payload)) return true
  const knowsMerged = payload.merged ?? payload.merged_at ?? payload.pull_request?.merged_at
  return (knowsMerged !== undefined || hasNullMergedAt(payload)) && typeof payload.draft === 'boolean'
}

function hasNullMergedAt({ merged_at: own, pull_request: inIssue }: ThreadPayload): boolean {
  return own === null || inIssue?.merged_at === null
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
