/**
 * Stored rows back to documents, whole: what derived data is made from again.
 * The inverse of document-rows.ts.
 */
import type { Document, Identity } from '../../documents/document.ts'
import type { DocumentType, IssueState } from '../../base/vocabulary.ts'
import type { Index } from '../sql/index-database.ts'
import { CREATED_GIVEN, UPDATED_GIVEN } from './document-rows.ts'
import { SEGMENTS_PER_DOCUMENT } from '../limits.ts'

/** The columns that identify a document. */
export interface IdentityColumns {
  readonly type: DocumentType
  readonly number: number | null
  readonly path: string | null
  readonly commit_sha: string | null
  readonly tag_name: string | null
  readonly comment_id: number | null
  readonly review_id: number | null
}

interface StoredRow extends IdentityColumns {
  readonly vector_id: string
  readonly version: number
  readonly repo_id: number
  readonly repository_name: string
  readonly title: string | null
  readonly url: string | null
  readonly author: string | null
  readonly author_association: string | null
  readonly state: IssueState | null
  readonly merged: number | null
  readonly draft: number | null
  readonly milestone: string | null
  readonly prerelease: number | null
  readonly review_state: string | null
  readonly file_status: string | null
  readonly message: string | null
  readonly commit_date: number | null
  readonly commit_author: string | null
  readonly line: number | null
  readonly diff_hunk: string | null
  readonly created_at: number
  readonly updated_at: number
  readonly times_given: number
  readonly source_truncated: number
}

/** A document read back, with the handle and version a writer needs to prove its reading. */
export interface ReadBack {
  readonly vectorId: string
  readonly version: number
  readonly document: Document
  readonly createdAt: number
  readonly updatedAt: number
}

export function identityOf(row: IdentityColumns): Identity {
  switch (row.type) {
    case 'issue':
    case 'pull_request':
      return { type: row.type, number: row.number! }
    case 'release':
      return { type: row.type, tagName: row.tag_name! }
    case 'doc':
    case 'wiki_doc':
      return { type: row.type, path: row.path! }
    case 'diff':
      return { type: row.type, commitSha: row.commit_sha!, path: row.path! }
    case 'issue_comment':
    case 'pr_review_comment':
      return { type: row.type, commentId: row.comment_id! }
    case 'pr_review':
      return { type: row.type, reviewId: row.review_id! }
  }
}

/** One live document by its number, in one transaction of reads; undefined if it is gone. */
export async function readStored(index: Index, document: number): Promise<ReadBack | undefined> {
  const { database } = index
  const [rows, segments, labels, assignees] = await database.batch([
    database
      .prepare(
        `SELECT d.*, r.repo_id, r.name AS repository_name FROM documents d JOIN repositories r USING (repository)
         WHERE document = ?1 AND deleted_at IS NULL`,
      )
      .bind(document),
    database
      .prepare('SELECT text FROM segments WHERE segment >= ?1 AND segment < ?2 ORDER BY segment')
      .bind(document * SEGMENTS_PER_DOCUMENT, (document + 1) * SEGMENTS_PER_DOCUMENT),
    database.prepare('SELECT label AS name FROM labels WHERE document = ?1 ORDER BY position').bind(document),
    database.prepare('SELECT login AS name FROM assignees WHERE document = ?1 ORDER BY position').bind(document),
  ])
  const row = (rows!.results as StoredRow[])[0]
  if (row === undefined) return undefined
  const body = (segments!.results as { text: string }[]).map(({ text }) => text).join('')
  return {
    vectorId: row.vector_id,
    version: row.version,
    document: toDocument(row, body, namesIn(labels!), namesIn(assignees!)),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

function toDocument(row: StoredRow, body: string, labels: readonly string[], assignees: readonly string[]): Document {
  const identity = identityOf(row)
  const given = {
    title: row.title,
    url: row.url,
    author: row.author,
    authorAssociation: row.author_association,
    createdAt: row.times_given & CREATED_GIVEN ? row.created_at : null,
    updatedAt: row.times_given & UPDATED_GIVEN ? row.updated_at : null,
    sourceTruncated: row.source_truncated === 1 ? true : null,
    number: 'number' in identity ? null : row.number,
    state: row.state,
    labels: labels.length > 0 ? labels : null,
    milestone: row.milestone,
    assignees: assignees.length > 0 ? assignees : null,
    merged: toFlag(row.merged),
    draft: toFlag(row.draft),
    prerelease: toFlag(row.prerelease),
    reviewState: row.review_state,
    fileStatus: row.file_status,
    message: row.message,
    commitDate: row.commit_date,
    commitAuthor: row.commit_author,
    filePath: 'path' in identity ? null : row.path,
    line: row.line,
    diffHunk: row.diff_hunk,
    commitSha: 'commitSha' in identity ? null : row.commit_sha,
  }
  const present = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null))
  return { identity, repository: { name: row.repository_name, id: row.repo_id }, body, ...present }
}

function namesIn(result: D1Result): string[] {
  return (result.results as { name: string }[]).map(({ name }) => name)
}

function toFlag(value: number | null): boolean | null {
  return value === null ? null : value === 1
}
