/**
 * Writes documents as rows. The SQL is built from two lists: the fields of
 * src/documents/fields.ts and INDEX_COLUMNS. Rows of segments and lists
 * find their document by `vector_id` in the same transaction, so that only the
 * database numbers documents.
 */
import { pathOf, valueOf } from '../../documents/document.ts'
import { FIELD_COLUMNS, LIST_FIELDS } from '../../documents/fields.ts'
import { authorKey, authorNames, wordsOfNames } from '../filters/author-names.ts'
import { foldExact } from '../filters/fold-name.ts'
import { listColumns, toListCells, toPathKey } from './list-columns.ts'
import { packJson, statementsFor, type SqlValue } from '../sql/json-rows.ts'
import { SEGMENTS_PER_DOCUMENT } from '../limits.ts'
import { toSegments, type StoredDocument } from './stored-document.ts'

/** A document that a page writes, with the times that the index gives it. */
export interface DocumentWrite {
  readonly vectorId: string
  readonly repoId: number
  readonly stored: StoredDocument
  readonly createdAt: number
  readonly updatedAt: number
}

/** Bits of `times_given`: the times that the source gave. The index sets the others. */
export const CREATED_GIVEN = 1
export const UPDATED_GIVEN = 2

type CellValue = string | number | boolean | readonly unknown[] | undefined
type ReadCell = (write: DocumentWrite) => CellValue

/** Columns that the index adds to the fields. The statement itself sets `document`, `version`, `deleted_at` and the versions of derived rows. */
const INDEX_COLUMNS: Readonly<Record<string, ReadCell>> = {
  vector_id: ({ vectorId }) => vectorId,
  repository: ({ repoId }) => repoId,
  type: ({ stored }) => stored.document.identity.type,
  author_key: ({ stored: { document } }) => authorKey(authorNames(document)),
  milestone_key: ({ stored: { document } }) => document.milestone && foldExact(document.milestone),
  path_key: ({ stored: { document } }) => toPathKey(pathOf(document) ?? ''),
  times_given: ({ stored: { document } }) =>
    (document.createdAt === undefined ? 0 : CREATED_GIVEN) | (document.updatedAt === undefined ? 0 : UPDATED_GIVEN),
  body_chars: ({ stored }) => stored.document.body.length,
  content_hash: ({ stored }) => stored.contentHash,
  text_hash: ({ stored }) => stored.textHash,
}

/** Columns of fields that are never NULL. */
const FIELD_DEFAULTS: Readonly<Record<string, ReadCell>> = {
  created_at: ({ createdAt }) => createdAt,
  updated_at: ({ updatedAt }) => updatedAt,
  source_truncated: ({ stored }) => stored.document.sourceTruncated === true,
}

const CELLS: readonly (readonly [column: string, read: ReadCell])[] = [
  ...Object.entries(INDEX_COLUMNS),
  ...FIELD_COLUMNS.map(({ column, property }): [string, ReadCell] => [
    column,
    FIELD_DEFAULTS[column] ?? (({ stored }) => valueOf(stored.document, property)),
  ]),
]

const NAMES = CELLS.map(([column]) => column)

/** A row contains the repository's id; the statement replaces it by the repository's key. */
const VALUES = NAMES.map((name, at) =>
  name === 'repository'
    ? `(SELECT repository FROM repositories WHERE repo_id = e.value ->> ${at})`
    : `e.value ->> ${at}`,
)

/** Vectors of an unchanged text stay and only their filter attributes are stale; vectors of a changed text are pending. */
const VECTORS_VERSION_AFTER_REWRITE =
  'CASE WHEN documents.text_hash = excluded.text_hash THEN -abs(documents.vectors_version) ELSE 0 * documents.vectors_version END'

