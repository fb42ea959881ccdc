/** Takes random documents of every type through all their forms: page line, parsed change, stored rows, document read back. */
import * as fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { toPageLine } from '../../../mcp-server/src/import/page-line.ts'
import { DOCUMENT_TYPES, ISSUE_STATES, type DocumentType } from '../../../src/base/vocabulary.ts'
import type { Document } from '../../../src/documents/document.ts'
import { toDocument } from '../../../src/documents/document-values.ts'
import { COMMON_FIELDS, FIELDS, type FieldKind, type FieldName } from '../../../src/documents/fields.ts'
import { specOf } from '../../../src/documents/index.ts'
import { importPage } from '../../../src/ingest/import-page.ts'
import { sanitize } from '../../../src/text/sanitize.ts'
import { allDocuments, brokenInvariants, clearIndex, index, NOW } from '../../support/index-world.ts'
import { runs } from '../../support/runs.ts'

const clean = (maxLength: number) => fc.string({ unit: 'binary', maxLength }).map(sanitize)
const text = clean(60).filter((value) => value !== '')
const hex = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 7, maxLength: 64 })

const OF_KIND: Record<FieldKind, fc.Arbitrary<unknown>> = {
  id: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  count: fc.nat(),
  name: text,
  text,
  keyword: text.map((value) => sanitize(value.toLowerCase())),
  url: text.map((value) => `https://${value}`),
  sha: hex,
  longText: text,
  time: fc.integer({ min: Date.UTC(1970, 0), max: Date.UTC(2100, 0) }),
  boolean: fc.boolean(),
  flag: fc.constant(true),
  state: fc.constantFrom(...ISSUE_STATES),
  names: fc.array(text, { minLength: 1, maxLength: 4 }),
  shas: fc.array(hex, { minLength: 1, maxLength: 4 }),
  files: fc.array(fc.record({ path: text, status: fc.constantFrom('added', 'modified', 'removed') }), {
    minLength: 1,
    maxLength: 4,
  }),
}

function documentOf(type: DocumentType): fc.Arbitrary<Document> {
  const { identity, required, optional } = specOf(type)
  const valuesOf = (names: readonly FieldName[]) =>
    Object.fromEntries(names.map((name) => [FIELDS[name].property, OF_KIND[FIELDS[name].kind]]))
  return fc
    .tuple(
      fc.record(valuesOf([...identity, ...required])),
      fc.record(valuesOf([...optional, ...COMMON_FIELDS]), { requiredKeys: [] }),
      clean(200),
    )
    .map(([needed, given, body]) =>
      toDocument(
        type,
        { ...needed, ...given },
        // A composed body is made of the fields.
        { repository: { name: 'acme/widgets' }, body: specOf(type).compose === undefined ? body : undefined },
      ),
    )
}

const withoutRepository = (document: Document) => ({ ...document, repository: undefined })

beforeEach(clearIndex)
afterEach(async () => expect(await brokenInvariants()).toEqual([]))

test.each(DOCUMENT_TYPES)(
  'a document of type %s is unchanged after it is written as a line, parsed, stored and read back',
  async (type) => {
    await fc.assert(
      fc.asyncProperty(documentOf(type), async (document) => {
        await clearIndex()
        const line = toPageLine({ put: document })
        expect(await importPage(index, line, undefined, NOW)).toMatchObject({ ok: true, value: { written: 1 } })
        expect((await allDocuments()).map(withoutRepository)).toEqual([withoutRepository(document)])
        expect(await importPage(index, line, undefined, NOW)).toMatchObject({ ok: true, value: { unchanged: 1 } })
        const { identity, repository } = document
        const removal = toPageLine({ remove: { identity, repository } })
        expect(await importPage(index, removal, undefined, NOW)).toMatchObject({ ok: true, value: { removed: 1 } })
      }),
      { numRuns: runs(12) },
    )
  },
)
