/**
 * A change as one line of the page schema, as src/contracts/import/page-schema.ts
 * publishes it. Written for what git knows: documents, wiki pages, releases and
 * diffs.
 */
import type { DocumentChange, Document, Identity } from '../../../src/documents/document.ts'
import { toTime } from '../../../src/base/time.ts'

/** One line without its newline; lone surrogates, which UTF-8 cannot carry, are replaced. */
export function toPageLine(change: DocumentChange): string {
  const line = 'remove' in change ? toRemoval(change.remove.repository.name, change.remove.identity) : toPut(change.put)
  return JSON.stringify(line, (_, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value))
}

function toRemoval(repo: string, identity: Identity): Record<string, unknown> {
  return { ...identityFields(identity), repo, deleted: true }
}

function toPut(document: Document): Record<string, unknown> {
  const { createdAt, updatedAt, commitDate } = document
  return {
    ...identityFields(document.identity),
    repo: document.repository.name,
    body: document.body,
    title: document.title,
    url: document.url,
    author: document.author,
    created_at: createdAt === undefined ? undefined : toTime(createdAt),
    updated_at: updatedAt === undefined ? undefined : toTime(updatedAt),
    source_truncated: document.sourceTruncated,
    prerelease: document.prerelease,
    file_status: document.fileStatus,
    message: document.message,
    commit_date: commitDate === undefined ? undefined : toTime(commitDate),
    commit_author: document.commitAuthor,
  }
}

function identityFields(identity: Identity): Record<string, unknown> {
  switch (identity.type) {
    case 'doc':
      return { type: identity.type, doc_path: identity.path }
    case 'wiki_doc':
      return { type: identity.type, wiki_path: identity.path }
    case 'release':
      return { type: identity.type, tag_name: identity.tagName }
    case 'diff':
      return { type: identity.type, commit_sha: identity.commitSha, file_path: identity.path }
    case 'issue':
    case 'pull_request':
      return { type: identity.type, number: identity.number }
    case 'issue_comment':
    case 'pr_review_comment':
      return { type: identity.type, comment_id: identity.commentId }
    case 'pr_review':
      return { type: identity.type, review_id: identity.reviewId }
  }
}
