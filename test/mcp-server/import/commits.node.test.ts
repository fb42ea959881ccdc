import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parsePosition, START, toPositionText } from '../../../mcp-server/src/import/read/position.ts'
import { MAX_TEXT_BYTES } from '../../../mcp-server/src/git/limits.ts'
import { MAX_FILES, MAX_LONG_TEXT_CHARS } from '../../../src/documents/limits.ts'
import { useImportWorld } from '../../support/import-world.ts'

const world = useImportWorld()

function commitOf(message: string): ReturnType<typeof world.ofType>[number] | undefined {
  return world.ofType('commit').find((commit) => commit.message === message)
}

test('a commit is stored with its message, author, dates, parents and files', async () => {
  const first = world.sandbox.commit('first', { 'a.ts': 'a\nb\nc\n', 'b.ts': 'b\n', 'c.ts': 'c\n' })
  world.sandbox.git('mv', 'a.ts', 'moved.ts')
  world.sandbox.git('rm', '-q', 'b.ts')
  world.sandbox.git('update-index', '--chmod=+x', 'c.ts')
  world.sandbox.git('config', 'core.fileMode', 'false')
  const second = world.sandbox.commit('second\n\nWith a body.\n\nAnd more.', { 'new.ts': 'n\n' })
  await world.run()
  expect(commitOf('second\n\nWith a body.\n\nAnd more.')).toEqual({
    identity: { type: 'commit', commitSha: second },
    repository: { name: 'local/project' },
    body: 'second\n\nWith a body.\n\nAnd more.\n\nremoved b.ts\nchanged c.ts\nrenamed moved.ts\nadded new.ts\nremoved a.ts',
    message: 'second\n\nWith a body.\n\nAnd more.',
    author: 'Aoi',
    authorEmail: 'aoi@example.com',
    commitAuthor: 'Aoi',
    commitDate: world.sandbox.nowMs,
    createdAt: world.sandbox.nowMs,
    updatedAt: world.sandbox.nowMs,
    parents: [first],
    fileCount: 4,
    files: [
      { path: 'b.ts', status: 'removed' },
      { path: 'c.ts', status: 'changed' },
      { path: 'moved.ts', status: 'renamed' },
      { path: 'new.ts', status: 'added' },
      { path: 'a.ts', status: 'removed' },
    ],
  })
  expect(commitOf('first')?.parents).toBeUndefined()
})

test('commits without a kept diff are stored: of lock files, of pictures, of vendored code, empty ones, and merges', async () => {
  const subjects = {
    'Raise left-pad to 1.3.0, which closes a hole': { 'package-lock.json': '{}\n', 'sub/yarn.lock': 'x\n' },
    'Draw a new logo': { 'img/logo.png': 'p\0ng' },
    'Update the bundled parser': { 'vendor/github.com/parser/p.go': 'c\n' },
    'Regenerate the client': { 'api/client.pb.go': 'g\n' },
    'Start the nightly build': {},
  }
  world.sandbox.commit('root', { 'a.ts': 'a\n' })
  for (const [subject, files] of Object.entries(subjects)) world.sandbox.commit(subject, files)
  world.sandbox.git('checkout', '-q', '-b', 'topic', 'HEAD~2')
  world.sandbox.commit('on a branch', { 'b.ts': 'b\n' })
  world.sandbox.git('checkout', '-q', 'main')
  world.sandbox.git('merge', '-q', '--no-ff', '-m', 'Merge branch topic\n\nSign in with a badge', 'topic')
  const summary = await world.run()
  expect(summary).toMatchObject({ outcome: 'complete', commits: 8 })
  expect(summary.done).toBe(summary.total)
  expect(world.listed('diff').sort()).toEqual(['a.ts added', 'b.ts added'])
  expect(world.ofType('commit').map(({ message }) => message)).toHaveLength(8)
  expect(commitOf('Raise left-pad to 1.3.0, which closes a hole')?.files).toEqual([
    { path: 'package-lock.json', status: 'added' },
    { path: 'sub/yarn.lock', status: 'added' },
  ])
  expect(commitOf('Start the nightly build')?.files).toBeUndefined()
  const merge = commitOf('Merge branch topic\n\nSign in with a badge')
  expect(merge?.parents).toEqual([world.sandbox.git('rev-parse', 'HEAD^1'), world.sandbox.git('rev-parse', 'HEAD^2')])
  expect((await world.run()).outcome).toBe('unchanged')
})

