/**
 * Reading documents back: one row each, with its repository's name, its labels
 * and its assignees, and windows into its body by segments. Bodies are never
 * read whole.
 */
import type { Viewer } from '../access/viewer.ts'
import type { DocumentType, IssueState } from '../base/vocabulary.ts'
import { SEGMENT_CHARS, SEGMENTS_PER_DOCUMENT } from './limits.ts'
import { constant, sql } from './sql.ts'
import type { Query, Row, Sql } from './sql.ts'
import { isVisible } from './visibility.ts'

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

const PER_DOCUMENT = constant(String(SEGMENTS_PER_DOCUMENT))
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

/** A run of a body, as it lies in one segment. `start` is its offset in the body, in UTF-16 units. */
export interface SegmentRow {
  readonly document: number
  readonly start: number
  readonly text: string
}

/** A stretch of one body, `[start, end)` in UTF-16 units. */
export interface Stretch {
  readonly document: number
  readonly start: number
  readonly end: number
}

/** The segments that hold these stretches of bodies, of which there is at least one; in order of the text. */
export function segmentsOf(stretches: readonly Stretch[]): Query<readonly SegmentRow[]> {
  const numbers = stretches.flatMap(({ document, start, end }) => {
    const [first, last] = [firstSegment(document, start), lastSegment(document, end)]
    return Array.from({ length: last - first + 1 }, (_, at) => first + at)
  })
  return {
    statement: sql`
      SELECT s.segment / ${PER_DOCUMENT} AS document, s.start, s.text
      FROM segments s WHERE s.segment IN (${listed(numbers)}) ORDER BY s.segment`,
    toValue: (rows) => rows as unknown as readonly SegmentRow[],
  }
}

/** The segments of these ids, as far as the viewer may see them, that hold `[start, end)` of each body. */
export function segmentsById(
  viewer: Viewer,
  vectorIds: readonly string[],
  start: number,
  end: number,
): Query<readonly SegmentRow[]> {
  return {
    statement: sql`
      SELECT d.document, s.start, s.text
      FROM documents d CROSS JOIN repositories r ON r.repository = d.repository
      CROSS JOIN segments s
        ON s.segment BETWEEN d.document * ${PER_DOCUMENT} + ${firstSegment(0, start)}
        AND d.document * ${PER_DOCUMENT} + ${lastSegment(0, end)}
      WHERE d.document IN (${numbersOf(vectorIds)}) AND d.deleted_at IS NULL AND ${isVisible(viewer)}
      ORDER BY s.segment`,
    toValue: (rows) => rows as unknown as readonly SegmentRow[],
  }
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
function listed(numbers: readonly number[]): Sql {
  return constant(numbers.map(Math.trunc).join(', '))
}

function numbersOf(vectorIds: readonly string[]): Sql {
  return sql`SELECT i.document FROM json_each(${JSON.stringify(vectorIds)}) e JOIN documents i ON i.vector_id = e.value`
}

// A segment is full but for the unit it may leave to a surrogate pair, so a
// place in the body tells its segment to within one in the first 32,000.
function firstSegment(document: number, start: number): number {
  return document * SEGMENTS_PER_DOCUMENT + Math.min(Math.floor(start / SEGMENT_CHARS), SEGMENTS_PER_DOCUMENT - 1)
}

function lastSegment(document: number, end: number): number {
  return document * SEGMENTS_PER_DOCUMENT + Math.min(Math.floor(end / (SEGMENT_CHARS - 1)), SEGMENTS_PER_DOCUMENT - 1)
}

/**
 * UTF-8 bytes of the bodies of these ids, by document, of such as pass for whole and have more
 * than `minChars` UTF-16 units. SQLite knows lengths without reading the text.
 */
export function bodyBytesById(
  viewer: Viewer,
  vectorIds: readonly string[],
  minChars: number,
): Query<ReadonlyMap<number, number>> {
  return {
    statement: sql`
      SELECT d.document, (
        SELECT sum(octet_length(s.text)) FROM segments s
        WHERE s.segment >= d.document * ${PER_DOCUMENT} AND s.segment < (d.document + 1) * ${PER_DOCUMENT}
      ) AS bytes
      FROM documents d CROSS JOIN repositories r ON r.repository = d.repository
      WHERE d.document IN (${numbersOf(vectorIds)}) AND d.source_truncated = 0 AND d.body_chars > ${minChars}
      AND d.deleted_at IS NULL AND ${isVisible(viewer)}`,
    toValue: (rows) => new Map(rows.map((row) => [row['document'] as number, row['bytes'] as number])),
  }
}
