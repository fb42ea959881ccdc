import { expect, test } from 'vitest'
import { GitSandbox } from '../../support/git-sandbox.ts'
import { useImportWorld } from '../../support/import-world.ts'

const world = useImportWorld()

/** Commits with these messages are stored, each with one diff. */
function expectCommits(messages: readonly string[]): void {
  for (const type of ['commit', 'diff']) {
    const stored = world.ofType(type).map(({ message }) => message)
    expect([type, ...stored.sort()]).toEqual([type, ...messages])
  }
}

test('the import of an unchanged repository makes one request', async () => {
  world.sandbox.commit('one', { 'a.md': 'a\n' })
  await world.run()
  world.model.requests.length = 0
  expect((await world.run()).outcome).toBe('unchanged')
  expect(world.model.requests).toEqual(['GET /admin/status'])
})

test('after HEAD moved, only what changed is sent', async () => {
  world.sandbox.commit('one', { 'a.md': 'a\n', 'b.md': 'b\n', 'c.md': 'c\n' })
  await world.run()
  world.sandbox.git('rm', '-q', 'c.md')
  world.sandbox.commit('two', { 'b.md': 'bb\n' })
  const summary = await world.run()
  // The document, the commit, and its two diffs, one of the file that went.
  expect(summary).toMatchObject({ commits: 1, counts: { written: 4, unchanged: 0, stale: 0 } })
  expect(world.listed('doc')).toEqual(['a.md', 'b.md'])
})

test('the removal of the last document is followed', async () => {
  world.sandbox.commit('one', { 'a.md': 'a\n', 'x.ts': 'x\n' })
  await world.run()
  world.sandbox.git('rm', '-q', 'a.md')
  world.sandbox.commit('two')
  await world.run()
  expect(world.listed('doc')).toEqual([])
})

test('a reset to an older commit restores the older documents and removes lost commits with their diffs', async () => {
  world.sandbox.commit('one', { 'a.md': 'old\n' })
  const oldMs = world.sandbox.nowMs
  const two = world.sandbox.commit('two', { 'a.md': 'new\n', 'b.md': 'b\n' })
  await world.run()
  world.sandbox.git('reset', '-q', '--hard', 'HEAD~1')
  await world.run()
  expect(world.contents()).toMatchObject([
    { identity: { type: 'commit' }, message: 'one', files: [{ path: 'a.md', status: 'added' }] },
    { identity: { type: 'diff', path: 'a.md' }, message: 'one' },
    { identity: { type: 'doc', path: 'a.md' }, body: 'old\n', updatedAt: oldMs },
  ])
  world.sandbox.git('reset', '-q', '--hard', two)
  await world.run()
  expect(world.listed('diff')).toHaveLength(3)
  expect((await world.run()).outcome).toBe('unchanged')
})

test('after an amended commit the history before it is not read again', async () => {
  for (const number of [1, 2, 3, 4, 5]) world.sandbox.commit(`c${number}`, { 'a.ts': `${number}\n` })
  await world.run()
  world.sandbox.git('commit', '-q', '--amend', '-m', 'better')
  expect(await world.run()).toMatchObject({ outcome: 'complete', commits: 1, counts: { written: 2, removed: 2 } })
  expectCommits(['better', 'c1', 'c2', 'c3', 'c4'])
})

test('switching branches keeps the diffs of the other branch, and deleting it removes them', async () => {
  world.sandbox.commit('one', { 'a.ts': '1\n' })
  world.sandbox.git('checkout', '-q', '-b', 'side')
  world.sandbox.commit('side', { 'b.ts': '2\n' })
  await world.run()
  world.sandbox.git('checkout', '-q', 'main')
  world.sandbox.commit('two', { 'c.ts': '3\n' })
  await world.run()
  expect(world.listed('diff')).toHaveLength(3)
  world.sandbox.git('branch', '-q', '-D', 'side')
  await world.run()
  expectCommits(['one', 'two'])
})

test('a position of another history starts the import over and loses nothing', async () => {
  world.sandbox.commit('one', { 'a.md': 'a\n', 'gone.md': 'g\n' })
  await world.run()
  const other = new GitSandbox()
  try {
    other.commit('unrelated', { 'a.md': 'other\n' })
    expect((await world.run({ path: other.folder })).outcome).toBe('complete')
    expect(world.listed('doc')).toEqual(['a.md'])
    expect(world.contents().find(({ identity }) => identity.type === 'doc')?.body).toBe('other\n')
  } finally {
    other.remove()
  }
})

test('commits of one second and clocks that run backwards are each read once', async () => {
  world.sandbox.wait(100)
  for (let number = 0; number < 12; number += 1) {
    world.sandbox.wait(number % 3 === 0 ? -7 : -1)
    world.sandbox.commit(`c${number}`, { 'a.ts': `${number}\n` })
  }
  let rounds = 0
  while ((await world.run({ maxCommits: 5 })).outcome === 'partial') rounds += 1
  expect(rounds).toBe(2)
  expect(world.listed('diff')).toHaveLength(12)
  expect(world.ofType('commit')).toHaveLength(12)
  expect((await world.run()).outcome).toBe('unchanged')
})

test('once everything is read, no narrower import that stopped early counts as unfinished', async () => {
  for (const number of [1, 2, 3])
    world.sandbox.commit(`c${number}`, { 'a.ts': `${number}\n`, 'yarn.lock': `${number}\n` })
  const [since, allFiles] = ['2020-01-01', true]
  await world.run({ since, maxCommits: 1 })
  await world.run({ allFiles, maxCommits: 1 })
  const progress = (source: string): unknown[] => {
    const cursor = world.model.cursor('local/project', source)
    return [cursor?.done, cursor?.total]
  }
  expect((await world.run()).outcome).toBe('complete')
  expect(progress('git since=2020-01-01')).toEqual([3, 3])
  expect(progress('git all-files')).toEqual([1, 3])
  // The narrower import still continues where it was.
  expect(await world.run({ since })).toMatchObject({ outcome: 'complete', commits: 2 })
  await world.run({ since: '2021-01-01', maxCommits: 1 })
  expect((await world.run()).outcome).toBe('unchanged')
  expect(progress('git since=2021-01-01')).toEqual([3, 3])
  await world.run({ since, maxCommits: 0 })
  expect((await world.run({ allFiles })).outcome).toBe('complete')
  expect(progress('git all-files')).toEqual([3, 3])
})

test('since compares the committer date of each commit, in any order of dates', async () => {
  world.sandbox.wait(1000)
  world.sandbox.commit('early but young', { 'a.ts': '1\n' })
  const bound = new Date(world.sandbox.nowMs).toISOString()
  world.sandbox.wait(-500)
  world.sandbox.commit('old clock', { 'a.ts': '2\n' })
  world.sandbox.wait(900)
  world.sandbox.commit('late', { 'a.ts': '3\n' })
  const summary = await world.run({ since: bound })
  expect(summary).toMatchObject({ outcome: 'complete', commits: 2 })
  expectCommits(['early but young', 'late'])
  expect((await world.run({ since: bound })).outcome).toBe('unchanged')
})
