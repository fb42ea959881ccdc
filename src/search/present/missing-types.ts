/**
 * Warns where a request is for a type of document that the repositories in scope
 * do not have, as issues in an index that was only imported from git, and names
 * what brings them in.
 */
import type { DocumentType } from '../../base/vocabulary.ts'
import { DOCUMENT_TYPES } from '../../base/vocabulary.ts'
import type { FieldName } from '../../documents/fields.ts'
import { fieldsOf } from '../../documents/index.ts'
import { typesOf } from '../../index/filters/filter-forms.ts'
import type { Selection } from '../../index/filters/filter-forms.ts'
import type { SearchRequest } from '../plan/request-filters.ts'

/** Filters on a field that only some types have. */
const FIELD_OF_FILTER: Partial<Record<keyof Selection, FieldName>> = {
  state: 'state',
  merged: 'merged',
  draft: 'draft',
  labels: 'labels',
  milestone: 'milestone',
  assignee: 'assignees',
  lacks: 'labels',
  has: 'labels',
}

/** The types that the request asks for, by type or by a filter that only they can pass; empty for any type. */
export function requestedTypes({ filters }: SearchRequest): readonly DocumentType[] {
  if (filters.type !== undefined) return typesOf(filters.type)
  const fields = Object.entries(FIELD_OF_FILTER).flatMap(([filter, field]) =>
    filters[filter as keyof Selection] === undefined ? [] : [field],
  )
  if (fields.length === 0) return []
  return DOCUMENT_TYPES.filter((type) => fields.every((field) => fieldsOf(type).includes(field)))
}

/** Commands that import documents of a type; the others come from a file of lines. */
const SOURCES: Partial<Record<DocumentType, string>> = {
  doc: '`npm run import` reads them from a checkout.',
  commit: '`npm run import` reads them from a checkout.',
  diff: '`npm run import` reads them from a checkout.',
  release: '`npm run import` makes them from the tags of a checkout.',
  wiki_doc: '`npm run import -- --wiki FOLDER` reads them from a checkout of the wiki.',
}

const FROM_LINES =
  'git does not have them; `npm run import -- --documents FILE` reads an export of them (docs/importing.md).'

/**
 * The warning that no row in scope has one of these types. `elsewhere` is true
 * where other visible repositories have such rows.
 */
export function missingTypesWarning(
  types: readonly DocumentType[],
  place: string | undefined,
  elsewhere: boolean,
): string {
  const rows = `no rows of type ${types.join(' or ')}`
  const next = SOURCES[types[0] ?? 'issue'] ?? FROM_LINES
  if (place === undefined) return `The index has ${rows} that you may see: ${next}`
  return `${place} has ${rows} in this index${elsewhere ? ', other repositories have' : ''}: ${next}`
}
