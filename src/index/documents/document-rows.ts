/**
 * Documents as rows: one table of columns says how each is filled, and the SQL
 * that writes them is built from it. Rows of segments, labels and assignees
 * find their document by `vector_id` in the same transaction, so numbers are
 * given by the database alone.
 */
import { pathOf, type Document, type Identity } from '../../documents/document.ts'
import { foldName } from '../filters/filter-tokens.ts'
import { packJson, statementsFor, type SqlValue } from '../sql/json-rows.ts'
import { SEGMENTS_PER_DOCUMENT } from '../limits.ts'
import { toSegments, type Stored } from './stored-document.ts'

/** A document that a page writes, its times settled. */
export interface DocumentWrite {
  readonly vectorId: string
  readonly repoId: number
  readonly stored: Stored
  readonly createdAt: number
  readonly updatedAt: number
}

/** `times_given`: which clocks the source told; the others are when the row came in. */
export const CREATED_GIVEN = 1
export const UPDATED_GIVEN = 2

type Fill = (write: DocumentWrite, document: Document) => string | number | boolean | undefined

/** Every column but `document`, `version` and `deleted_at`, which the statement itself sets. */
const COLUMNS: Record<string, Fill> = {
  vector_id: (write) => write.vectorId,
  repository: (write) => write.repoId,
  type: (_, document) => document.identity.type,
  number: (_, { identity, number }) => ('number' in identity ? identity.number : number),
  path: (_, document) => pathOf(document),
  commit_sha: (_, { identity, commitSha }) => ('commitSha' in identity ? identity.commitSha : commitSha),
  tag_name: (_, { identity }) => part(identity, 'tagName'),
  comment_id: (_, { identity }) => part(identity, 'commentId'),
  review_id: (_, { identity }) => part(identity, 'reviewId'),
  title: (_, document) => document.title,
  url: (_, document) => document.url,
  author: (_, document) => document.author,
  author_key: (_, { author }) => author && foldName(author),
  author_association: (_, document) => document.authorAssociation,
  state: (_, document) => document.state,
  merged: (_, document) => document.merged,
  draft: (_, document) => document.draft,
  milestone: (_, document) => document.milestone,
  prerelease: (_, document) => document.prerelease,
  review_state: (_, document) => document.reviewState,
  file_status: (_, document) => document.fileStatus,
  message: (_, document) => document.message,
  commit_date: (_, document) => document.commitDate,
  commit_author: (_, document) => document.commitAuthor,
  line: (_, document) => document.line,
  diff_hunk: (_, document) => document.diffHunk,
  created_at: (write) => write.createdAt,
  updated_at: (write) => write.updatedAt,
  times_given: (_, { createdAt, updatedAt }) =>
    (createdAt === undefined ? 0 : CREATED_GIVEN) | (updatedAt === undefined ? 0 : UPDATED_GIVEN),
  body_chars: (_, document) => document.body.length,
  source_truncated: (_, document) => document.sourceTruncated === true,
  content_hash: ({ stored }) => stored.contentHash,
  text_hash: ({ stored }) => stored.textHash,
}

const NAMES = Object.keys(COLUMNS)

/** The repository's id in a row becomes its key here. */
const VALUES = NAMES.map((name, at) =>
  name === 'repository'
    ? `(SELECT repository FROM repositories WHERE repo_id = e.value ->> ${at})`
    : `e.value ->> ${at}`,
)

/** Vectors of the same text still hold, only what filters ask of them may not; vectors of another text are owed. */
const MARK_AFTER_REWRITE =
  'CASE WHEN documents.text_hash = excluded.text_hash THEN -abs(documents.vectors_version) ELSE 0 * documents.vectors_version END'

// The words are written later in the transaction and marked by then.
const UPSERT = `INSERT INTO documents (${NAMES.join(', ')}, version, words_version)
  SELECT ${VALUES.join(', ')}, 1, 0 FROM json_each(?1) e WHERE true
  ON CONFLICT (vector_id) DO UPDATE SET
    ${NAMES.filter((name) => name !== 'vector_id')
      .map((name) => `${name} = excluded.${name}`)
      .join(', ')},
    version = version + 1, words_version = 0, deleted_at = NULL,
    vectors_version = ${MARK_AFTER_REWRITE}`

function part(identity: Identity, key: 'tagName' | 'commentId' | 'reviewId'): string | number | undefined {
  return (identity as Partial<Record<typeof key, string | number>>)[key]
}

function toSql(value: string | number | boolean | undefined): SqlValue {
  if (value === undefined || value === '') return null
  return typeof value === 'boolean' ? Number(value) : value
}

/** Puts the documents with their segments, labels and assignees; what the old rows had is dropped first. */
export function documentStatements(database: D1Database, writes: readonly DocumentWrite[]): D1PreparedStatement[] {
  const rows = writes.map((write) => NAMES.map((name) => toSql(COLUMNS[name]!(write, write.stored.document))))
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
    ...nameStatements(database, 'labels', 'label', writes, (document) => document.labels),
    ...nameStatements(database, 'assignees', 'login', writes, (document) => document.assignees),
  ]
}

function nameStatements(
  database: D1Database,
  table: 'labels' | 'assignees',
  column: 'label' | 'login',
  writes: readonly DocumentWrite[],
  read: (document: Document) => readonly string[] | undefined,
): D1PreparedStatement[] {
  return statementsFor(
    database,
    `INSERT INTO ${table} (document, position, ${column}, ${column}_key)
     SELECT d.document, e.value ->> 1, e.value ->> 2, e.value ->> 3
     FROM json_each(?1) e JOIN documents d ON d.vector_id = e.value ->> 0`,
    writes.flatMap(({ vectorId, stored }) =>
      (read(stored.document) ?? []).map((name, position) => [vectorId, position, name, foldName(name)]),
    ),
  )
}

function dropPartsStatements(database: D1Database, writes: readonly DocumentWrite[]): D1PreparedStatement[] {
  const documents = 'SELECT d.document FROM json_each(?1) e JOIN documents d ON d.vector_id = e.value'
  const sqls = [
    `DELETE FROM segments WHERE segment IN (SELECT s.segment FROM (${documents}) d JOIN segments s
       ON s.segment >= d.document * ${SEGMENTS_PER_DOCUMENT} AND s.segment < (d.document + 1) * ${SEGMENTS_PER_DOCUMENT})`,
    `DELETE FROM labels WHERE document IN (${documents})`,
    `DELETE FROM assignees WHERE document IN (${documents})`,
  ]
  const ids = packJson(writes.map(({ vectorId }) => vectorId))
  return ids.flatMap((json) => sqls.map((sql) => database.prepare(sql).bind(json)))
}