test('a merge lists the files that differ from all its parents, as git log does, and has no diff', async () => {
  world.sandbox.commit('root', { 'a.ts': '1\n', 'b.ts': '1\n', 'gone.ts': '1\n' })
  world.sandbox.git('checkout', '-q', '-b', 'topic')
  world.sandbox.commit('theirs', { 'a.ts': '2\n', 'b.ts': '2\n' })
  world.sandbox.git('checkout', '-q', 'main')
  world.sandbox.commit('ours', { 'a.ts': '3\n' })
  world.sandbox.git('merge', '-q', '--no-commit', '--no-ff', '-X', 'ours', 'topic')
  world.sandbox.git('rm', '-q', 'gone.ts')
  world.sandbox.commit('by hand', { 'a.ts': '4\n', 'new.ts': 'n\n' })
  await world.run()
  expect(commitOf('by hand')?.files).toEqual([
    { path: 'a.ts', status: 'modified' },
    { path: 'gone.ts', status: 'removed' },
    { path: 'new.ts', status: 'added' },
  ])
  expect(world.ofType('diff').filter(({ message }) => message === 'by hand')).toEqual([])
})

test('a merge of three branches and a commit of more files than a list holds are stored with the true number', async () => {
  world.sandbox.commit('root', { 'a.ts': 'a\n' })
  for (const name of ['one', 'two']) {
    world.sandbox.git('checkout', '-q', '-b', name, 'main')
    world.sandbox.commit(name, { [`${name}.ts`]: 'x\n' })
  }
  world.sandbox.git('checkout', '-q', 'main')
  world.sandbox.commit('on main', { 'm.ts': 'm\n' })
  world.sandbox.git('merge', '-q', '-m', 'three', 'one', 'two')
  const many = Object.fromEntries(Array.from({ length: MAX_FILES + 5 }, (_, at) => [`gen/dist/${at}.js`, `${at}\n`]))
  world.sandbox.commit('many', many)
  await world.run()
  expect(commitOf('three')?.parents).toHaveLength(3)
  expect(commitOf('many')).toMatchObject({ fileCount: MAX_FILES + 5 })
  expect(commitOf('many')?.files).toHaveLength(MAX_FILES)
})

test('a long message is sent whole with its commit, and as the index keeps it with each of its many files', async () => {
  const message = `Long story\n\n${'a line of the story\n'.repeat(40_000)}the end`
  world.sandbox.write({ '../message.txt': message })
  world.sandbox.write(Object.fromEntries(Array.from({ length: 40 }, (_, at) => [`src/${at}.ts`, `${at}\n`])))
  world.sandbox.git('add', '-A')
  world.sandbox.git('commit', '-q', '-F', '../message.txt')
  const summary = await world.run()
  expect(summary).toMatchObject({ outcome: 'complete', commits: 1, notes: [] })
  expect(world.ofType('commit').map(({ message: stored }) => stored)).toEqual([message])
  const diffs = world.ofType('diff')
  expect(diffs).toHaveLength(40)
  for (const diff of diffs) expect(diff.message).toBe(message.slice(0, MAX_LONG_TEXT_CHARS))
  expect(summary.pages).toBeLessThan(10)
})

test('max-commits counts merges, and since is compared with their dates too', async () => {
  world.sandbox.commit('root', { 'a.ts': 'a\n' })
  world.sandbox.git('checkout', '-q', '-b', 'topic')
  world.sandbox.commit('topic', { 'b.ts': 'b\n' })
  world.sandbox.git('checkout', '-q', 'main')
  world.sandbox.wait(10)
  const bound = new Date(world.sandbox.nowMs).toISOString()
  world.sandbox.git('merge', '-q', '--no-ff', '-m', 'merged', 'topic')
  expect(await world.run({ maxCommits: 1 })).toMatchObject({ outcome: 'partial', commits: 1, done: 1, total: 3 })
  expect(world.ofType('commit').map(({ message }) => message)).toEqual(['merged'])
  expect(await world.run()).toMatchObject({ outcome: 'complete', commits: 2, done: 3, total: 3 })
  expect(await world.run({ since: bound, repo: 'o/since' })).toMatchObject({
    outcome: 'complete',
    commits: 1,
    total: 1,
  })
})

test('a lost merge is removed with the commits that it brought', async () => {
  world.sandbox.commit('root', { 'a.ts': 'a\n' })
  world.sandbox.git('checkout', '-q', '-b', 'topic')
  world.sandbox.commit('topic', { 'b.lock': 'b\n', 'yarn.lock': 'y\n' })
  world.sandbox.git('checkout', '-q', 'main')
  world.sandbox.git('merge', '-q', '--no-ff', '-m', 'merged', 'topic')
  await world.run()
  world.sandbox.git('reset', '-q', '--hard', 'HEAD~1')
  world.sandbox.git('branch', '-q', '-D', 'topic')
  expect(await world.run()).toMatchObject({ outcome: 'complete' })
  expect(world.ofType('commit').map(({ message }) => message)).toEqual(['root'])
  expect(world.listed('diff')).toEqual(['a.ts added'])
})

