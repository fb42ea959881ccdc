/**
 * Reads stored rows back as documents, whole, to make derived rows from them.
 * The inverse of document-rows.ts.
 */
import { DOCUMENT_TYPES, type DocumentType } from '../../base/vocabulary.ts'
import type { Document, Identity } from '../../documents/document.ts'
import { toDocument, toIdentity } from '../../documents/document-values.ts'
import { FIELD_COLUMNS, FIELDS, LIST_FIELDS, type FieldKind, type FieldValues } from '../../documents/fields.ts'
import { specOf } from '../../documents/index.ts'
import type { Index } from '../sql/index-database.ts'
import { listColumns, toListItem } from './list-columns.ts'
import { CREATED_GIVEN, UPDATED_GIVEN } from './document-rows.ts'
import { SEGMENTS_PER_DOCUMENT } from '../limits.ts'

/** A row of `documents`: its type and columns of fields, by their names in the table. */
export type FieldRow = Readonly<Record<string, unknown>> & { readonly type: DocumentType }

type StoredRow = FieldRow & {
  readonly vector_id: string
  readonly version: number
  readonly repo_id: number
  readonly repository_name: string
  readonly created_at: number
  readonly updated_at: number
  readonly times_given: number
}

/** A document read back. A later write verifies that its version is unchanged. */
export interface VersionedDocument {
  readonly vectorId: string
  readonly version: number
  readonly document: Document
  readonly createdAt: number
  readonly updatedAt: number
}

/** The columns that `identityOf` reads. */
export const IDENTITY_COLUMNS = [
  'type',
  ...new Set(DOCUMENT_TYPES.flatMap((type) => specOf(type).identity.map((name) => FIELDS[name].column))),
].join(', ')

export function identityOf(row: FieldRow): Identity {
  return toIdentity(row.type, valuesOf(row))
}

/** Reads one live document by its number in one transaction; undefined if there is none. */
export async function readStored({ database }: Index, document: number): Promise<VersionedDocument | undefined> {
  const [rows, segments, ...lists] = await database.batch([
    database
      .prepare(
        `SELECT d.*, r.repo_id, r.name AS repository_name FROM documents d JOIN repositories r USING (repository)
         WHERE document = ?1 AND deleted_at IS NULL`,
      )
      .bind(document),
    database
      .prepare('SELECT text FROM segments WHERE segment >= ?1 AND segment < ?2 ORDER BY segment')
      .bind(document * SEGMENTS_PER_DOCUMENT, (document + 1) * SEGMENTS_PER_DOCUMENT),
    ...LIST_FIELDS.map((field) =>
      database
        .prepare(`SELECT ${listColumns(field).join(', ')} FROM ${field.property} WHERE document = ?1 ORDER BY position`)
        .bind(document),
    ),
  ])
  const row = (rows!.results as StoredRow[])[0]
  if (row === undefined) return undefined
  const body = (segments!.results as { text: string }[]).map(({ text }) => text).join('')
  const items = LIST_FIELDS.map((field, at): [string, unknown[]] => [field.property, itemsIn(field, lists[at]!)])
  const values = { ...givenValuesOf(row), ...Object.fromEntries(items.filter(([, list]) => list.length > 0)) }
  return {
    vectorId: row.vector_id,
    version: row.version,
    document: toDocument(row.type, values, { repository: { name: row.repository_name, id: row.repo_id }, body }),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/** The values that the source gave, without the times that the index set. */
function givenValuesOf(row: StoredRow): FieldValues {
  const { createdAt = 0, updatedAt = 0, ...values } = valuesOf(row)
  return {
    ...values,
    ...(row.times_given & CREATED_GIVEN && { createdAt }),
    ...(row.times_given & UPDATED_GIVEN && { updatedAt }),
  }
}

function valuesOf(row: FieldRow): FieldValues {
  const values: Record<string, unknown> = {}
  for (const { property, column, kind } of FIELD_COLUMNS) {
    const value = fromColumn(kind, row[column])
    if (value !== undefined) values[property] = value
  }
  return values
}

/** NULL, a column that was not selected and a flag that is not set are absent. */
function fromColumn(kind: FieldKind, value: unknown): unknown {
  if (value === null || value === undefined) return undefined
  if (kind === 'flag') return value === 1 ? true : undefined
  return kind === 'boolean' ? value === 1 : value
}

function itemsIn(field: (typeof LIST_FIELDS)[number], { results }: D1Result): unknown[] {
  const columns = listColumns(field)
  return (results as Record<string, string>[]).map((row) =>
    toListItem(
      field.kind,
      columns.map((column) => row[column]!),
    ),
  )
}
