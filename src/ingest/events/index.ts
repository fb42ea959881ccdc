/** The registry of webhook events that change documents, by GitHub's names. */
import { readIssueCommentEvent, readReviewCommentEvent } from './comment-events.ts'
import type { EventReader } from './event.ts'
import { readReleaseEvent } from './release-events.ts'
import { readReviewEvent } from './review-events.ts'
import { readLabelEvent, readMilestoneEvent } from './sweep-events.ts'
import { readGollumEvent } from './gollum-event.ts'
import { readPushEvent } from './push-event.ts'
import { readIssuesEvent, readPullRequestEvent } from './thread-events.ts'

export const EVENT_READERS: Readonly<Record<string, EventReader>> = {
  issues: readIssuesEvent,
  issue_comment: readIssueCommentEvent,
  pull_request: readPullRequestEvent,
  pull_request_review: readReviewEvent,
  pull_request_review_comment: readReviewCommentEvent,
  release: readReleaseEvent,
  label: readLabelEvent,
  milestone: readMilestoneEvent,
  push: readPushEvent,
  gollum: readGollumEvent,
}
