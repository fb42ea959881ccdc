/**
 * Addresses that point at the exact thing: the comment, the file of the commit,
 * the page. The source's own address is used where it gave one; else one is
 * made, but only for a repository that GitHub is known to hold.
 */
import { createHash } from 'node:crypto'
import type { BriefRow } from '../../index/documents/read-documents.ts'

/** The address, or undefined where nothing is known to be there. */
export function urlOf(row: BriefRow): string | undefined {
  if (row.url !== undefined) return row.url
  // A local import's repository has a negative id: its name need not be GitHub's.
  if (row.repoId <= 0) return undefined
  return `https://github.com/${row.repo}/${placeOf(row)}`
}

function placeOf(row: BriefRow): string {
  const { number, path = '', commentId } = row
  switch (row.type) {
    case 'issue':
      return `issues/${number}`
    case 'pull_request':
      return `pull/${number}`
    case 'release':
      return `releases/tag/${encodePath(row.tagName ?? '')}`
    case 'doc':
      return `blob/${encodePath(row.defaultBranch ?? 'HEAD')}/${encodePath(path)}`
    case 'wiki_doc':
      return `wiki/${encodePath(path)}`
    case 'diff':
      return `commit/${row.commitSha}#diff-${createHash('sha256').update(path, 'utf8').digest('hex')}`
    case 'issue_comment':
      return `issues/${number}#issuecomment-${commentId}`
    case 'pr_review':
      return `pull/${number}#pullrequestreview-${row.reviewId}`
    case 'pr_review_comment':
      return `pull/${number}#discussion_r${commentId}`
  }
}

function encodePath(path: string): string {
  return path.toWellFormed().split('/').map(encodeURIComponent).join('/')
}
