import { expect, test } from 'vitest'
import { DOCUMENT_TYPES } from '../../src/base/vocabulary.ts'
import { FIELD_NAMES, FIELDS } from '../../src/documents/fields.ts'
import { fieldsOf, specOf } from '../../src/documents/index.ts'

test.each(DOCUMENT_TYPES)('the type %s lists each of its fields once', (type) => {
  const fields = fieldsOf(type)
  expect(new Set(fields).size).toBe(fields.length)
  const properties = fields.map((name) => FIELDS[name].property)
  expect(new Set(properties).size).toBe(properties.length)
})

test.each(DOCUMENT_TYPES)('the identity of the type %s consists of values that are never cut or absent', (type) => {
  const kinds = specOf(type).identity.map((name) => FIELDS[name].kind)
  expect(kinds.length).toBeGreaterThan(0)
  expect(['id', 'name', 'sha']).toEqual(expect.arrayContaining(kinds))
})

test('every field belongs to a type', () => {
  const used = new Set(DOCUMENT_TYPES.flatMap(fieldsOf))
  expect(FIELD_NAMES.filter((name) => !used.has(name))).toEqual([])
})

test('fields of one property have one column and one kind', () => {
  const rows = Object.values(FIELDS).map(({ property, column, kind }) => `${property} ${column} ${kind}`)
  expect(new Set(rows).size).toBe(new Set(Object.values(FIELDS).map(({ property }) => property)).size)
})

test('only an issue and a pull request share an id prefix', () => {
  const prefixes = DOCUMENT_TYPES.map((type) => specOf(type).idPrefix)
  expect(new Set(prefixes).size).toBe(DOCUMENT_TYPES.length - 1)
  expect(specOf('pull_request').idPrefix).toBe(specOf('issue').idPrefix)
})
