/** Commits that the branch no longer leads to: removed with their diffs on proof, kept without it. */
import { describe, expect, it } from 'vitest'
import { diffSurface } from '../../../src/ingest/surfaces/diff-surface.ts'
import { detailsOf, diffs, expected, line, shas, world } from '../../support/commit-world.ts'

describe('a later round', () => {
  it('removes what a force push lost, with its diffs, and nothing else', async () => {
    const { repository, reader } = world()
    const [base = ''] = line(repository, 3)
    const lost = line(repository, 15, { x: '1' })
    await reader.run(diffSurface)
    repository.head = base
    line(repository, 4, { y: '1' })
    await reader.run(diffSurface, { budget: 1 })
    expect(shas(reader)).toEqual(expected(repository))
    for (const sha of lost) expect(diffs(reader, sha)).toEqual({})
  })

  it('keeps lost commits that a pull request holds', async () => {
    const { repository, reader } = world()
    const [base = ''] = line(repository, 2)
    const lost = line(repository, 12, { x: '1' })
    const held = lost[7] ?? ''
    await reader.run(diffSurface)
    repository.pulls.add(held)
    repository.head = base
    line(repository, 1, { y: '1' })
    await reader.run(diffSurface, { budget: 1 })
    expect(shas(reader)).toEqual(expected(repository, [held]))
    await reader.run(diffSurface, { walk: 'lap' })
    expect(shas(reader)).toEqual(expected(repository, [held]))
    repository.pulls.clear()
    await reader.run(diffSurface, { walk: 'lap' })
    expect(shas(reader)).toEqual(expected(repository))
  })

  it('lists everything again when GitHub does not know the old head, without reading known commits again', async () => {
    const { repository, reader } = world()
    const made = line(repository, 8)
    await reader.run(diffSurface)
    for (const sha of made.slice(4)) repository.commits.delete(sha)
    repository.head = made[3]
    line(repository, 2, { y: '1' })
    await reader.run(diffSurface)
    expect(shas(reader)).toEqual(expected(repository))
    expect(detailsOf(reader)).toHaveLength(2)
  })

  it('removes everything when the new history has no common ancestor', async () => {
    const { repository, reader } = world()
    line(repository, 260)
    await reader.run(diffSurface)
    repository.commit({ new: '1' }, { parents: [] })
    await reader.run(diffSurface)
    expect(shas(reader)).toEqual(expected(repository))
    expect(Object.keys(diffs(reader))).toEqual(['new'])
  })

  it('removes everything when the repository has no commits any more', async () => {
    const { repository, reader } = world()
    line(repository, 3)
    await reader.run(diffSurface)
    repository.head = undefined
    repository.commits.clear()
    await reader.run(diffSurface)
    expect(shas(reader)).toEqual([])
  })

  it('follows a branch that goes back to an older commit', async () => {
    const { repository, reader } = world()
    const made = line(repository, 6)
    await reader.run(diffSurface)
    repository.head = made[2]
    await reader.run(diffSurface)
    expect(shas(reader)).toEqual(expected(repository))
    repository.head = made[5]
    await reader.run(diffSurface)
    expect(shas(reader)).toEqual(expected(repository))
  })
})

describe('a lap', () => {
  it('finds missing commits, removes strangers, and repairs parents that a shallow clone cut', async () => {
    const { repository, reader } = world()
    const made = line(repository, 9)
    await reader.run(diffSurface)
    const known = new Map(reader.rows.rows)
    for (const [key, { document }] of known) {
      const { identity } = document
      if (identity.type === 'commit' && identity.commitSha === made[4]) reader.rows.rows.delete(key)
      if (identity.type === 'commit' && identity.commitSha === made[6]) {
        const { parents: _parents, ...cut } = document
        reader.rows.rows.set(key, { document: cut })
      }
    }
    const stranger = {
      identity: { type: 'commit', commitSha: 'f'.repeat(40) },
      repository: { name: 'acme/app' },
      body: '',
    } as const
    reader.rows.apply([{ put: stranger }])
    const step = await reader.run(diffSurface, { walk: 'lap' })
    expect(step.ended).toBe(true)
    expect(shas(reader)).toEqual(expected(repository))
    expect(reader.rows.documents('commit').filter(({ parents }) => parents === undefined)).toHaveLength(1)
  })

  it('keeps commits that GitHub does not answer for', async () => {
    const { repository, reader } = world()
    const made = line(repository, 4)
    await reader.run(diffSurface)
    repository.head = made[1]
    const fault = (path: string) =>
      path.endsWith('/pulls?per_page=1') ? ({ kind: 'fault', reason: '500' } as const) : undefined
    await expect(reader.run(diffSurface, { walk: 'lap', fault })).rejects.toThrow('does not end')
    expect(shas(reader)).toEqual([...made].sort())
  })
})
