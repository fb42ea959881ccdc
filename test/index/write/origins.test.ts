/**
 * Pages of webhook deliveries and of reads: which of them wins over the index and over
 * each other, and what a removal leaves behind.
 */
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readMarker } from '../../../src/index/sql/markers.ts'
import { dropRepository } from '../../../src/index/write/drop-repository.ts'
import { putPage } from '../../../src/index/write/put-page.ts'
import { allDocuments, brokenInvariants, clearIndex, index, NOW, put } from '../../support/index-world.ts'
import { addRepository, deliver, pending, read, REPO_ID, toChanges } from '../../support/ingest-pages.ts'
import { LINES, removalOf, type Line } from '../../support/lines.ts'

const DAY = (day: number): string => `2026-11-${String(day).padStart(2, '0')}T10:00:00Z`

beforeEach(async () => {
  await clearIndex()
  await addRepository()
})
afterEach(async () => expect(await brokenInvariants()).toEqual([]))

const issue = (change: Line = {}): Line => ({ ...LINES.issue, updated_at: DAY(2), ...change })
const comment = (change: Line = {}): Line => ({ ...LINES.issue_comment, updated_at: DAY(2), ...change })
const review = (change: Line = {}): Line => ({ ...LINES.pr_review, updated_at: DAY(2), created_at: DAY(2), ...change })
const titles = async () => (await allDocuments()).map(({ title, body }) => title ?? body)
/** Rows of every table that a page may write, to show that nothing was written. */
const everything = async () =>
  JSON.stringify(
    await Promise.all(
      ['documents', 'removals', 'pending_reads', 'deliveries', 'surface_reads', 'ingestion', 'segments'].map(
        async (table) => (await env.DB.prepare(`SELECT * FROM ${table}`).all()).results,
      ),
    ),
  )

describe('deliveries', () => {
  test('a newer delivery is written, an older one is stale, and an equal one is unchanged', async () => {
    expect(await deliver([issue()])).toMatchObject({ written: 1, pending: 0 })
    expect(await deliver([issue({ title: 'Newer', updated_at: DAY(3) })])).toMatchObject({ written: 1 })
    expect(await deliver([issue({ title: 'Older' })])).toMatchObject({ written: 0, stale: 1, pending: 0 })
    expect(await deliver([issue({ title: 'Newer', updated_at: DAY(3) })])).toMatchObject({ unchanged: 1 })
    expect(await titles()).toEqual(['Newer'])
    expect(await pending()).toEqual([])
  })

  test('other words of the same time are not written but read again', async () => {
    await deliver([issue()])
    expect(await deliver([issue({ title: 'Same second' })])).toMatchObject({ written: 0, pending: 1 })
    expect(await titles()).toEqual(['Agents start twice'])
    expect(await pending()).toEqual(['thread 11'])
  })

  test('other words of a review are read again unless they are newer, because payloads give only its creation', async () => {
    await read([review({ body: 'Edited.', updated_at: DAY(5) })])
    expect(await deliver([review({ body: 'Edited again.' })])).toMatchObject({ stale: 0, pending: 1 })
    expect(await pending()).toEqual(['pr_review 12'])
    expect(await deliver([review({ body: 'Edited.', updated_at: DAY(5) })])).toMatchObject({ unchanged: 1, pending: 0 })
  })

  test('a document without a time from its source gives way to a delivery', async () => {
    await put([{ ...issue(), updated_at: null, repo_id: REPO_ID }])
    expect(await deliver([issue({ title: 'Delivered' })])).toMatchObject({ written: 1 })
    expect(await titles()).toEqual(['Delivered'])
  })

  test('a delivery that was committed has no second effect, and one that failed has its first', async () => {
    await env.DB.exec(`CREATE TRIGGER broken BEFORE INSERT ON labels BEGIN SELECT raise(ABORT, 'disk'); END`)
    await expect(deliver([issue()], {}, 'one')).rejects.toThrow(/disk/)
    await env.DB.exec('DROP TRIGGER broken')
    expect(await deliver([issue()], {}, 'one')).toMatchObject({ written: 1 })
    await deliver([removalOf(issue())])
    const before = await everything()
    expect(await deliver([issue()], {}, 'one')).toMatchObject({ written: 0, pending: 0, duplicate: true })
    expect(await everything()).toBe(before)
  })

  test('deliveries with one id at the same time have one effect', async () => {
    const sent = await Promise.all(Array.from({ length: 6 }, () => deliver([issue()], {}, 'same')))
    expect(sent.filter(({ duplicate }) => duplicate)).toHaveLength(5)
    expect(sent.reduce((written, one) => written + one.written, 0)).toBe(1)
  })
})

