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
  readonly document: number
  readonly vector_id: string
  readonly version: number
  readonly repo_id: number
  readonly repository_name: string
  readonly repository_private: number
  readonly created_at: number
  readonly updated_at: number
  readonly times_given: number
}

/** A document read back. A later write verifies that its version is unchanged. */
export interface VersionedDocument {
  readonly number: number
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
export async function readStored(index: Index, document: number): Promise<VersionedDocument | undefined> {
  return (await readStoredDocuments(index, [document]))[0]
}

/** Reads live documents by their numbers, at most some hundred, in one transaction and in the order given. */
export async function readStoredDocuments(
  { database }: Index,
  numbers: readonly number[],
): Promise<VersionedDocument[]> {
  const json = JSON.stringify(numbers)
  const [rows, segments, ...lists] = await database.batch([
    database
      .prepare(
        `SELECT d.*, r.repo_id, r.name AS repository_name, r.private AS repository_private
         FROM json_each(?1) e JOIN documents d ON d.document = e.value JOIN repositories r USING (repository)
         WHERE deleted_at IS NULL ORDER BY e.key`,
      )
      .bind(json),
    database
      .prepare(
        `SELECT e.value AS document, s.text FROM json_each(?1) e JOIN segments s
         ON s.segment >= e.value * ${SEGMENTS_PER_DOCUMENT} AND s.segment < (e.value + 1) * ${SEGMENTS_PER_DOCUMENT}
         ORDER BY s.segment`,
      )
      .bind(json),
    ...LIST_FIELDS.map((field) =>
      database
        .prepare(
          `SELECT i.document, ${listColumns(field)
            .map((column) => `i.${column}`)
            .join(', ')}
           FROM json_each(?1) e JOIN ${field.property} i ON i.document = e.value ORDER BY i.document, i.position`,
        )
        .bind(json),
    ),
  ])
  const texts = Map.groupBy(segments!.results as { document: number; text: string }[], ({ document }) => document)
  const items = LIST_FIELDS.map((field, at) => ({ field, rows: groupItems(lists[at]!) }))
  return (rows!.results as StoredRow[]).map((row) => {
    const body = (texts.get(row.document) ?? []).map(({ text }) => text).join('')
    const listed = items.flatMap(({ field, rows: byDocument }) => {
      const ofRow = byDocument.get(row.document)
      return ofRow === undefined ? [] : [[field.property, itemsIn(field, ofRow)] as const]
    })
    const values = { ...givenValuesOf(row), ...Object.fromEntries(listed) }
    const repository = { name: row.repository_name, id: row.repo_id, private: row.repository_private === 1 }
    return {
      number: row.document,
      vectorId: row.vector_id,
      version: row.version,
      document: toDocument(row.type, values, { repository, body }),
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    }
  })
}

type ItemRow = Readonly<Record<string, unknown>> & { readonly document: number }

function groupItems({ results }: D1Result): Map<number, ItemRow[]> {
  return Map.groupBy(results as ItemRow[], ({ document }) => document)
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

function itemsIn(field: (typeof LIST_FIELDS)[number], rows: readonly ItemRow[]): unknown[] {
  const columns = listColumns(field)
  return rows.map((row) =>
    toListItem(
      field.kind,
      columns.map((column) => row[column] as string),
    ),
  )
}
