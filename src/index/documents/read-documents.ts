/**
 * Reads documents for answers: one row each with its repository's name and its
 * lists, without its body, which read-bodies.ts reads.
 */
import type { Viewer } from '../../access/viewer.ts'
import type { DocumentType } from '../../base/vocabulary.ts'
import { FIELD_COLUMNS, LIST_FIELDS, type FieldKind, type FieldValues } from '../../documents/fields.ts'
import type { FileFilters } from '../filters/commit-conditions.ts'
import { ofFirstRelease } from '../filters/first-release.ts'
import { commitColumns } from './commit-columns.ts'
import { constant, itemsOf, joinSql, knownValue, sql } from '../sql/sql.ts'
import type { Row } from '../reader.ts'
import type { Query, Sql } from '../sql/sql.ts'
import { isVisible } from '../filters/visibility.ts'

/** A file of a commit, with the id of its diff if that is stored. */
export interface CommitFile {
  readonly path: string
  readonly status: string | null
  readonly vectorId: string | null
}

/** A document without its body: its fields, flat, and the repository's. Times in milliseconds UTC. */
export interface DocumentRow extends Omit<FieldValues, 'files'> {
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
  /** Of a commit or a merged pull request, where a release has it. */
  readonly firstRelease?: { readonly tag: string; readonly at: number }
  /** Of a commit, where the read asks for them: some of its files, and the number of its diffs where no list counts its files. */
  readonly files?: readonly CommitFile[]
  readonly diffCount?: number
}

/** A row without lists and long texts: enough for a title and an address. */
export type BriefRow = Omit<DocumentRow, 'labels' | 'assignees' | 'message' | 'diffHunk' | 'firstRelease'>

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

function listColumn({ property: table, column }: (typeof LIST_FIELDS)[number]): Sql {
  return constant(
    `(SELECT json_group_array(${column})
      FROM (SELECT ${column} FROM ${table} WHERE document = d.document ORDER BY position)) AS ${table}`,
  )
}

/** Lists of other kinds are long; what shows them reads them itself. */
const LISTS = LIST_FIELDS.filter(({ kind }) => kind === 'names').map(listColumn)

const PARENTS = LIST_FIELDS.filter(({ property }) => property === 'parents').map(listColumn)

const FIRST_RELEASE = sql`${ofFirstRelease(sql`json_object('tag', t.tag_name, 'at', t.created_at)`)} AS firstRelease`

/** The columns that `toDocumentRow` reads, of `documents AS d JOIN repositories AS r`. */
export const DOCUMENT_COLUMNS = joinSql(
  [BRIEF_COLUMNS, ...columnsOf((kind) => kind === 'longText'), ...LISTS, FIRST_RELEASE],
  ', ',
)

/** Columns that are JSON besides those of lists. */
const JSON_COLUMNS = ['firstRelease', 'files']

export function toDocumentRow(row: Row): DocumentRow {
  const fields = Object.entries(row).flatMap(([name, value]): [string, unknown][] => {
    if (value === null || value === '') return []
    const kind = KINDS.get(name)
    if (kind === 'boolean' || kind === 'flag') return [[name, value === 1]]
    const isJson = kind === 'names' || kind === 'shas' || JSON_COLUMNS.includes(name)
    return [[name, isJson ? JSON.parse(String(value)) : value]]
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

/** A fetch names the first files of a commit; its content lists all of them. */
const FETCHED_FILES = commitColumns({}, 20, constant(`d.type = 'commit'`))

/** The documents with these ids that the viewer may see, in any order, with all lists that a fetch shows. */
export function documentsById(viewer: Viewer, vectorIds: readonly string[]): Query<readonly DocumentRow[]> {
  return documentsWhere(viewer, numbersOf(vectorIds), joinSql([DOCUMENT_COLUMNS, ...PARENTS, FETCHED_FILES], ', '))
}

/** A commit to show, and the document by which it was found: the commit itself or one of its diffs. */
export interface CommitLookup {
  readonly document: number
  /** The repository's key. */
  readonly repository: number
  readonly sha: string
  /** Its files are read too. */
  readonly withFiles: boolean
}

/**
 * The commits that the viewer may see, by the number of the document in their
 * lookup, with up to `files` files that pass the filters. Where only diffs of a
 * commit are stored, its row is that document.
 */
export function commitsByPart(
  viewer: Viewer,
  lookups: readonly CommitLookup[],
  filters: FileFilters,
  files: number,
): Query<ReadonlyMap<number, DocumentRow>> {
  if (lookups.length === 0) return knownValue(new Map())
  const items = lookups.map(({ document, repository, sha, withFiles }) =>
    JSON.stringify([document, repository, sha, Number(withFiles)]),
  )
  return {
    statement: sql`
      SELECT k.value ->> 0 AS foundBy, ${DOCUMENT_COLUMNS}, ${commitColumns(filters, files, sql`k.value ->> 3 = 1`)}
      FROM ${itemsOf(items)} k CROSS JOIN documents d ON d.document = coalesce((
        SELECT x.document FROM documents x INDEXED BY documents_by_commit
        WHERE x.repository = k.value ->> 1 AND x.commit_sha = k.value ->> 2 AND x.type = 'commit'
        AND x.deleted_at IS NULL), k.value ->> 0)
      CROSS JOIN repositories r ON r.repository = d.repository
      WHERE d.deleted_at IS NULL AND ${isVisible(viewer)}`,
    toValue: (rows) => new Map(rows.map(({ foundBy, ...row }) => [foundBy as number, toDocumentRow(row)])),
  }
}

/** The files of these diffs. Show them only in a row of their commit, which the viewer may see. */
export function filesOfDiffs(diffs: readonly number[]): Query<ReadonlyMap<number, CommitFile>> {
  if (diffs.length === 0) return knownValue(new Map())
  return {
    statement: sql`
      SELECT d.document, d.vector_id AS vectorId, d.path, d.file_status AS status
      FROM documents d WHERE d.document IN (${numberList(diffs)}) AND d.deleted_at IS NULL`,
    toValue: (rows) =>
      new Map(rows.map(({ document, ...file }) => [document as number, file as unknown as CommitFile])),
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

/** Numbers as an SQL list. Pass only numbers that came from the index. SQLite would count each item of a `json_each` parameter as a row read. */
export function numberList(numbers: readonly number[]): Sql {
  return constant(numbers.map(Math.trunc).join(', '))
}

/** The numbers of the documents with these ids, visible or not. */
export function numbersOf(vectorIds: readonly string[]): Sql {
  return sql`SELECT i.document FROM json_each(${JSON.stringify(vectorIds)}) e JOIN documents i ON i.vector_id = e.value`
}
