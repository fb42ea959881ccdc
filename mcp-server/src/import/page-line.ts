/**
 * Writes a change as one line of an import page, the inverse of `parseImportPage`.
 * A line names its repository and omits the repository's id and visibility, which
 * the index then leaves unchanged.
 */
import { valueOf, type Document, type DocumentChange, type Identity } from '../../../src/documents/document.ts'
import { FIELDS, toWire, type FieldName, type FieldValues } from '../../../src/documents/fields.ts'
import { fieldsOf, specOf } from '../../../src/documents/index.ts'

/** One line without its newline; lone surrogates, which UTF-8 cannot carry, are replaced. */
export function toPageLine(change: DocumentChange): string {
  const line = 'remove' in change ? toRemoval(change.remove.repository.name, change.remove.identity) : toPut(change.put)
  return JSON.stringify(line, (_, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value))
}

function toRemoval(repo: string, identity: Identity): Record<string, unknown> {
  const { type } = identity
  const parts: FieldValues = identity
  return { type, ...toFields(specOf(type).identity, (name) => parts[FIELDS[name].property]), repo, deleted: true }
}

function toPut(document: Document): Record<string, unknown> {
  const { type } = document.identity
  const fields = toFields(fieldsOf(type), (name) => valueOf(document, FIELDS[name].property))
  const isComposed = specOf(type).compose !== undefined
  return { type, repo: document.repository.name, ...(isComposed ? {} : { body: document.body }), ...fields }
}

/** Fields without a value are undefined, which JSON omits. */
function toFields(names: readonly FieldName[], read: (name: FieldName) => unknown): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, toWire(FIELDS[name].kind, read(name))]))
}
