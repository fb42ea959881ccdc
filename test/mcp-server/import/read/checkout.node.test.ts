import { chmodSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { GitSandbox } from '../../../support/git-sandbox.ts'
import { useImportWorld } from '../../../support/import-world.ts'

const world = useImportWorld()

test('a shallow clone is read without its last commit, and completely once it is deepened', async () => {
  for (const number of [1, 2, 3, 4]) world.sandbox.commit(`c${number}`, { [`f${number}.md`]: 'x\n' })
  const clone = join(world.sandbox.root, 'clone')
  world.sandbox.gitIn(world.sandbox.root, 'clone', '-q', '--depth', '2', `file://${world.sandbox.folder}`, clone)
  const cut = await world.run({ path: clone, repo: 'o/r' })
  expect(cut.notes.join()).toContain('shallow')
  expect(world.listed('diff', 'o/r')).toEqual(['f4.md added'])
  expect(world.listed('doc', 'o/r')).toHaveLength(4)
  world.sandbox.gitIn(clone, 'fetch', '-q', '--unshallow')
  expect(await world.run({ path: clone, repo: 'o/r' })).toMatchObject({ outcome: 'complete', notes: [] })
  expect(world.listed('diff', 'o/r')).toHaveLength(4)
  const whole = await world.run({ repo: 'x/whole' })
  expect(whole.outcome).toBe('complete')
  const timed = (repo: string): unknown =>
    world.contents(repo).map(({ identity, createdAt, updatedAt }) => [identity, createdAt, updatedAt])
  expect(timed('o/r')).toEqual(timed('x/whole'))
})

test('worktrees, bare repositories, submodules, folders below the top and detached HEADs are read', async () => {
  const one = world.sandbox.commit('one', { 'a.md': 'a\n', 'sub/b.md': 'b\n' })
  world.sandbox.commit('two', { 'a.md': 'c\n' })
  const worktree = join(world.sandbox.root, 'tree')
  world.sandbox.git('worktree', 'add', '-q', '--detach', worktree, one)
  expect(await world.run({ path: worktree })).toMatchObject({ outcome: 'complete', repo: 'local/project', commits: 1 })
  const bare = join(world.sandbox.root, 'naked.git')
  world.sandbox.gitIn(world.sandbox.root, 'clone', '-q', '--bare', world.sandbox.folder, bare)
  expect(await world.run({ path: bare, repo: 'x/bare' })).toMatchObject({ outcome: 'complete', commits: 2 })
  expect(await world.run({ path: join(world.sandbox.folder, 'sub'), repo: 'x/below' })).toMatchObject({ commits: 2 })
  expect(world.listed('doc', 'x/below')).toEqual(['a.md', 'sub/b.md'])
  const outer = new GitSandbox('outer')
  try {
    outer.commit('outer', { 'o.md': 'o\n' })
    outer.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', world.sandbox.folder, 'inner')
    outer.commit('submodule')
    await world.run({ path: outer.folder, repo: 'x/outer' })
    expect(world.listed('doc', 'x/outer')).toEqual(['o.md'])
    expect(await world.run({ path: join(outer.folder, 'inner'), repo: 'x/inner' })).toMatchObject({ commits: 2 })
  } finally {
    outer.remove()
  }
})

test.each([
  ['of the documents', ['-n', '--filter=blob:none'], [], 0],
  ['of the history alone', ['--filter=blob:none'], [], 1],
  ['of the history alone, whose remote is gone', ['--filter=blob:none'], ['remote', 'remove', 'origin'], 1],
  ['and trees of the history', ['--filter=tree:0'], [], 0],
])('a partial clone is refused with a hint and nothing is fetched: it lacks the contents %s', async (...row) => {
  const [, flags, command, done] = row
  world.sandbox.commit('one', { 'a.md': 'a\n', 'b.ts': 'b\n' })
  world.sandbox.commit('two', { 'b.ts': 'c\n' })
  world.sandbox.git('config', 'uploadpack.allowFilter', 'true')
  const { root, folder } = world.sandbox
  const clone = join(root, 'partial')
  world.sandbox.gitIn(root, 'clone', '-q', ...flags, `file://${folder}`, clone)
  if (command.length > 0) world.sandbox.gitIn(clone, ...command)
  const summary = await world.run({ path: clone, repo: 'x/partial' })
  expect(summary).toMatchObject({
    outcome: 'failed',
    done,
    failure: { hint: expect.stringContaining('git fetch --refetch') },
  })
  // Documents that were read before it are stored.
  expect(world.listed('doc', 'x/partial')).toHaveLength(done)
  expect(world.ofType('diff')).toEqual([])
})

test('a repository with SHA-256 ids is read', async () => {
  const modern = new GitSandbox('modern', 'sha256')
  try {
    const sha = modern.commit('one', { 'a.md': 'a\n' })
    expect(sha).toHaveLength(64)
    await world.run({ path: modern.folder })
    expect(world.contents('local/modern').map(({ identity }) => identity)).toContainEqual({
      type: 'diff',
      commitSha: sha,
      path: 'a.md',
    })
  } finally {
    modern.remove()
  }
})

test('a folder without history is read as documents, and again when it changes', async () => {
  rmSync(join(world.sandbox.folder, '.git'), { recursive: true })
  world.sandbox.write({ 'a.md': 'a\n', 'sub/b.txt': 'b\n', 'node_modules/c.md': 'c\n' })
  utimesSync(join(world.sandbox.folder, 'a.md'), 1_600_000_000, 1_600_000_000)
  const summary = await world.run()
  expect(summary).toMatchObject({ outcome: 'complete', repo: 'local/project' })
  expect(summary.notes.join()).toContain('no git history')
  expect(world.contents()).toMatchObject([{ body: 'a\n', updatedAt: 1_600_000_000_000 }, { body: 'b\n' }])
  expect((await world.run()).outcome).toBe('unchanged')
  rmSync(join(world.sandbox.folder, 'sub'), { recursive: true })
  await world.run()
  expect(world.listed('doc')).toEqual(['a.md'])
})

test('an empty repository is complete, and a missing folder, a foreign owner, an old git and no git are refused', async () => {
  expect(await world.run()).toMatchObject({ outcome: 'complete', notes: [expect.stringContaining('no commit yet')] })
  expect(world.model.requests).toEqual([])
  expect((await world.run({ path: join(world.sandbox.root, 'nowhere') })).failure?.message).toContain('is not a folder')
  const bin = join(world.sandbox.root, 'bin')
  mkdirSync(bin)
  const fake = `#!/bin/sh\necho "fatal: detected dubious ownership in repository at '/x'\nTo add an exception for this directory, call:\n\n\tgit config --global --add safe.directory /x" >&2\nexit 128\n`
  writeFileSync(join(bin, 'git'), fake)
  chmodSync(join(bin, 'git'), 0o755)
  const path = process.env['PATH']
  try {
    process.env['PATH'] = `${bin}:${path}`
    expect((await world.run()).failure?.hint).toContain('git config --global --add safe.directory /x')
    writeFileSync(join(bin, 'git'), '#!/bin/sh\necho --path-format=absolute\necho false\n')
    expect((await world.run()).failure?.message).toContain('git 2.31 or newer')
    process.env['PATH'] = join(world.sandbox.root, 'empty')
    expect((await world.run()).failure?.message).toContain('Git is not installed')
  } finally {
    process.env['PATH'] = path
  }
})
