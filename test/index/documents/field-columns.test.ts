/** Compares the table of fields with the tables that the migrations create. */
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { FIELD_COLUMNS, LIST_FIELDS } from '../../../src/documents/fields.ts'
import { listColumns } from '../../../src/index/documents/list-columns.ts'

/** Columns of `documents` that are not fields: keys, derived values and versions. */
const OTHER_COLUMNS = [
  'document',
  'vector_id',
  'repository',
  'type',
  'author_key',
  'milestone_key',
  'path_key',
  'version_key',
  'times_given',
  'body_chars',
  'content_hash',
  'text_hash',
  'version',
  'deleted_at',
  'source_version',
  'delivered',
  'anchor',
  'words_version',
  'edges_version',
  'vectors_version',
]

async function columnsOf(table: string): Promise<string[]> {
  const { results } = await env.DB.prepare('SELECT name FROM pragma_table_info(?1)').bind(table).all<{ name: string }>()
  return results.map(({ name }) => name)
}

test('every column of documents is a field or is listed in this test', async () => {
  const fields = FIELD_COLUMNS.map(({ column }) => column)
  expect((await columnsOf('documents')).toSorted()).toEqual([...fields, ...OTHER_COLUMNS].toSorted())
})

test.each(LIST_FIELDS)('the list $property has its own table', async (field) => {
  expect(await columnsOf(field.property)).toEqual(['document', 'position', ...listColumns(field)])
})
