/**
 * Reads documents for answers: one row each with its repository's name and its
 * lists, without its body, which read-bodies.ts reads.
 */
import type { Viewer } from '../../access/viewer.ts'
import type { DocumentType } from '../../base/vocabulary.ts'
import { FIELD_COLUMNS, LIST_FIELDS, type FieldKind, type FieldValues } from '../../documents/fields.ts'
import { constant, joinSql, sql } from '../sql/sql.ts'
import type { Row } from '../reader.ts'
import type { Query, Sql } from '../sql/sql.ts'
import { isVisible } from '../filters/visibility.ts'

/** A document without its body: its fields, flat, and the repository's. Times in milliseconds UTC. */
export interface DocumentRow extends FieldValues {
  readonly document: number
  readonly vectorId: string
  readonly repo: string
  /** GitHub's id of the repository; negative where it is not known. */
  readonly repoId: number
  readonly defaultBranch?: string
  readonly type: DocumentType
  readonly labels: readonly string[]
  readonly assignees: readonly string[]
  readonly createdAt: number
  readonly updatedAt: number
  /** UTF-16 units of the stored body. */
  readonly bodyChars: number
  readonly sourceTruncated: boolean
}

/** A row without lists and long texts: enough for a title and an address. */
export type BriefRow = Omit<DocumentRow, 'labels' | 'assignees' | 'message' | 'diffHunk'>

const KINDS = new Map<string, FieldKind>(
  [...FIELD_COLUMNS, ...LIST_FIELDS].map(({ property, kind }) => [property, kind]),
)

function columnsOf(isWanted: (kind: FieldKind) => boolean): Sql[] {
  const columns = FIELD_COLUMNS.filter(({ kind }) => isWanted(kind))
  return columns.map(({ column, property }) => constant(`d.${column} AS ${property}`))
}

const BRIEF_COLUMNS = sql`
  d.document, d.vector_id AS vectorId, r.name AS repo, r.repo_id AS repoId, r.default_branch AS defaultBranch,
  d.type, d.body_chars AS bodyChars, ${joinSql(
    columnsOf((kind) => kind !== 'longText'),
    ', ',
  )}`

/** Lists of other kinds are long; what shows them reads them itself. */
const LISTS = LIST_FIELDS.filter(({ kind }) => kind === 'names').map(({ property: table, column }) =>
  constant(
    `(SELECT json_group_array(${column})
      FROM (SELECT ${column} FROM ${table} WHERE document = d.document ORDER BY position)) AS ${table}`,
  ),
)

/** The columns that `toDocumentRow` reads, of `documents AS d JOIN repositories AS r`. */
export const DOCUMENT_COLUMNS = joinSql([BRIEF_COLUMNS, ...columnsOf((kind) => kind === 'longText'), ...LISTS], ', ')

export function toDocumentRow(row: Row): DocumentRow {
  const fields = Object.entries(row).flatMap(([name, value]): [string, unknown][] => {
    if (value === null || value === '') return []
    const kind = KINDS.get(name)
    if (kind === 'boolean' || kind === 'flag') return [[name, value === 1]]
    return [[name, kind === 'names' ? JSON.parse(String(value)) : value]]
  })
  return Object.fromEntries(fields) as unknown as DocumentRow
}

/** The documents with these numbers that the viewer may see, in any order. */
export function documentsByNumber(viewer: Viewer, documents: readonly number[]): Query<readonly DocumentRow[]> {
  return documentsWhere(viewer, numberList(documents), DOCUMENT_COLUMNS)
}

/** The documents with these numbers that the viewer may see, without lists and long texts, in any order. */
export function briefDocuments(viewer: Viewer, documents: readonly number[]): Query<readonly BriefRow[]> {
  return documentsWhere(viewer, numberList(documents), BRIEF_COLUMNS)
}

/** The documents with these ids that the viewer may see, in any order. */
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

/** Numbers as an SQL list. Pass only numbers that came from the index. SQLite would count each item of a `json_each` parameter as a row read. */
export function numberList(numbers: readonly number[]): Sql {
  return constant(numbers.map(Math.trunc).join(', '))
}

/** The numbers of the documents with these ids, visible or not. */
export function numbersOf(vectorIds: readonly string[]): Sql {
  return sql`SELECT i.document FROM json_each(${JSON.stringify(vectorIds)}) e JOIN documents i ON i.vector_id = e.value`
}
