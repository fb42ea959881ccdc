/** Commits and their diffs: walked by parents, each read once. */
import { describe, expect, it } from 'vitest'
import { diffSurface } from '../../../src/ingest/surfaces/diff-surface.ts'
import { detailsOf, diffs, expected, line, shas, world } from '../../support/commit-world.ts'
import { BINARY, patchOf } from '../../support/scripted-repository.ts'

describe('the first fill', () => {
  it('reads every commit once, and no commit again', async () => {
    const { repository, reader } = world()
    line(repository, 230)
    await reader.run(diffSurface)
    expect(shas(reader)).toEqual(expected(repository))
    expect(detailsOf(reader)).toHaveLength(230)
    // The head, the rules of paths and three pages of the list.
    expect(reader.requests).toHaveLength(230 + 5)
    await reader.run(diffSurface)
    expect(reader.requests).toHaveLength(1)
    await reader.run(diffSurface, { walk: 'lap' })
    expect([detailsOf(reader).length, reader.requests.length]).toEqual([0, 4])
  })

  it('finds the newest commits first', async () => {
    const { repository, reader } = world()
    const made = line(repository, 120)
    let seen: string[] = []
    const before = (): void => {
      if (seen.length === 0) seen = shas(reader)
    }
    await reader.run(diffSurface, { before })
    expect(seen).toEqual(made.slice(-10).sort())
  })

  it('has a record of merges without a request of their own and without diffs', async () => {
    const { repository, reader } = world()
    const base = repository.commit({ a: '1' })
    const side = repository.commit({ a: '1', b: '2' })
    const other = repository.commit({ a: '1', c: '3' }, { parents: [base] })
    const merge = repository.commit(
      { a: '1', b: '2', c: '3' },
      { parents: [other, side], message: 'Merge pull request #4 from x' },
    )
    await reader.run(diffSurface)
    const record = reader.rows.documents('commit').find(({ parents }) => parents?.length === 2)
    expect([record?.message, record?.parents, record?.files]).toEqual([
      'Merge pull request #4 from x',
      [other, side],
      undefined,
    ])
    expect([detailsOf(reader).length, diffs(reader, merge)]).toEqual([3, {}])
    expect(record?.body).toBe('Merge pull request #4 from x')
  })

  it('reads commits that share one second and have older author dates', async () => {
    const { repository, reader } = world()
    const made = line(repository, 25)
    for (const sha of made) repository.commits.set(sha, { ...repository.commits.get(sha)!, at: Date.UTC(2026, 0, 1) })
    await reader.run(diffSurface, { budget: 1 })
    expect(shas(reader)).toEqual(expected(repository))
    expect(reader.rows.documents('commit').every(({ updatedAt }) => updatedAt === Date.UTC(2026, 0, 1))).toBe(true)
  })

  it('misses nothing when the list ends early without a sign', async () => {
    const { repository, reader } = world()
    line(repository, 330)
    await reader.run(diffSurface, { listPages: 1 })
    expect(shas(reader)).toEqual(expected(repository))
  })

  it('of a repository without commits is a state', async () => {
    const { reader } = world()
    const step = await reader.run(diffSurface)
    expect([step.ended, step.changes, reader.requests.length]).toEqual([true, [], 1])
  })
})

