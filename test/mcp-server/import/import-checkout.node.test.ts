import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { GitSandbox } from '../../support/git-sandbox.ts'
import { useImportWorld } from '../../support/import-world.ts'

const world = useImportWorld()

test('each file of a non-merge commit becomes one diff with hunks, message and the committer’s time', async () => {
  const first = world.sandbox.commit('first\n\nwith a body', { 'src/a.ts': 'one\ntwo\n', 'gone.txt': 'x\n' })
  const firstMs = world.sandbox.nowMs
  world.sandbox.git('checkout', '-q', '-b', 'side')
  world.sandbox.commit('on the side', { 'side.txt': 's\n' })
  world.sandbox.git('checkout', '-q', 'main')
  world.sandbox.git('mv', 'gone.txt', 'moved.txt')
  world.sandbox.commit('rename', { 'src/a.ts': 'one\nthree\n' })
  world.sandbox.git('merge', '-q', '--no-ff', '-m', 'merge side', 'side')
  const summary = await world.run()
  expect(summary).toMatchObject({ outcome: 'complete', repo: 'local/project', commits: 4 })
  expect(summary.done).toBe(summary.total)
  const diffs = world.ofType('diff')
  expect(
    diffs.map(({ identity, message, fileStatus }) => [(identity as { path: string }).path, message, fileStatus]).sort(),
  ).toEqual([
    ['gone.txt', 'first\n\nwith a body', 'added'],
    ['moved.txt', 'rename', 'renamed'],
    ['side.txt', 'on the side', 'added'],
    ['src/a.ts', 'first\n\nwith a body', 'added'],
    ['src/a.ts', 'rename', 'modified'],
  ])
  const one = diffs.find(
    ({ identity }) => identity.type === 'diff' && identity.commitSha === first && identity.path === 'src/a.ts',
  )
  expect(one).toMatchObject({
    body: '@@ -0,0 +1,2 @@\n+one\n+two',
    commitDate: firstMs,
    createdAt: firstMs,
    updatedAt: firstMs,
    commitAuthor: 'Aoi',
    author: 'Aoi',
    authorEmail: 'aoi@example.com',
  })
  expect(one?.title).toBeUndefined()
  expect(one?.url).toBeUndefined()
})

test('the documents of HEAD are dated by their first and last commit', async () => {
  world.sandbox.commit('one', { 'README.md': 'a\n', 'docs/guide.rst': 'g\n', 'src/a.ts': 'x\n' })
  const firstMs = world.sandbox.nowMs
  world.sandbox.commit('two', { 'README.md': 'b\n' })
  await world.run()
  expect(world.listed('doc')).toEqual(['README.md', 'docs/guide.rst'])
  const [readme, guide] = world.ofType('doc')
  expect(readme).toMatchObject({ body: 'b\n', createdAt: firstMs, updatedAt: world.sandbox.nowMs })
  expect(guide).toMatchObject({ body: 'g\n', createdAt: firstMs, updatedAt: firstMs })
})

test('a path may contain newlines, quotes, Japanese, emoji, spaces and # ? %', async () => {
  const paths = ['new\nline.md', 'qu"ote\\.md', '日本語/設計.md', '🎵 song.md', 'a#b?c%d.md', '-rf.md', ':(top)x.md']
  world.sandbox.commit('odd', Object.fromEntries(paths.map((path) => [path, `${path}\n`])))
  await world.run()
  expect(world.listed('doc').sort()).toEqual([...paths].sort())
  expect(world.listed('diff').sort()).toEqual(paths.map((path) => `${path} added`).sort())
  for (const { identity, body } of world.contents()) {
    if (identity.type === 'doc') expect([identity.path, body]).toEqual([identity.path, `${identity.path}\n`])
    expect(world.contents().every(({ updatedAt }) => updatedAt === world.sandbox.nowMs)).toBe(true)
  }
})

test('a symlink is not a document, and binary and generated files have diffs only with all files', async () => {
  world.sandbox.write({ 'a.md': 'a\n', 'package-lock.json': '{}\n', 'pic.md.bin': 'a\0b' })
  symlinkSync('a.md', join(world.sandbox.folder, 'link.md'))
  world.sandbox.commit('mixed')
  await world.run()
  expect(world.listed('doc')).toEqual(['a.md'])
  expect(world.listed('diff')).toEqual(['a.md added', 'link.md added'])
  await world.run({ allFiles: true })
  expect(world.listed('diff')).toEqual(['a.md added', 'link.md added', 'package-lock.json added', 'pic.md.bin added'])
  expect(world.model.cursor('local/project', 'git all-files')).toBeDefined()
})

test('a tag becomes a release: annotated with message and tagger, lightweight with its commit’s time, and a pre-release by its name', async () => {
  world.sandbox.commit('one', { 'a.md': 'a\n' })
  const commitMs = world.sandbox.nowMs
  world.sandbox.git('tag', 'v1.0.0')
  world.sandbox.wait(5)
  world.sandbox.git('tag', '-a', 'v2.0.0-rc.1', '-m', 'Second\n\nWith words.')
  await world.run()
  const releases = world.ofType('release')
  expect(releases).toMatchObject([
    { identity: { tagName: 'v1.0.0' }, body: '- one', generated: true, updatedAt: commitMs, prerelease: false },
    {
      identity: { tagName: 'v2.0.0-rc.1' },
      body: 'Second\n\nWith words.',
      author: 'Ren',
      updatedAt: world.sandbox.nowMs,
      prerelease: true,
    },
  ])
})

