/** Exports random documents of every type, imports the lines into an empty index, and exports again. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { DOCUMENT_TYPES } from '../../../src/base/vocabulary.ts'
import { toPageLine } from '../../../src/contracts/import/write-page.ts'
import { FIELDS, type FieldKind, type FieldName } from '../../../src/documents/fields.ts'
import { fieldsOf, specOf } from '../../../src/documents/index.ts'
import { exportDocuments } from '../../../src/index/documents/export-documents.ts'
import { importPage } from '../../../src/ingest/import-page.ts'
import { sanitize } from '../../../src/text/sanitize.ts'
import { clearIndex, index, NOW, put } from '../../support/index-world.ts'
import type { Line } from '../../support/lines.ts'
import { runs } from '../../support/runs.ts'

/** Texts with characters that are removed, kept, or replaced on their way into the index. */
const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.constantFrom(
    '',
    'a\u200B\u200Db',
    '\u0000zero',
    'lone \uD800',
    '👩\u200D👧 family',
    '\u202Eturned',
    'می\u200Cخواهم',
    '  ',
  ),
)
const name = fc.tuple(fc.constantFrom('a', 'é', 'ｆ', 'Ü/x'), text).map(([head, tail]) => `${head}${tail}`)
const sha = fc
  .tuple(fc.constantFrom('a', 'B', '0'), fc.integer({ min: 0, max: 5 }))
  .map(([digit, n]) => `${digit.repeat(39)}${n}`)
const count = fc.integer({ min: 0, max: 1000 })

const VALUE_OF: Record<FieldKind, fc.Arbitrary<unknown>> = {
  id: fc.integer({ min: 1, max: 6 }),
  count,
  name,
  text,
  keyword: fc.constantFrom('APPROVED', 'commented', ''),
  url: fc.constantFrom('https://github.com/a/b', 'HTTP://x.example/\u200Bé'),
  sha,
  longText: fc.oneof(
    { weight: 9, arbitrary: text },
    { weight: 1, arbitrary: fc.constant(`${'x'.repeat(65_535)}😀tail`) },
  ),
  time: fc.constantFrom('2026-11-02T10:00:00Z', '2026-11-02T10:00:00.123+09:00', '1969-12-31', '0001-01-01T00:00:00Z'),
  boolean: fc.boolean(),
  flag: fc.boolean(),
  state: fc.constantFrom('open', 'closed'),
  names: fc.array(fc.oneof(name, fc.constant('\u200B')), { maxLength: 3 }),
  shas: fc.array(sha, { maxLength: 3 }),
  files: fc.array(fc.record({ path: name, status: fc.constantFrom('added', 'modified') }), { maxLength: 3 }),
}

const repository = fc.constantFrom<Line>(
  { repo: 'acme/widgets' },
  { repo: 'acme/gadgets', repo_id: 77, repo_private: false },
  { repo: 'Acme/Third', repo_id: 5, repo_private: true },
)

const line: fc.Arbitrary<Line> = fc.constantFrom(...DOCUMENT_TYPES).chain((type) => {
  const { identity, required, compose } = specOf(type)
  const needed: readonly FieldName[] = [...identity, ...required]
  const fields = Object.fromEntries(fieldsOf(type).map((field) => [field, VALUE_OF[FIELDS[field].kind]]))
  const body = fc.oneof(
    { weight: 18, arbitrary: text },
    { weight: 1, arbitrary: fc.constant(`${'я'.repeat(524_285)}ab😀я\u200Dя`) },
    { weight: 1, arbitrary: fc.constant('é'.repeat(40_000)) },
  )
  return fc
    .tuple(repository, fc.record(fields, { requiredKeys: [...needed] }), body)
    .map(([of, values, given]) => ({ type, ...of, ...values, ...(compose === undefined && { body: given }) }))
})

async function exported(): Promise<string> {
  let lines = ''
  for await (const batch of exportDocuments(index)) lines += batch.map(toPageLine).join('')
  return lines
}

test('an export that is imported into an empty index is exported again byte for byte', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 12 }), async (lines) => {
      await clearIndex()
      await put(lines)
      const first = await exported()
      await clearIndex()
      const imported = await importPage(index, first, undefined, NOW + 86_400_000)
      expect(imported).toMatchObject({ ok: true, value: { unchanged: 0, stale: 0, removed: 0 } })
      expect(await exported()).toBe(first)
    }),
    { numRuns: runs(30) },
  )
})

test('the order of an export does not depend on the order of the imports', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(line, { minLength: 2, maxLength: 10, selector: (one) => JSON.stringify([one['repo'], one]) }),
      async (lines) => {
        const first = new Map(lines.map((one) => [toKey(one), one]))
        await clearIndex()
        await put([...first.values()])
        const forwards = await exported()
        await clearIndex()
        for (const one of [...first.values()].toReversed()) await put([one])
        expect(await exported()).toBe(forwards)
      },
    ),
    { numRuns: runs(15) },
  )
})

/** Lines of one document have one key; an issue and a pull request of one number are one document. */
function toKey(one: Line): string {
  const { idPrefix, identity } = specOf(one['type'] as (typeof DOCUMENT_TYPES)[number])
  return JSON.stringify([one['repo'], idPrefix, identity.map((field) => keyPart(one[field]))])
}

function keyPart(value: unknown): string {
  return sanitize(String(value)).toLowerCase()
}