describe('a commit', () => {
  it('lists all of its files, also those whose diffs are excluded', async () => {
    const { repository, reader } = world()
    const sha = repository.commit({
      'src/a.ts': 'a',
      'package-lock.json': '{}',
      'vendor/github.com/x/y.go': 'y',
      'logo.png': BINARY,
      'gen/api.ts': 'generated',
      '.gitattributes': 'gen/** linguist-generated\n',
    })
    await reader.run(diffSurface)
    const [commit] = reader.rows.documents('commit')
    expect(commit?.files?.map(({ path }) => path)).toEqual(Object.keys(repository.filesOf(sha)).sort())
    expect(Object.keys(diffs(reader)).sort()).toEqual(['.gitattributes', 'src/a.ts'])
  })

  it('of many pages of files is complete with its last page, in runs of one request', async () => {
    const { repository, reader } = world()
    const files = Object.fromEntries(Array.from({ length: 23 }, (_, at) => [`f${at}.ts`, `text ${at}`]))
    const sha = repository.commit(files)
    const known: number[] = []
    const before = (): void => {
      if (shas(reader).length === 0) known.push(Object.keys(diffs(reader)).length)
    }
    await reader.run(diffSurface, { filesPerPage: 4, budget: 1, before })
    expect(Object.keys(diffs(reader, sha))).toHaveLength(23)
    expect(Math.max(...known)).toBeGreaterThan(12)
    const [commit] = reader.rows.documents('commit')
    expect([commit?.files?.length, commit?.fileCount]).toEqual([23, 23])
  })

  it.each([true, false])(
    'keeps a withheld patch as cut, and knows binary and empty files from it (GraphQL: %s)',
    async (hasGraphql) => {
      const { repository, reader } = world()
      repository.withheld.add('large.ts')
      repository.commit({ 'large.ts': 'large', 'data.bin2': BINARY, 'empty.ts': '', 'plain.ts': 'plain' })
      await reader.run(diffSurface, { hasGraphql, budget: 1 })
      const found = reader.rows
        .documents('diff')
        .map(({ identity, body, sourceTruncated }) => [(identity as { path: string }).path, body, sourceTruncated])
      expect(found.sort()).toEqual([
        ['empty.ts', '', undefined],
        ['large.ts', '', true],
        ['plain.ts', patchOf(undefined, 'plain'), undefined],
      ])
    },
  )

  it('of a bot has a record and no diffs', async () => {
    const { repository, reader } = world()
    repository.commit({ 'a.ts': '1' })
    const sha = repository.commit({ 'a.ts': '2' }, { bot: true })
    await reader.run(diffSurface)
    expect(shas(reader)).toEqual(expected(repository))
    expect(diffs(reader, sha)).toEqual({})
  })

  it('without an account has the author that git names', async () => {
    const { repository, reader } = world()
    repository.commit({ 'a.ts': '1' })
    await reader.run(diffSurface)
    const [commit] = reader.rows.documents('commit')
    expect([commit?.author, commit?.commitAuthor, commit?.authorEmail]).toEqual(['Ada', 'Ada', 'ada@example.test'])
    const [diff] = reader.rows.documents('diff')
    expect(diff?.url).toMatch(/^https:\/\/github\.test\/acme\/app\/commit\/[0-9a-f]{40}#diff-[0-9a-f]{64}$/)
  })
})

describe('a later round', () => {
  it('reads the commits of a comparison alone, however many pages it has', async () => {
    const { repository, reader } = world()
    line(repository, 5)
    await reader.run(diffSurface)
    line(repository, 240, repository.filesOf(repository.head))
    await reader.run(diffSurface)
    expect(shas(reader)).toEqual(expected(repository))
    expect(detailsOf(reader)).toHaveLength(240)
    expect(reader.requests.filter((path) => path.includes('/compare/'))).toHaveLength(3)
    expect(reader.requests.some((path) => path.includes('/commits?sha=') && path.includes('per_page=100'))).toBe(false)
  })

  it('finds the commits of a branch that was merged late', async () => {
    const { repository, reader } = world()
    const [base = ''] = line(repository, 1)
    const side = repository.commit({ side: '1' }, { parents: [base] })
    repository.head = base
    const [main = ''] = line(repository, 1, { main: '1' })
    await reader.run(diffSurface)
    repository.commit({ main: '1', side: '1' }, { parents: [main, side] })
    await reader.run(diffSurface)
    expect(shas(reader)).toEqual(expected(repository))
    expect(shas(reader)).toContain(side)
  })
})

describe('a fault', () => {
  it.each(['fault', 'waiting', 'refused'] as const)(
    'of kind %s leaves the position, and the walk goes on from it',
    async (kind) => {
      const { repository, reader } = world()
      line(repository, 30)
      let count = 0
      const fault = () => {
        count += 1
        if (count % 3 !== 0) return undefined
        if (kind === 'waiting') return { kind, untilMs: 1, reason: 'limit' }
        return kind === 'refused' ? { kind, status: 401, reason: 'no' } : { kind, reason: 'cut' }
      }
      await reader.run(diffSurface, { fault })
      expect(shas(reader)).toEqual(expected(repository))
      expect(reader.faults.length).toBeGreaterThan(0)
      expect(new Set(detailsOf(reader)).size).toBe(30)
    },
  )

  it('of one commit alone does not block the others, is reported, and ends when GitHub gives the commit', async () => {
    const { repository, reader } = world()
    const made = line(repository, 130)
    const poisoned = made[60] ?? ''
    const fault = (path: string) =>
      path.endsWith(`/commits/${poisoned}`) ? ({ kind: 'fault', reason: 'too large' } as const) : undefined
    await reader.run(diffSurface, { fault })
    expect(shas(reader)).toEqual(made.filter((sha) => sha !== poisoned).sort())
    await expect(reader.run(diffSurface, { fault })).rejects.toThrow('too large')
    const newest = repository.commit({ new: '1' })
    await reader.run(diffSurface, { fault })
    expect(shas(reader)).toContain(newest)
    await reader.run(diffSurface)
    expect(shas(reader)).toEqual(expected(repository))
    await reader.run(diffSurface)
    expect(reader.requests).toHaveLength(1)
  })

  it('of every request leaves the position after two of them', async () => {
    const { repository, reader } = world()
    line(repository, 20)
    let isDown = false
    const fault = () => (isDown ? ({ kind: 'fault', reason: 'down' } as const) : undefined)
    await reader
      .run(diffSurface, { budget: 6, fault, before: () => (isDown = reader.rows.rows.size > 10) })
      .catch(() => {})
    expect(reader.faults[0]).toContain('down')
    await reader.run(diffSurface)
    expect(shas(reader)).toEqual(expected(repository))
  })
})