test('a tag that moves to an older commit is updated, and a deleted one is removed', async () => {
  world.sandbox.commit('one', { 'a.md': 'a\n' })
  const oldMs = world.sandbox.nowMs
  world.sandbox.commit('two')
  world.sandbox.git('tag', 'latest')
  world.sandbox.git('tag', 'v1.0')
  await world.run()
  world.sandbox.git('tag', '-f', 'latest', 'HEAD~1')
  world.sandbox.git('tag', '-d', 'v1.0')
  expect((await world.run()).outcome).toBe('complete')
  expect(world.ofType('release')).toMatchObject([{ updatedAt: oldMs }])
  expect((await world.run()).outcome).toBe('unchanged')
})

test('a message and a document in another encoding are converted', async () => {
  world.sandbox.write({ 'latin.md': Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]) })
  world.sandbox.git('config', 'i18n.commitEncoding', 'ISO-8859-1')
  writeFileSync(join(world.sandbox.root, 'message'), Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]))
  world.sandbox.git('add', '-A')
  world.sandbox.git('commit', '-q', '-F', join(world.sandbox.root, 'message'))
  await world.run()
  const [doc, diff] = [...world.ofType('doc'), ...world.ofType('diff')]
  expect(doc?.body).toBe('café\n')
  expect(diff?.message).toBe('café')
})

test('pages of a wiki checkout are stored by slug, and a renamed page replaces the old one', async () => {
  world.sandbox.commit('one', { 'a.md': 'a\n' })
  const wiki = new GitSandbox('project.wiki')
  try {
    wiki.commit('pages', { 'Home.md': 'h\n', 'Getting Started.md': 'g\n', '_Sidebar.md': 's\n' })
    await world.run({ wiki: wiki.folder })
    expect(world.listed('wiki_doc')).toEqual(['Getting-Started', 'Home'])
    wiki.git('mv', 'Getting Started.md', 'Start.md')
    wiki.commit('rename')
    await world.run({ wiki: wiki.folder })
    expect(world.listed('wiki_doc')).toEqual(['Home', 'Start'])
    expect((await world.run({ wiki: wiki.folder })).outcome).toBe('unchanged')
  } finally {
    wiki.remove()
  }
})

test('a GitHub remote gives the repository its name and the documents their web addresses', async () => {
  world.sandbox.git('remote', 'add', 'origin', 'https://token@github.com/Owner/Repo.git')
  const sha = world.sandbox.commit('one', { 'a b.md': 'a\n' })
  world.sandbox.git('tag', 'v1')
  const summary = await world.run()
  expect(summary.repo).toBe('Owner/Repo')
  expect(world.contents('owner/repo').map(({ url }) => url)).toEqual([
    `https://github.com/Owner/Repo/commit/${sha}`,
    `https://github.com/Owner/Repo/commit/${sha}`,
    `https://github.com/Owner/Repo/blob/main/a%20b.md`,
    `https://github.com/Owner/Repo/releases/tag/v1`,
  ])
  expect(JSON.stringify([summary, world.contents('owner/repo')])).not.toContain('token@')
})

test('the configuration of the repository and the environment do not change what is read', async () => {
  world.sandbox.commit('one', { 'a.ts': 'a\nb\nc\nd\ne\nf\ng\nh\n', 'a.md': 'x\n' })
  world.sandbox.commit('two', { 'a.ts': 'a\nb\nc\nd\nE\nf\ng\nh\n', 'a.md': 'y\n' })
  await world.run()
  const plain = world.contents()
  const settings = {
    'diff.noprefix': 'true',
    'diff.mnemonicPrefix': 'true',
    'diff.context': '0',
    'diff.external': 'false',
    'diff.renames': 'false',
    'diff.algorithm': 'patience',
    'diff.orderFile': 'nowhere',
    'diff.suppressBlankEmpty': 'true',
    'color.ui': 'always',
    'core.quotePath': 'true',
    'core.pager': 'false',
    'core.fsmonitor': 'false; touch ../fsmonitor-ran',
    'log.showSignature': 'true',
    'log.follow': 'true',
    'log.showRoot': 'false',
    'log.date': 'relative',
    'format.pretty': 'oneline',
    'diff.words.textconv': 'tr a-z A-Z',
    'diff.words.command': 'false',
    'i18n.logOutputEncoding': 'ISO-8859-1',
  }
  for (const [name, value] of Object.entries(settings)) world.sandbox.git('config', name, value)
  writeFileSync(join(world.sandbox.folder, '.git/info/attributes'), '*.ts diff=words\n*.md diff=words\n')
  process.env['GIT_DIR'] = '/nowhere'
  process.env['GIT_EXTERNAL_DIFF'] = 'false'
  try {
    expect((await world.run({ repo: 'other/name' })).outcome).toBe('complete')
  } finally {
    delete process.env['GIT_DIR']
    delete process.env['GIT_EXTERNAL_DIFF']
  }
  const bodies = world.contents('other/name').map(({ body, identity }) => [identity, body])
  expect(bodies).toEqual(plain.map(({ body, identity }) => [identity, body]))
})
