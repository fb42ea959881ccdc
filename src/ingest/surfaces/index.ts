/** The registry of surfaces, and the readers of pending reads by kind. */
import type { ReadKind, Surface } from '../../base/vocabulary.ts'
import { diffSurface } from './diff-surface.ts'
import { docSurface } from './doc-surface.ts'
import { issueCommentSurface } from './issue-comment-surface.ts'
import { issueSurface, pullRequestSurface, readAllThreads } from './issue-surface.ts'
import { reviewCommentSurface } from './pr-review-comment-surface.ts'
import { reviewSurface } from './pr-review-surface.ts'
import type { AgainReader } from './read-again.ts'
import { releaseSurface } from './release-surface.ts'
import type { SurfaceSpec } from './surface.ts'
import { wikiSurface } from './wiki-surface.ts'

/** Kinds of which each thing is read by its key. The other ones are read by a walk of their surface. */
type KeyedKind = Exclude<ReadKind, 'docs' | 'wiki' | 'commits' | 'repository'>

export const SURFACE_SPECS: Readonly<Record<Surface, SurfaceSpec>> = {
  issue: issueSurface,
  pull_request: pullRequestSurface,
  issue_comment: issueCommentSurface,
  pr_review: reviewSurface,
  pr_review_comment: reviewCommentSurface,
  release: releaseSurface,
  doc: docSurface,
  wiki_doc: wikiSurface,
  diff: diffSurface,
}

export const AGAIN_READERS: Readonly<Record<KeyedKind, AgainReader>> = {
  thread: issueSurface.readAgain!,
  threads: readAllThreads,
  issue_comment: issueCommentSurface.readAgain!,
  pr_review: reviewSurface.readAgain!,
  pr_review_comment: reviewCommentSurface.readAgain!,
  release: releaseSurface.readAgain!,
}
