import { env } from 'cloudflare:workers'
import * as fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { hasDrifted } from '../../src/fts/average-drift.ts'
import {
  beginShadowStatement,
  listMissing,
  readRowCounts,
  readRebuildReason,
} from '../../src/index/maintenance/shadow-index.ts'
import { d1Vectors } from '../../src/index/vectors/d1-vectors.ts'
import { runMaintenance } from '../../src/ingest/maintenance-run.ts'
import { refreshWords } from '../../src/ingest/refresh-words.ts'
import { brokenInvariants, clearIndex, index, NOW, put } from '../support/index-world.ts'
import { LINES, removalOf, type Line } from '../support/lines.ts'
import { runs } from '../support/runs.ts'

const events: string[] = []
const log = { info: (event: string) => void events.push(event), error: (event: string) => void events.push(event) }
const deps = { index, vectors: d1Vectors(index), now: () => NOW, log }

beforeEach(async () => {
  await clearIndex()
  // Begins with a table that has counted no rows.
  await beginShadowStatement(env.DB, 'drift').run()
  await refreshWords(deps, NOW + 1)
  events.length = 0
})
afterEach(async () => expect(await brokenInvariants()).toEqual([]))

const everyWord = async () =>
  (await env.DB.prepare('SELECT term, doc, cnt FROM word_frequencies ORDER BY term').all()).results
const doc = (at: number, body: string): Line => ({ ...LINES.doc, doc_path: `d${at}.md`, body })

test('a maintenance run replaces the word index when its averages have drifted, and the new one counts correctly', async () => {
  await put([doc(1, 'zebra'), doc(2, 'okapi')])
  expect(await readRowCounts(index)).toEqual({ inserted: 2, live: 2 })
  await runMaintenance(deps)
  expect(events).toEqual([])
  for (const body of ['one', 'two', 'three']) await put([doc(1, body)])
  const before = await everyWord()
  expect(hasDrifted(await readRowCounts(index))).toBe(true)
  await runMaintenance(deps)
  expect(events).toEqual(['words_refreshed'])
  expect(await readRowCounts(index)).toEqual({ inserted: 2, live: 2 })
  expect(await everyWord()).toEqual(before)
  expect(await readRebuildReason(index)).toBeUndefined()
  // The new table drifts and is replaced in the same way.
  for (const body of ['one', 'two', 'three', 'four']) await put([doc(2, body)])
  await runMaintenance(deps)
  expect(events).toEqual(['words_refreshed', 'words_refreshed'])
})

test('a refresh that reaches its deadline continues in the next run, and the old index answers until the swap', async () => {
  await put(Array.from({ length: 100 }, (_, at) => doc(at, `zebra ${at}`)))
  await beginShadowStatement(env.DB, 'drift').run()
  const before = await everyWord()
  await refreshWords(deps, NOW)
  expect(await listMissing(index, 0, 100)).toHaveLength(60)
  expect(await everyWord()).toEqual(before)
  await refreshWords(deps, NOW)
  await refreshWords(deps, NOW + 1)
  expect(events).toEqual(['words_refreshed'])
  expect(await everyWord()).toEqual(before)
})

test('the shadow index is not swapped in while words are pending', async () => {
  await put([doc(1, 'zebra')])
  await beginShadowStatement(env.DB, 'requested').run()
  await env.DB.prepare('UPDATE documents SET words_version = 0').run()
  await refreshWords(deps, NOW + 1)
  expect(events).toEqual([])
  await runMaintenance(deps)
  expect(events).toEqual(['words_refreshed'])
})

test('the new word index contains the pages that were put while it was filled', async () => {
  const step = fc.record({
    at: fc.integer({ min: 0, max: 3 }),
    body: fc.constantFrom('', 'red', 'x y', 'w '.repeat(2_000)),
    gone: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 6 }),
      fc.array(step, { minLength: 1, maxLength: 6 }),
      async (first, later) => {
        await clearIndex()
        const apply = ({ at, body, gone }: { at: number; body: string; gone: boolean }) =>
          put([gone ? removalOf(doc(at, body)) : doc(at, body)])
        for (const one of first) await apply(one)
        await beginShadowStatement(env.DB, 'drift').run()
        for (const one of later) {
          await refreshWords(deps, NOW)
          await apply(one)
        }
        const before = await everyWord()
        await refreshWords(deps, NOW + 1)
        if ((await readRebuildReason(index)) !== undefined) await refreshWords(deps, NOW + 1)
        expect(await everyWord()).toEqual(before)
        const { inserted, live } = await readRowCounts(index)
        expect(inserted).toBeGreaterThanOrEqual(live)
        expect(await brokenInvariants()).toEqual([])
      },
    ),
    { numRuns: runs(15) },
  )
})