describe('removals', () => {
  test('a late delivery about something removed brings nothing back and is read again', async () => {
    await deliver([issue(), comment()])
    expect(await deliver([removalOf(comment())])).toMatchObject({ removed: 1 })
    expect(await deliver([comment({ body: 'Edited before it was deleted.', updated_at: DAY(9) })])).toMatchObject({
      written: 0,
      pending: 1,
    })
    expect(await titles()).toEqual(['Agents start twice'])
    expect(await pending()).toEqual(['issue_comment 501'])
  })

  test('a removal that arrives before what it removes is remembered', async () => {
    await deliver([removalOf(comment())])
    expect(await deliver([comment()])).toMatchObject({ written: 0, pending: 1 })
    expect(await allDocuments()).toEqual([])
  })

  test('a removed thread takes its comments and reviews with it, and a late comment of it is read again with its thread', async () => {
    await read([
      { ...LINES.pull_request, updated_at: DAY(2) },
      comment({ number: 12 }),
      review(),
      { ...LINES.pr_review_comment, updated_at: DAY(2) },
      comment({ number: 11, comment_id: 502, body: 'Of another thread.' }),
    ])
    expect(await deliver([removalOf(LINES.pull_request)])).toMatchObject({ removed: 4 })
    expect(await titles()).toEqual(['Of another thread.'])
    expect(await deliver([comment({ number: 12, comment_id: 503 })])).toMatchObject({ written: 0, pending: 2 })
    expect(await pending()).toEqual(['issue_comment 503', 'thread 12'])
  })

  test('a thread that the index does not have takes comments that it has', async () => {
    await read([comment()])
    expect(await deliver([removalOf(issue())])).toMatchObject({ removed: 1 })
    expect(await allDocuments()).toEqual([])
  })

  test('a removed commit takes its diffs with it', async () => {
    await read([LINES.commit, LINES.diff, { ...LINES.diff, file_path: 'b.ts' }, LINES.doc])
    expect(await read([removalOf(LINES.commit)])).toMatchObject({ removed: 3 })
    expect(await allDocuments()).toHaveLength(1)
  })

  test('a read that began before a removal brings nothing back, and a later one does', async () => {
    await read([issue()])
    const marker = await readMarker(index)
    await deliver([removalOf(issue())])
    expect(await read([issue(), comment()], marker)).toMatchObject({ written: 0, pending: 2 })
    expect(await pending()).toEqual(['issue_comment 501', 'thread 11'])
    expect(await allDocuments()).toEqual([])
    expect(await read([issue(), comment()])).toMatchObject({ written: 2, pending: 0 })
    expect(await deliver([comment({ comment_id: 509 })])).toMatchObject({ written: 1, pending: 0 })
  })

  test('a delivered removal counts again, so that a read from in between does not undo it', async () => {
    await deliver([removalOf(LINES.release)])
    const marker = await readMarker(index)
    await deliver([removalOf(LINES.release)])
    expect(await read([LINES.release], marker)).toMatchObject({ written: 0, pending: 1 })
    expect(await pending()).toEqual(['release v1.2.0-rc.1'])
  })

  test('older words of a comment that was edited into noise stay out, and newer ones come in', async () => {
    await read([comment()])
    const [change] = toChanges([removalOf(comment())])
    const { remove } = change as { remove: never }
    const noise = { remove: { ...(remove as object), updatedAt: Date.parse(DAY(5)) } } as never
    await deliver([], { changes: [noise] })
    expect(await allDocuments()).toEqual([])
    expect(await read([comment({ updated_at: DAY(4) })])).toMatchObject({ stale: 1, pending: 0 })
    expect(await deliver([comment({ updated_at: DAY(4) })])).toMatchObject({ stale: 1, pending: 0 })
    expect(await deliver([comment({ updated_at: DAY(6) })])).toMatchObject({ written: 0, pending: 1 })
    expect(await read([comment({ updated_at: DAY(6), body: 'Words again.' })])).toMatchObject({ written: 1 })
    expect(await deliver([], { changes: [noise] })).toMatchObject({ removed: 0, stale: 1 })
    expect(await titles()).toEqual(['Words again.'])
  })

  test('an import is obeyed, and forgets the removal', async () => {
    await deliver([issue(), removalOf(issue())])
    await deliver([removalOf(issue())])
    await put([issue({ repo_id: REPO_ID })])
    expect(await titles()).toEqual(['Agents start twice'])
    expect(await deliver([issue({ title: 'Newer', updated_at: DAY(9) })])).toMatchObject({ written: 1, pending: 0 })
  })

  test('a removal by an import is remembered too', async () => {
    await put([issue({ repo_id: REPO_ID })])
    const marker = await readMarker(index)
    await put([removalOf(issue())])
    expect(await read([issue()], marker)).toMatchObject({ written: 0, pending: 1 })
  })

  test('removals and comments of one thread at the same time leave no comment', async () => {
    await read([issue()])
    const marker = await readMarker(index)
    await Promise.all([
      ...Array.from({ length: 5 }, (_, at) => read([comment({ comment_id: 600 + at })], marker)),
      deliver([removalOf(issue())]),
      ...Array.from({ length: 5 }, (_, at) => deliver([comment({ comment_id: 700 + at })])),
    ])
    expect(await allDocuments()).toEqual([])
  })
})

