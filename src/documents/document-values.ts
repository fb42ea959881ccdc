/** Assembles documents from the values of their fields, which a line of a page or a stored row gives. */
import type { DocumentType } from '../base/vocabulary.ts'
import type { Document, Identity } from './document.ts'
import { FIELDS, fromWire, type FieldName, type FieldValues } from './fields.ts'
import { specOf } from './index.ts'

/** The values that `source` has of these fields, under their names in import pages. */
export function readFieldValues(
  names: readonly FieldName[],
  source: Readonly<Partial<Record<string, unknown>>>,
): FieldValues {
  const values: Record<string, unknown> = {}
  for (const name of names) {
    const value = fromWire(FIELDS[name].kind, source[name])
    if (value !== undefined) values[FIELDS[name].property] = value
  }
  return values
}

/** The values must contain every field of the type's identity. */
export function toIdentity(type: DocumentType, values: FieldValues): Identity {
  const parts = specOf(type).identity.map((name) => [FIELDS[name].property, values[FIELDS[name].property]])
  return { type, ...Object.fromEntries(parts) } as Identity
}

/**
 * The document with these values; fields of its identity move into the identity.
 * Without a `body` the type must be able to compose one.
 */
export function toDocument(
  type: DocumentType,
  given: FieldValues,
  { repository, body: givenBody }: Pick<Document, 'repository'> & { readonly body: string | undefined },
): Document {
  const composed = givenBody === undefined ? specOf(type).compose?.(given) : undefined
  const { values, body } = composed ?? { values: given, body: givenBody ?? '' }
  const identity = toIdentity(type, values)
  const fields = Object.entries(values).filter(([property]) => !(property in identity))
  return { identity, repository, body, ...Object.fromEntries(fields) }
}
