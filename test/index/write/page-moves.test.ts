/** Positions, pending reads and rows that move in the transaction of a page, and the lease under which it is written. */
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { dropLease, renewLease, takeLease } from '../../../src/index/ingestion/leases.ts'
import { listPendingReads } from '../../../src/index/ingestion/pending-reads.ts'
import { listSurfaceReads } from '../../../src/index/ingestion/surface-reads.ts'
import { putPage } from '../../../src/index/write/put-page.ts'
import { allDocuments, brokenInvariants, clearIndex, index, NOW } from '../../support/index-world.ts'
import { addRepository, deliver, pending, putOrThrow, read, REPO_ID, toChanges } from '../../support/ingest-pages.ts'
import { LINES } from '../../support/lines.ts'

beforeEach(async () => {
  await clearIndex()
  await addRepository()
})
afterEach(async () => expect(await brokenInvariants()).toEqual([]))

describe('what moves with a page', () => {
  const surface = {
    repoId: REPO_ID,
    surface: 'issue',
    walk: 'poll',
    position: { at: 1 },
    ended: false,
    requests: 2,
  } as const

  test('a position, pending reads and rows move together or not at all', async () => {
    await env.DB.exec(`CREATE TRIGGER broken BEFORE INSERT ON surface_reads BEGIN SELECT raise(ABORT, 'disk'); END`)
    const page = { surface, pending: [{ repoId: REPO_ID, kind: 'docs', key: '' }] } as const
    await expect(read([LINES.issue], undefined, page)).rejects.toThrow(/disk/)
    expect([await allDocuments(), await pending(), await listSurfaceReads(index)]).toEqual([[], [], []])
    await env.DB.exec('DROP TRIGGER broken')
    await read([LINES.issue], undefined, page)
    expect(await pending()).toEqual(['docs'])
    expect(await listSurfaceReads(index)).toMatchObject([{ position: { at: 1 }, state: 'reading', requests: 2 }])
  })

  test('a pending read is finished by its page, unless it was queued again meanwhile', async () => {
    const queue = { pending: [{ repoId: REPO_ID, kind: 'thread', key: '11' }] } as const
    await deliver([], queue)
    const first = await listPendingReads(index, NOW, 10)
    await deliver([], queue)
    await read([LINES.issue], undefined, { fetched: first })
    expect(await pending()).toEqual(['thread 11'])
    await read([LINES.issue], undefined, { fetched: await listPendingReads(index, NOW, 10) })
    expect(await pending()).toEqual([])
  })

  test('a page whose lease was lost is refused, and a renewed lease is not lost', async () => {
    const mine = { name: 'run', holder: 'a' }
    expect(await takeLease(index, mine, NOW)).toMatchObject({ ok: true })
    expect(await takeLease(index, { name: 'run', holder: 'b' }, NOW + 29_999)).toEqual({
      ok: false,
      expiresAtMs: NOW + 30_000,
    })
    await read([LINES.issue], undefined, { lease: mine })
    expect(await takeLease(index, { name: 'run', holder: 'b' }, NOW + 30_000, 10_000_000)).toMatchObject({ ok: true })
    const page = { changes: toChanges([LINES.doc]), origin: { kind: 'read', marker: 0 }, lease: mine } as const
    expect(await putPage(index, page, NOW)).toMatchObject({ ok: false, failure: { code: 'BUSY' } })
    expect(await renewLease(index, mine, NOW)).toBe(false)
    await dropLease(index, mine)
    expect(await takeLease(index, mine, NOW + 59_999)).toMatchObject({ ok: false })
    expect(await takeLease(index, mine, NOW + 60_000)).toMatchObject({ ok: true })
    expect(await allDocuments()).toHaveLength(1)
  })

  test('a position of an unknown repository is refused', async () => {
    await expect(
      putOrThrow({ changes: [], origin: { kind: 'read', marker: 0 }, surface: { ...surface, repoId: 9 } }),
    ).rejects.toThrow(/NOT_FOUND/)
  })
})