test('the last commits of a shallow clone are stored without files, and with them once the clone is deepened', async () => {
  for (const number of [1, 2, 3]) world.sandbox.commit(`c${number}`, { [`f${number}.ts`]: 'x\n' })
  const clone = join(world.sandbox.root, 'clone')
  world.sandbox.gitIn(world.sandbox.root, 'clone', '-q', '--depth', '2', `file://${world.sandbox.folder}`, clone)
  expect(await world.run({ path: clone })).toMatchObject({ outcome: 'complete', commits: 2, total: 2 })
  const files = (): unknown[] =>
    world
      .contents('local/clone')
      .flatMap(({ identity, message, files: list }) => (identity.type === 'commit' ? [[message, list?.length]] : []))
      .sort()
  expect(files()).toEqual([
    ['c2', undefined],
    ['c3', 1],
  ])
  world.sandbox.gitIn(clone, 'fetch', '-q', '--unshallow')
  await world.run({ path: clone })
  expect(files()).toEqual([
    ['c1', 1],
    ['c2', 1],
    ['c3', 1],
  ])
})

test('an index that was filled before commits were documents gets them, and its diffs stay as they are', async () => {
  world.sandbox.commit('one', { 'a.md': 'a\n' })
  world.sandbox.commit('two', { 'b.md': 'b\n' })
  world.sandbox.git('tag', 'v1')
  const gone = world.sandbox.commit('gone', { 'c.ts': 'c\n' })
  await world.run()
  // The index as the earlier version left it: no commits, and a position of its own form.
  const repository = world.model.repositories.get('local/project')
  for (const [key, { identity }] of repository?.documents ?? []) {
    if (identity.type === 'commit') repository?.documents.delete(key)
  }
  const cursor = world.model.cursor('local/project', 'git')
  const { tags, ...position } = JSON.parse(cursor?.position ?? '') as Record<string, { names: string }>
  const earlier = { ...position, v: 1, tags: { digests: 'abcd'.repeat(64), names: tags?.names } }
  repository?.cursors.set('git', { ...cursor!, position: JSON.stringify(earlier) })
  world.sandbox.git('reset', '-q', '--hard', 'HEAD~1')
  world.sandbox.git('tag', '-d', 'v1')
  const summary = await world.run()
  // Two commits are new; the lost diff, the document and the tag go; both other diffs are recognised.
  expect(summary).toMatchObject({ outcome: 'complete', counts: { written: 2, unchanged: 2, stale: 0, removed: 2 } })
  expect(JSON.stringify(world.contents())).not.toContain(gone)
  expect((await world.run()).outcome).toBe('unchanged')
})

test('a position of an unknown version or form is no position', () => {
  expect(parsePosition(toPositionText(START))).toEqual(START)
  for (const text of ['', '{', '{"v":3,"tips":[],"ranges":[],"drop":[]}', '{"v":2,"tips":[],"ranges":[]}', '[]']) {
    expect(parsePosition(text)).toBeUndefined()
  }
})

test('a message, a subject and an author of any length are cut, and the commits around them are read', async () => {
  world.sandbox.commit('first', { 'a.ts': 'a\n' })
  const tree = world.sandbox.git('rev-parse', 'HEAD^{tree}')
  const people = (name: string): string =>
    `author ${name} <a@example.com> 1700000000 +0000\ncommitter Ren <r@example.com> 1700000100 +0000`
  const made = [
    ['Ren', `Long\n\n${'a line of the story\n'.repeat(1_000_000)}`],
    ['Ren', `${'word '.repeat(500_000)}end`],
    ['Ren', '長い'.repeat(400_000)],
    [`Ren ${'n'.repeat(1_200_000)}`, 'An author\n'],
    ['Ren', 'Last, without a newline'],
  ]
  for (const [name = '', message = ''] of made) {
    const parent = world.sandbox.git('rev-parse', 'HEAD')
    world.sandbox.write({ '../commit': `tree ${tree}\nparent ${parent}\n${people(name)}\n\n${message}` })
    const sha = world.sandbox.git('hash-object', '-t', 'commit', '-w', '--literally', '../commit')
    world.sandbox.git('update-ref', 'refs/heads/main', sha)
  }
  world.sandbox.git('tag', 'v1')
  const summary = await world.run()
  expect(summary).toMatchObject({ outcome: 'complete', commits: 6, notes: [] })
  const messages = world.ofType('commit').map(({ message = '' }) => message)
  expect(messages.map((message) => message.slice(0, 5)).sort()).toEqual(
    ['An au', 'Last,', 'Long\n', 'first', 'word ', '長い長い長'].sort(),
  )
  for (const message of messages) {
    expect(Buffer.byteLength(message)).toBeLessThanOrEqual(MAX_TEXT_BYTES)
    expect(message).not.toContain('\ufffd')
  }
  expect(world.ofType('release')[0]!.body.length).toBeLessThan(2_000)
  expect((await world.run()).outcome).toBe('unchanged')
})
