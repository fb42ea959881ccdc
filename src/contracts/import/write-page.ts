/**
 * Documents as lines of an import page, the inverse of parse-page.ts: a page of
 * these lines puts the same documents, and its own lines are the same again.
 */
import type { Document } from '../../documents/document.ts'
import { valueOf } from '../../documents/document.ts'
import { FIELDS, toWire, type FieldName } from '../../documents/fields.ts'
import { fieldsOf, specOf } from '../../documents/index.ts'

/**
 * One line of NDJSON with its line end. Fields are in a fixed order; absent ones
 * are omitted, and so is the body of a type that is composed of its fields.
 */
export function toPageLine(document: Document): string {
  const { identity, repository, body } = document
  const { type } = identity
  const { id = 0, private: hidden } = repository
  const fields = fieldsOf(type).flatMap((name) => {
    const value = fieldValue(document, name)
    return value === undefined ? [] : [[name, value] as const]
  })
  const line = {
    type,
    repo: repository.name,
    // An id that is derived from the name is negative: it follows from the name again.
    ...(id > 0 && { repo_id: id }),
    ...(hidden !== undefined && { repo_private: hidden }),
    ...Object.fromEntries(fields),
    ...(specOf(type).compose === undefined && { body }),
  }
  return `${JSON.stringify(line)}\n`
}

/** Items of lists that are empty once they are cleaned name nothing. */
function fieldValue(document: Document, name: FieldName): unknown {
  const { property, kind } = FIELDS[name]
  const value = toWire(kind, valueOf(document, property))
  if (!Array.isArray(value)) return value
  const items = (value as readonly unknown[]).filter(isNamed)
  return items.length === 0 ? undefined : items
}

function isNamed(item: unknown): boolean {
  return typeof item === 'object' && item !== null ? Object.values(item).every((part) => part !== '') : item !== ''
}
