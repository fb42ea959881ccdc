/** Applies an edit to a world: one function for each kind, named by its `do`. */
import type { Urls } from '../server/urls.ts'
import * as comments from './comment-edits.ts'
import { contextOf, type EditContext } from './edit-context.ts'
import type { Edit, EditOf, EditResult } from './edit.ts'
import * as git from './git-edits.ts'
import * as repositories from './repository-edits.ts'
import * as threads from './thread-edits.ts'
import type { World } from './world.ts'

const EDITS: {
  readonly [Name in Exclude<Edit['do'], 'create_repository'>]: (context: EditContext, edit: EditOf<Name>) => EditResult
} = {
  edit_repository: repositories.editRepository,
  rename_repository: repositories.renameRepository,
  transfer_repository: repositories.transferRepository,
  delete_repository: repositories.deleteRepository,
  ping: repositories.ping,
  open_issue: threads.openThread,
  open_pull_request: threads.openThread,
  edit_thread: threads.editThread,
  merge_pull_request: threads.mergePullRequest,
  delete_issue: threads.deleteIssue,
  transfer_issue: threads.transferIssue,
  comment: comments.comment,
  edit_comment: comments.editComment,
  delete_comment: comments.deleteComment,
  review: comments.review,
  submit_review: comments.submitReview,
  edit_review: comments.editReview,
  dismiss_review: comments.dismissReview,
  review_comment: comments.reviewComment,
  edit_review_comment: comments.editReviewComment,
  delete_review_comment: comments.deleteReviewComment,
  rename_label: threads.renameLabel,
  delete_label: threads.deleteLabel,
  rename_milestone: threads.renameMilestone,
  delete_milestone: threads.deleteMilestone,
  release: repositories.putRelease,
  edit_release: repositories.editRelease,
  delete_release: repositories.deleteRelease,
  commit: git.commit,
  merge_branch: git.mergeBranch,
  push_branch: git.pushBranch,
  delete_branch: git.deleteBranch,
  tag: git.tag,
  delete_tag: git.deleteTag,
  write_wiki: repositories.writeWiki,
  rename_wiki: repositories.renameWiki,
}

/** Throws for what GitHub does not offer, such as a review of an issue; the world's clock has moved then. */
export function applyEdit(world: World, urls: Urls, edit: Edit): EditResult {
  world.nowMs += (edit.afterS ?? 1) * 1000
  if (edit.do === 'create_repository') return repositories.addRepository(world, urls, edit)
  const apply = EDITS[edit.do] as (context: EditContext, edit: Edit) => EditResult
  return apply(contextOf(world, urls, edit), edit)
}
