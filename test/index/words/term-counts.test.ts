import { env } from 'cloudflare:workers'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { renewCommonTerms } from '../../../src/index/maintenance/common-terms.ts'
import { beginShadowStatement } from '../../../src/index/maintenance/shadow-index.ts'
import { readerOf } from '../../../src/index/reader.ts'
import { constant, runQuery, sql } from '../../../src/index/sql/sql.ts'
import { frequenciesOf, limitIfFewRows } from '../../../src/index/words/term-counts.ts'
import { d1Vectors } from '../../../src/index/vectors/d1-vectors.ts'
import { runMaintenance } from '../../../src/ingest/maintenance-run.ts'
import { refreshWords } from '../../../src/ingest/refresh-words.ts'
import { brokenInvariants, clearIndex, index, NOW, put } from '../../support/index-world.ts'
import { LINES, removalOf, type Line } from '../../support/lines.ts'

const log = { info() {}, error() {} }
const deps = { index, vectors: d1Vectors(index), now: () => NOW, log }

const PAGE = 200
const COUNT = 1_200
const doc = (at: number): Line => ({
  ...LINES.doc,
  doc_path: `d${at}.md`,
  body: at % 20 === 0 ? 'zebra okapi' : 'zebra',
})
const docs = (from: number, to: number): Line[] => Array.from({ length: to - from }, (_, at) => doc(from + at))

async function putAll(lines: readonly Line[]): Promise<void> {
  for (let at = 0; at < lines.length; at += PAGE) await put(lines.slice(at, at + PAGE))
}

async function counted(...terms: string[]): Promise<Record<string, number>> {
  const read = await runQuery(readerOf(env.DB), frequenciesOf(terms))
  if (!read.ok) throw new Error(read.failure.message)
  return Object.fromEntries(read.value)
}

const TERMS = ['zebra', 'okapi', 'absent'] as const

/** Writes a count that is not true, so that a read shows where its count is from. */
async function markKept(): Promise<void> {
  await env.DB.prepare("UPDATE common_terms SET chunks = 1111 WHERE term = 'zebra'").run()
}

const MARKED = { zebra: 1_111, okapi: 60 }
const TRUE = { zebra: 1_200, okapi: 60 }

beforeAll(async () => {
  await clearIndex()
  // Begins with a table that was given no rows.
  await beginShadowStatement(env.DB, 'drift').run()
  await refreshWords(deps, NOW + 1)
  await putAll(docs(0, COUNT))
})
beforeEach(async () => {
  await env.DB.batch([
    env.DB.prepare('DELETE FROM common_terms'),
    env.DB.prepare('UPDATE corpus SET counted_chunks = 0, counted_rows = 0'),
  ])
})
afterAll(async () => {
  expect(await brokenInvariants()).toEqual([])
  await clearIndex()
})

test('A maintenance run keeps the counts of common terms only, and they are the true ones.', async () => {
  expect(await counted(...TERMS)).toEqual(TRUE)
  await runMaintenance(deps)
  const { results } = await env.DB.prepare("SELECT * FROM common_terms WHERE term IN ('zebra', 'okapi')").all()
  expect(results).toEqual([{ term: 'zebra', chunks: 1_200 }])
  expect(await counted(...TERMS)).toEqual(TRUE)
  await markKept()
  expect(await counted(...TERMS)).toEqual(MARKED)
  expect(await counted('okapi')).toEqual({ okapi: 60 })
})

test.each([
  ['absent', 'DELETE FROM common_terms'],
  ['those of a far smaller index', 'UPDATE corpus SET counted_chunks = 900'],
  ['those of a far larger index', 'UPDATE corpus SET counted_chunks = 1600'],
  ['those of an index that was replaced', 'UPDATE corpus SET counted_chunks = 0'],
])('Where the kept counts are %s, the vocabulary counts.', async (_, change) => {
  await renewCommonTerms(index)
  await markKept()
  await env.DB.prepare(change).run()
  expect(await counted(...TERMS)).toEqual(TRUE)
})

test.each([
  ['a little smaller', 1_050],
  ['a little larger', 1_400],
])('The counts of an index that was %s are used.', async (_, chunks) => {
  await renewCommonTerms(index)
  await markKept()
  await env.DB.prepare('UPDATE corpus SET counted_chunks = ?1').bind(chunks).run()
  expect(await counted(...TERMS)).toEqual(MARKED)
})

test('Kept counts bound the rows that a question may score.', async () => {
  const limitOf = async (terms: string[]) => {
    const read = await runQuery(readerOf(env.DB), {
      statement: sql`SELECT ${limitIfFewRows(terms, constant('100'))} AS most`,
      toValue: ([row]) => row?.['most'],
    })
    return read.ok ? read.value : undefined
  }
  const many = Array.from({ length: 9 }, (_, at) => `unknown${at}`)
  expect(await limitOf(['zebra', ...many])).toBe(100)
  await renewCommonTerms(index)
  await env.DB.prepare("UPDATE common_terms SET chunks = 10001 WHERE term = 'zebra'").run()
  expect(await limitOf(['zebra', ...many])).toBe(0)
  expect(await limitOf(['okapi', ...many])).toBe(100)
})

test('The terms are counted again when a tenth of the index has changed, and not before.', async () => {
  expect(await renewCommonTerms(index)).toBe(true)
  expect(await renewCommonTerms(index)).toBe(false)
  await putAll(docs(COUNT, COUNT + 100))
  expect(await renewCommonTerms(index)).toBe(false)
  await putAll(docs(COUNT + 100, COUNT + 130))
  expect(await renewCommonTerms(index)).toBe(true)
  await markKept()
  expect(await counted('zebra')).toEqual({ zebra: 1_111 })
  // Documents that are removed change the index as much as new ones.
  await putAll(docs(COUNT, COUNT + 130).map(removalOf))
  expect(await renewCommonTerms(index)).toBe(false)
  await putAll(docs(1_190, 1_200).map(removalOf))
  expect(await renewCommonTerms(index)).toBe(true)
  expect(await counted('zebra')).toEqual({ zebra: 1_190 })
  // And so do documents that are written again.
  await putAll(docs(0, 150).map((line) => ({ ...line, body: 'okapi', updated_at: '2026-11-30T00:00:00Z' })))
  expect(await renewCommonTerms(index)).toBe(true)
  expect(await counted(...TERMS)).toEqual({ zebra: 1_040, okapi: 202 })
})

test('An index too small for common terms keeps no counts, and a replaced word index is counted by its vocabulary.', async () => {
  await clearIndex()
  await putAll(docs(0, 40))
  expect(await renewCommonTerms(index)).toBe(false)
  expect(await counted(...TERMS)).toEqual({ zebra: 40, okapi: 2 })
  await env.DB.batch([
    env.DB.prepare("INSERT INTO common_terms (term, chunks) VALUES ('zebra', 39)"),
    env.DB.prepare('UPDATE corpus SET counted_chunks = 40, counted_rows = 40'),
  ])
  expect(await counted(...TERMS)).toEqual({ zebra: 39, okapi: 2 })
  await beginShadowStatement(env.DB, 'requested').run()
  await refreshWords(deps, NOW + 1)
  expect(await counted(...TERMS)).toEqual({ zebra: 40, okapi: 2 })
})
