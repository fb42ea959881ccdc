/** The places of releases over the parents in the index. */
import { describe, expect, it } from 'vitest'
import type { Document } from '../../../src/documents/document.ts'
import { readGraph } from '../../../src/documents/releases/commit-graph.ts'
import { placeTags } from '../../../src/documents/releases/place-tags.ts'
import { placeReleases } from '../../../src/ingest/surfaces/commits/placed-releases.ts'
import { diffSurface } from '../../../src/ingest/surfaces/diff-surface.ts'
import { ModelReader, ModelRows } from '../../support/model-rows.ts'
import { runs } from '../../support/runs.ts'
import { ScriptedRepository, shaOf } from '../../support/scripted-repository.ts'

const repository = { name: 'acme/app', id: 7 }
const sha = (at: number): string => shaOf(`commit ${at}`)

function release(tagName: string, commitSha: string | undefined): Document<'release'> {
  return {
    identity: { type: 'release', tagName },
    repository,
    body: `notes of ${tagName}`,
    ...(commitSha !== undefined && { commitSha }),
  }
}

/** `parents[n]` are numbers of earlier commits. */
function rowsOf(parents: readonly (readonly number[])[]): ModelRows {
  const rows = new ModelRows()
  rows.apply(
    parents.map((list, at) => ({
      put: { identity: { type: 'commit', commitSha: sha(at) }, repository, body: '', parents: list.map(sha) },
    })),
  )
  return rows
}

async function releasesOf(rows: ModelRows): Promise<readonly Document<'release'>[]> {
  return (await rows.listReleases()).map(({ document }) => document)
}

async function place(rows: ModelRows, tags: Readonly<Record<string, number>>): Promise<Record<string, unknown>> {
  const arriving = Object.entries(tags).map(([tag, at]) => release(tag, sha(at)))
  rows.apply(await placeReleases(rows, { arriving }))
  return Object.fromEntries(
    (await releasesOf(rows)).map(({ identity, previousTag, commitCount, released = [] }) => [
      identity.tagName,
      [previousTag, commitCount, [...released].sort()],
    ]),
  )
}

describe('the place of a release', () => {
  it('is found by ancestry: the release before it, the commits between, and what it released first', async () => {
    const rows = rowsOf([[], [0], [0], [1, 2], [3]])
    expect(await place(rows, { 'v1.0.0': 1, 'v2.0.0': 4 })).toEqual({
      'v1.0.0': [undefined, 2, [sha(0), sha(1)].sort()],
      'v2.0.0': ['v1.0.0', 3, [sha(2), sha(3), sha(4)].sort()],
    })
  })

  it('changes with a release that arrives later, and with one that is removed', async () => {
    const rows = rowsOf([[], [0], [1], [2]])
    await place(rows, { 'v1.0.0': 0, 'v3.0.0': 3 })
    expect(await place(rows, { 'v2.0.0': 2 })).toMatchObject({
      'v2.0.0': ['v1.0.0', 2, expect.anything()],
      'v3.0.0': ['v2.0.0', 1, [sha(3)]],
    })
    rows.apply([{ remove: { identity: { type: 'release', tagName: 'v2.0.0' }, repository } }])
    rows.apply(await placeReleases(rows, { removed: ['v2.0.0'] }))
    const [, last] = (await releasesOf(rows)).filter(({ identity }) => identity.tagName !== 'v2.0.0')
    expect([last?.previousTag, last?.commitCount]).toEqual(['v1.0.0', 3])
  })

  it('is unknown while the index lacks a part of its history, or its commit', async () => {
    const rows = rowsOf([[], [0], [1], [2]])
    rows.apply([{ remove: { identity: { type: 'commit', commitSha: sha(0) }, repository } }])
    rows.apply([{ put: { identity: { type: 'commit', commitSha: sha(9) }, repository, body: '' } }])
    rows.apply(
      await placeReleases(rows, {
        arriving: [release('v1', sha(3)), release('v2', sha(50)), release('v3', undefined), release('v4', sha(9))],
      }),
    )
    const places = (await releasesOf(rows)).map(({ identity, commitCount, released }) => [
      identity.tagName,
      commitCount,
      released?.length,
    ])
    expect(places).toEqual([
      ['v1', undefined, undefined],
      ['v2', undefined, undefined],
      ['v3', undefined, undefined],
      ['v4', 1, 1],
    ])
  })

  it('keeps everything else that a stored release has, and puts nothing that is placed already', async () => {
    const rows = rowsOf([[], [0]])
    await place(rows, { 'v1.0.0': 1 })
    expect((await releasesOf(rows))[0]?.body).toBe('notes of v1.0.0')
    expect(await placeReleases(rows)).toEqual([])
  })

  it('is found at the end of the walk through the commits', async () => {
    const scripted = new ScriptedRepository()
    const reader = new ModelReader(scripted)
    const first = scripted.commit({ a: '1' })
    const second = scripted.commit({ a: '2' })
    reader.rows.apply(
      await placeReleases(reader.rows, { arriving: [release('v1.0.0', first), release('v1.1.0', second)] }),
    )
    await reader.run(diffSurface)
    const releases = await releasesOf(reader.rows)
    expect(releases.map(({ previousTag, released }) => [previousTag, released])).toEqual([
      [undefined, [first]],
      ['v1.0.0', [second]],
    ])
  })

  it('is the same as in a history whose order git gives, for any history', async () => {
    for (let seed = 0; seed < runs(200); seed += 1) {
      let state = seed + 1
      const random = (below: number): number => {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
        return Math.floor((state / 2 ** 32) * below)
      }
      const parents = Array.from({ length: 1 + random(25) }, (_, at) => {
        const list = at === 0 || random(12) === 0 ? [] : [random(at), ...(random(3) === 0 ? [random(at)] : [])]
        return [...new Set(list)]
      })
      const tags = Object.fromEntries(
        ['v1.0.0', 'v1.1.0-rc.1', 'v1.1.0', 'v2', 'core@1.0.0', 'nightly']
          .slice(0, random(7))
          .map((tag) => [tag, random(parents.length)]),
      )
      const found = await place(rowsOf(parents), tags)
      const reached = new Set(Object.values(tags))
      for (const at of reached) for (const parent of parents[at] ?? []) reached.add(parent)
      const graph = await readGraph(
        [...reached].sort((a, b) => b - a).map((at) => ({ sha: sha(at), parents: (parents[at] ?? []).map(sha) })),
      )
      const listed = Object.entries(tags).map(([name, at]) => ({ name, commitSha: sha(at) }))
      const expected = placeTags(graph, listed, new Set()).map(({ tag, previousTag, commitCount, released }) => [
        tag.name,
        [previousTag, commitCount, [...released].sort()],
      ])
      expect(found, `seed ${seed}`).toEqual(Object.fromEntries(expected))
    }
  })

  it('is found among 80,000 commits and 300 releases in a few seconds', async () => {
    const count = 80_000
    const stored = new Map(
      Array.from({ length: count }, (_, at) => [
        sha(at),
        at === 0 ? [] : at % 5 === 0 && at > 5 ? [sha(at - 1), sha(at - 4)] : [sha(at - 1)],
      ]),
    )
    const rows = new ModelRows()
    const arriving = Array.from({ length: 300 }, (_, at) => release(`v${at}.0.0`, sha((at + 1) * 260)))
    const started = performance.now()
    const changes = await placeReleases(rows, { arriving, commits: stored })
    expect(changes).toHaveLength(300)
    expect(performance.now() - started).toBeLessThan(10_000)
  })
})
