/** The registry of surfaces, and the readers of pending reads by kind. */
import type { Surface } from '../../base/vocabulary.ts'
import { issueCommentSurface } from './issue-comment-surface.ts'
import { issueSurface, pullRequestSurface, readAllThreads } from './issue-surface.ts'
import { reviewCommentSurface } from './pr-review-comment-surface.ts'
import { reviewSurface } from './pr-review-surface.ts'
import type { AgainReader } from './read-again.ts'
import { releaseSurface } from './release-surface.ts'
import type { PendingRead, SurfaceSpec } from './surface.ts'

type ListedSurface = Exclude<Surface, 'doc' | 'wiki_doc' | 'diff'>
type ListedKind = Exclude<PendingRead['kind'], 'docs' | 'wiki' | 'commits' | 'repository'>

export const SURFACE_SPECS: Readonly<Record<ListedSurface, SurfaceSpec>> = {
  issue: issueSurface,
  pull_request: pullRequestSurface,
  issue_comment: issueCommentSurface,
  pr_review: reviewSurface,
  pr_review_comment: reviewCommentSurface,
  release: releaseSurface,
}

export const AGAIN_READERS: Readonly<Record<ListedKind, AgainReader>> = {
  thread: issueSurface.readAgain!,
  threads: readAllThreads,
  issue_comment: issueCommentSurface.readAgain!,
  pr_review: reviewSurface.readAgain!,
  pr_review_comment: reviewCommentSurface.readAgain!,
  release: releaseSurface.readAgain!,
}