// The same transaction writes the words later and sets words_version then.
const UPSERT = `INSERT INTO documents (${NAMES.join(', ')}, version, words_version)
  SELECT ${VALUES.join(', ')}, 1, 0 FROM json_each(?1) e WHERE true
  ON CONFLICT (vector_id) DO UPDATE SET
    ${NAMES.filter((name) => name !== 'vector_id')
      .map((name) => `${name} = excluded.${name}`)
      .join(', ')},
    version = version + 1, words_version = 0, deleted_at = NULL,
    vectors_version = ${VECTORS_VERSION_AFTER_REWRITE}`

function toSql(value: CellValue): SqlValue {
  if (value === undefined || value === '') return null
  return typeof value === 'boolean' ? Number(value) : (value as SqlValue)
}

/** Puts the documents with their segments and lists, and drops the parts of the rows that they replace. */
export function documentStatements(database: D1Database, writes: readonly DocumentWrite[]): D1PreparedStatement[] {
  const rows = writes.map((write) => CELLS.map(([, read]) => toSql(read(write))))
  return [
    ...statementsFor(database, UPSERT, rows),
    ...dropPartsStatements(database, writes),
    ...statementsFor(
      database,
      `INSERT INTO segments (segment, start, text)
       SELECT d.document * ${SEGMENTS_PER_DOCUMENT} + (e.value ->> 1), e.value ->> 2, e.value ->> 3
       FROM json_each(?1) e JOIN documents d ON d.vector_id = e.value ->> 0`,
      writes.flatMap(({ vectorId, stored }) =>
        toSegments(stored.document.body).map(({ start, text }, sequence) => [vectorId, sequence, start, text]),
      ),
    ),
    ...authorStatements(database, writes),
    ...LIST_FIELDS.flatMap((field) => {
      const columns = listColumns(field)
      return statementsFor(
        database,
        `INSERT INTO ${field.property} (document, position, ${columns.join(', ')})
         SELECT d.document, e.value ->> 1, ${columns.map((_, at) => `e.value ->> ${at + 2}`).join(', ')}
         FROM json_each(?1) e JOIN documents d ON d.vector_id = e.value ->> 0`,
        writes.flatMap(({ vectorId, stored }) => {
          const items = (valueOf(stored.document, field.property) ?? []) as readonly unknown[]
          return items.map((item, position) => [vectorId, position, ...toListCells(field.kind, item)])
        }),
      )
    }),
  ]
}

/** The names of the documents' authors; known ones cost no write. */
function authorStatements(database: D1Database, writes: readonly DocumentWrite[]): D1PreparedStatement[] {
  const authors = new Map(
    writes.map(({ stored }) => {
      const names = authorNames(stored.document)
      return [authorKey(names), names]
    }),
  )
  const rows = [...authors].flatMap(([key, names]) =>
    key === undefined
      ? []
      : [...names.map((name) => [name, key, 1]), ...wordsOfNames(names).map((word) => [word, key, 0])],
  )
  const insert = `INSERT OR IGNORE INTO author_names (name_key, author_key, whole)
    SELECT e.value ->> 0, e.value ->> 1, e.value ->> 2 FROM json_each(?1) e`
  return statementsFor(database, insert, rows)
}

function dropPartsStatements(database: D1Database, writes: readonly DocumentWrite[]): D1PreparedStatement[] {
  const documents = 'SELECT d.document FROM json_each(?1) e JOIN documents d ON d.vector_id = e.value'
  const sqls = [
    `DELETE FROM segments WHERE segment IN (SELECT s.segment FROM (${documents}) d JOIN segments s
       ON s.segment >= d.document * ${SEGMENTS_PER_DOCUMENT} AND s.segment < (d.document + 1) * ${SEGMENTS_PER_DOCUMENT})`,
    ...LIST_FIELDS.map(({ property: table }) => `DELETE FROM ${table} WHERE document IN (${documents})`),
  ]
  const ids = packJson(writes.map(({ vectorId }) => vectorId))
  return ids.flatMap((json) => sqls.map((sql) => database.prepare(sql).bind(json)))
}
