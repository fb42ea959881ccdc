/**
 * Reading documents back, one row each, with its repository's name, its labels
 * and its assignees. Bodies are read-bodies.ts's.
 */
import type { Viewer } from '../../access/viewer.ts'
import type { DocumentType, IssueState } from '../../base/vocabulary.ts'
import { constant, sql } from '../sql/sql.ts'
import type { Row } from '../reader.ts'
import type { Query, Sql } from '../sql/sql.ts'
import { isVisible } from '../filters/visibility.ts'

/** A document without its body. Times in milliseconds UTC; absent fields have nothing to say. */
export interface DocumentRow {
  readonly document: number
  readonly vectorId: string
  readonly repo: string
  /** GitHub's id of the repository, or a negative number where only a local import knows it. */
  readonly repoId: number
  readonly defaultBranch?: string
  readonly type: DocumentType
  readonly number?: number
  readonly path?: string
  readonly commitSha?: string
  readonly tagName?: string
  readonly commentId?: number
  readonly reviewId?: number
  readonly title?: string
  readonly url?: string
  readonly author?: string
  readonly authorAssociation?: string
  readonly state?: IssueState
  readonly merged?: boolean
  readonly draft?: boolean
  readonly prerelease?: boolean
  readonly milestone?: string
  readonly reviewState?: string
  readonly fileStatus?: string
  readonly message?: string
  readonly commitDate?: number
  readonly commitAuthor?: string
  readonly line?: number
  readonly diffHunk?: string
  readonly labels: readonly string[]
  readonly assignees: readonly string[]
  readonly createdAt: number
  readonly updatedAt: number
  /** UTF-16 units of the stored body. */
  readonly bodyChars: number
  readonly sourceTruncated: boolean
}

/** What a mention of a row needs: all that its address is made from. */
export type BriefRow = Omit<DocumentRow, 'labels' | 'assignees' | 'message' | 'diffHunk'>

const BRIEF_COLUMNS = constant(`
  d.document, d.vector_id AS vectorId, r.name AS repo, r.repo_id AS repoId, r.default_branch AS defaultBranch,
  d.type, d.number, d.path, d.commit_sha AS commitSha, d.tag_name AS tagName, d.comment_id AS commentId,
  d.review_id AS reviewId, d.title, d.url, d.author, d.author_association AS authorAssociation, d.state,
  d.merged, d.draft, d.prerelease, d.milestone, d.review_state AS reviewState, d.file_status AS fileStatus,
  d.commit_date AS commitDate, d.commit_author AS commitAuthor, d.line,
  d.created_at AS createdAt, d.updated_at AS updatedAt, d.body_chars AS bodyChars, d.source_truncated AS sourceTruncated`)

/** What `toDocumentRow` reads, of `documents AS d JOIN repositories AS r`. */
export const DOCUMENT_COLUMNS = sql`${BRIEF_COLUMNS}, d.message, d.diff_hunk AS diffHunk,
  (SELECT json_group_array(label) FROM (SELECT label FROM labels WHERE document = d.document ORDER BY position)) AS labels,
  (SELECT json_group_array(login) FROM (SELECT login FROM assignees WHERE document = d.document ORDER BY position)) AS assignees`

const FLAGS = ['merged', 'draft', 'prerelease', 'sourceTruncated']
const LISTS = ['labels', 'assignees']

export function toDocumentRow(row: Row): DocumentRow {
  const fields = Object.entries(row).flatMap(([name, value]): [string, unknown][] => {
    if (value === null || value === '') return []
    if (FLAGS.includes(name)) return [[name, value === 1]]
    if (LISTS.includes(name)) return [[name, JSON.parse(String(value))]]
    return [[name, value]]
  })
  return Object.fromEntries(fields) as unknown as DocumentRow
}

/** The documents of these numbers that the viewer may see, in no order. */
export function documentsByNumber(viewer: Viewer, documents: readonly number[]): Query<readonly DocumentRow[]> {
  return documentsWhere(viewer, listed(documents), DOCUMENT_COLUMNS)
}

/** The same without labels, assignees and long texts. */
export function briefDocuments(viewer: Viewer, documents: readonly number[]): Query<readonly BriefRow[]> {
  return documentsWhere(viewer, listed(documents), BRIEF_COLUMNS)
}

/** The documents of these ids that the viewer may see, in no order. */
export function documentsById(viewer: Viewer, vectorIds: readonly string[]): Query<readonly DocumentRow[]> {
  return documentsWhere(viewer, numbersOf(vectorIds), DOCUMENT_COLUMNS)
}

function documentsWhere(viewer: Viewer, numbers: Sql, columns: Sql): Query<readonly DocumentRow[]> {
  return {
    statement: sql`
      SELECT ${columns}
      FROM documents d CROSS JOIN repositories r ON r.repository = d.repository
      WHERE d.document IN (${numbers}) AND d.deleted_at IS NULL AND ${isVisible(viewer)}`,
    toValue: (rows) => rows.map(toDocumentRow),
  }
}

/** Numbers that came out of the index are written out: a list in a parameter would be read row by row. */
export function listed(numbers: readonly number[]): Sql {
  return constant(numbers.map(Math.trunc).join(', '))
}

/** The numbers of documents that bear these ids, whoever may see them. */
export function numbersOf(vectorIds: readonly string[]): Sql {
  return sql`SELECT i.document FROM json_each(${JSON.stringify(vectorIds)}) e JOIN documents i ON i.vector_id = e.value`
}