describe('reads', () => {
  test('other words of the same time are written, and older ones are stale', async () => {
    await read([issue()])
    expect(await read([issue({ title: 'The source decides' })])).toMatchObject({ written: 1, pending: 0 })
    expect(await read([issue({ title: 'Lagging', updated_at: DAY(1) })])).toMatchObject({ stale: 1 })
    expect(await titles()).toEqual(['The source decides'])
  })

  test('other words of the same time do not replace what was delivered after the read began', async () => {
    const marker = await readMarker(index)
    await deliver([issue({ title: 'Second edit' })])
    expect(await read([issue({ title: 'First edit' })], marker)).toMatchObject({ written: 0, pending: 1 })
    expect(await titles()).toEqual(['Second edit'])
    expect(await read([issue({ title: 'Third edit' })])).toMatchObject({ written: 1, pending: 0 })
  })

  test('a proof of deletion from before a delivery does not remove what was delivered', async () => {
    await deliver([removalOf(LINES.release)])
    const marker = await readMarker(index)
    await read([LINES.release])
    await deliver([{ ...LINES.release, updated_at: DAY(9), title: 'Published again' }])
    expect(await read([removalOf(LINES.release)], marker)).toMatchObject({ removed: 0, pending: 1 })
    expect(await titles()).toEqual(['Published again'])
  })

  test('files of an older commit replace newer ones, because history can be rewritten', async () => {
    await read([{ ...LINES.doc, updated_at: DAY(5) }])
    expect(await read([{ ...LINES.doc, updated_at: DAY(1), body: 'Reset.' }])).toMatchObject({ written: 1, stale: 0 })
  })

  test('the version at the source moves with an unchanged document, and an import drops it', async () => {
    const versions = async () => (await env.DB.prepare('SELECT source_version, version FROM documents').all()).results
    const [change] = toChanges([LINES.doc]) as [never]
    const withVersion = (sourceVersion: string) => ({ changes: [{ ...(change as object), sourceVersion } as never] })
    await read([], undefined, withVersion('blob1'))
    expect(await read([], undefined, withVersion('blob2'))).toMatchObject({ written: 0, unchanged: 1 })
    expect(await versions()).toEqual([{ source_version: 'blob2', version: 1 }])
    const before = await everything()
    await read([], undefined, withVersion('blob2'))
    expect(await everything()).toBe(before)
    await put([{ ...LINES.doc, body: 'Imported.' }])
    expect(await versions()).toEqual([{ source_version: null, version: 2 }])
  })

  test('a page without effect writes nothing', async () => {
    await read([issue(), LINES.doc])
    await read([removalOf(LINES.release)])
    const before = await everything()
    await read([
      issue(),
      LINES.doc,
      issue({ number: 11, title: 'Older', updated_at: DAY(1) }),
      removalOf(LINES.release),
    ])
    expect(await everything()).toBe(before)
  })

  test('the visibility and the name of a repository are not taken from a late page', async () => {
    await read([{ ...LINES.doc, repo_private: true }])
    await deliver([issue({ repo: 'acme/old-name' })])
    const { results } = await env.DB.prepare('SELECT name, private FROM repositories').all()
    expect(results).toEqual([{ name: 'acme/widgets', private: 0 }])
    expect(await allDocuments()).toHaveLength(2)
  })

  test('a read that began before a rename is refused, since the addresses of its pages are out of date', async () => {
    const changes = toChanges([issue({ repo: 'acme/old-name' })])
    const late = await putPage(index, { changes, origin: { kind: 'read', marker: 0 } }, NOW)
    expect(late).toMatchObject({ ok: false, failure: { code: 'BUSY' } })
    expect(await allDocuments()).toEqual([])
  })

  test('a page of a repository that was dropped meanwhile is refused', async () => {
    await read([issue()])
    await dropRepository(index, REPO_ID, NOW, () => true)
    const late = await putPage(index, { changes: toChanges([issue()]), origin: { kind: 'read', marker: 0 } }, NOW)
    expect(late).toMatchObject({ ok: false, failure: { code: 'NOT_FOUND' } })
    await env.DB.exec(
      'DELETE FROM words; DELETE FROM chunks; DELETE FROM edges; UPDATE corpus SET chunks = 0, length = 0',
    )
  })
})
