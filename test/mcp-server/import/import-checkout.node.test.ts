import { chmodSync, mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { importCheckout } from '../../../mcp-server/src/import/import-checkout.ts'
import type { ImportOptions, ImportProgress, Summary } from '../../../mcp-server/src/import/import-options.ts'
import type { Document } from '../../../src/documents/document.ts'
import { AdminModel, TOKEN } from '../../support/admin-model.ts'
import { GitSandbox } from '../../support/git-sandbox.ts'

process.env['GIT_CONFIG_GLOBAL'] = '/dev/null'

let model: AdminModel
let endpoint: string
let sandbox: GitSandbox

beforeEach(async () => {
  model = new AdminModel()
  endpoint = await model.start()
  sandbox = new GitSandbox()
})

afterEach(async () => {
  await model.stop()
  sandbox.remove()
})

function run(more: Partial<ImportOptions> = {}): Promise<Summary> {
  return importCheckout({ path: sandbox.folder, endpoint, adminToken: TOKEN, retryPausesMs: [1, 1], ...more })
}

function contents(repo = 'local/project'): Document[] {
  return model.contents(repo)
}

function ofType(type: string): Document[] {
  return contents().filter(({ identity }) => identity.type === type)
}

/** One line a document: type, path or tag, and what a test gives it. */
function listed(type: string, repo?: string): string[] {
  return contents(repo).flatMap(({ identity, fileStatus }) => {
    if (identity.type !== type) return []
    const name = 'path' in identity ? identity.path : 'tagName' in identity ? identity.tagName : ''
    return [fileStatus === undefined ? name : `${name} ${fileStatus}`]
  })
}

describe('what is read', () => {
  test('each non-merge commit once, each file with hunks, message and the committer’s time', async () => {
    const first = sandbox.commit('first\n\nwith a body', { 'src/a.ts': 'one\ntwo\n', 'gone.txt': 'x\n' })
    const firstMs = sandbox.nowMs
    sandbox.git('checkout', '-q', '-b', 'side')
    sandbox.commit('on the side', { 'side.txt': 's\n' })
    sandbox.git('checkout', '-q', 'main')
    sandbox.git('mv', 'gone.txt', 'moved.txt')
    sandbox.commit('rename', { 'src/a.ts': 'one\nthree\n' })
    sandbox.git('merge', '-q', '--no-ff', '-m', 'merge side', 'side')
    const summary = await run()
    expect(summary).toMatchObject({ outcome: 'complete', repo: 'local/project', commits: 3 })
    expect(summary.done).toBe(summary.total)
    const diffs = ofType('diff')
    expect(
      diffs
        .map(({ identity, message, fileStatus }) => [(identity as { path: string }).path, message, fileStatus])
        .sort(),
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
    })
    expect(one?.title).toBeUndefined()
    expect(one?.url).toBeUndefined()
  })

  test('documents of HEAD, dated by their first and last commit, not by today', async () => {
    sandbox.commit('one', { 'README.md': 'a\n', 'docs/guide.rst': 'g\n', 'src/a.ts': 'x\n' })
    const firstMs = sandbox.nowMs
    sandbox.commit('two', { 'README.md': 'b\n' })
    await run()
    expect(listed('doc')).toEqual(['README.md', 'docs/guide.rst'])
    const [readme, guide] = ofType('doc')
    expect(readme).toMatchObject({ body: 'b\n', createdAt: firstMs, updatedAt: sandbox.nowMs })
    expect(guide).toMatchObject({ body: 'g\n', createdAt: firstMs, updatedAt: firstMs })
  })

  test('paths with newlines, quotes, Japanese, emoji, spaces and # ? %', async () => {
    const paths = ['new\nline.md', 'qu"ote\\.md', '日本語/設計.md', '🎵 song.md', 'a#b?c%d.md', '-rf.md', ':(top)x.md']
    sandbox.commit('odd', Object.fromEntries(paths.map((path) => [path, `${path}\n`])))
    await run()
    expect(listed('doc').sort()).toEqual([...paths].sort())
    expect(listed('diff').sort()).toEqual(paths.map((path) => `${path} added`).sort())
    for (const { identity, body } of contents()) {
      if (identity.type === 'doc') expect([identity.path, body]).toEqual([identity.path, `${identity.path}\n`])
      expect(contents().every(({ updatedAt }) => updatedAt === sandbox.nowMs)).toBe(true)
    }
  })

  test('no symlinks or submodules as documents, no binary and generated files as diffs', async () => {
    sandbox.write({ 'a.md': 'a\n', 'package-lock.json': '{}\n', 'pic.md.bin': 'a\0b' })
    symlinkSync('a.md', join(sandbox.folder, 'link.md'))
    sandbox.commit('mixed')
    await run()
    expect(listed('doc')).toEqual(['a.md'])
    expect(listed('diff')).toEqual(['a.md added', 'link.md added'])
    await run({ allFiles: true })
    expect(listed('diff')).toEqual(['a.md added', 'link.md added', 'package-lock.json added', 'pic.md.bin added'])
    expect(model.cursor('local/project', 'git all-files')).toBeDefined()
  })

  test('tags: annotated with message and tagger, light ones by their commit, pre-releases by name', async () => {
    sandbox.commit('one', { 'a.md': 'a\n' })
    const commitMs = sandbox.nowMs
    sandbox.git('tag', 'v1.0.0')
    sandbox.wait(5)
    sandbox.git('tag', '-a', 'v2.0.0-rc.1', '-m', 'Second\n\nWith words.')
    await run()
    const releases = ofType('release')
    expect(releases).toMatchObject([
      { identity: { tagName: 'v1.0.0' }, body: '', updatedAt: commitMs, prerelease: false },
      {
        identity: { tagName: 'v2.0.0-rc.1' },
        body: 'Second\n\nWith words.',
        author: 'Ren',
        updatedAt: sandbox.nowMs,
        prerelease: true,
      },
    ])
  })

  test('a tag that moves back in time or goes away is followed', async () => {
    sandbox.commit('one', { 'a.md': 'a\n' })
    const oldMs = sandbox.nowMs
    sandbox.commit('two')
    sandbox.git('tag', 'latest')
    sandbox.git('tag', 'v1.0')
    await run()
    sandbox.git('tag', '-f', 'latest', 'HEAD~1')
    sandbox.git('tag', '-d', 'v1.0')
    expect((await run()).outcome).toBe('complete')
    expect(ofType('release')).toMatchObject([{ updatedAt: oldMs }])
    expect((await run()).outcome).toBe('unchanged')
  })

  test('messages in another encoding, contents that are no UTF-8', async () => {
    sandbox.write({ 'latin.md': Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]) })
    sandbox.git('config', 'i18n.commitEncoding', 'ISO-8859-1')
    writeFileSync(join(sandbox.root, 'message'), Buffer.from([0x63, 0x61, 0x66, 0xe9, 0x0a]))
    sandbox.git('add', '-A')
    sandbox.git('commit', '-q', '-F', join(sandbox.root, 'message'))
    await run()
    const [doc, diff] = [...ofType('doc'), ...ofType('diff')]
    expect(doc?.body).toBe('caf\ufffd\n')
    expect(diff?.message).toBe('café')
  })

  test('a wiki checkout, by slug; a page that is renamed or deleted goes', async () => {
    sandbox.commit('one', { 'a.md': 'a\n' })
    const wiki = new GitSandbox('project.wiki')
    try {
      wiki.commit('pages', { 'Home.md': 'h\n', 'Getting Started.md': 'g\n', '_Sidebar.md': 's\n' })
      await run({ wiki: wiki.folder })
      expect(listed('wiki_doc')).toEqual(['Getting-Started', 'Home'])
      wiki.git('mv', 'Getting Started.md', 'Start.md')
      wiki.commit('rename')
      await run({ wiki: wiki.folder })
      expect(listed('wiki_doc')).toEqual(['Home', 'Start'])
      expect((await run({ wiki: wiki.folder })).outcome).toBe('unchanged')
    } finally {
      wiki.remove()
    }
  })

  test('web addresses and the name of a GitHub remote', async () => {
    sandbox.git('remote', 'add', 'origin', 'https://token@github.com/Owner/Repo.git')
    const sha = sandbox.commit('one', { 'a b.md': 'a\n' })
    sandbox.git('tag', 'v1')
    const summary = await run()
    expect(summary.repo).toBe('Owner/Repo')
    expect(contents('owner/repo').map(({ url }) => url)).toEqual([
      `https://github.com/Owner/Repo/commit/${sha}`,
      `https://github.com/Owner/Repo/blob/main/a%20b.md`,
      `https://github.com/Owner/Repo/releases/tag/v1`,
    ])
    expect(JSON.stringify([summary, contents('owner/repo')])).not.toContain('token@')
  })

  test('configuration and environment change nothing', async () => {
    sandbox.commit('one', { 'a.ts': 'a\nb\nc\nd\ne\nf\ng\nh\n', 'a.md': 'x\n' })
    sandbox.commit('two', { 'a.ts': 'a\nb\nc\nd\nE\nf\ng\nh\n', 'a.md': 'y\n' })
    await run()
    const plain = contents()
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
    for (const [name, value] of Object.entries(settings)) sandbox.git('config', name, value)
    writeFileSync(join(sandbox.folder, '.git/info/attributes'), '*.ts diff=words\n*.md diff=words\n')
    process.env['GIT_DIR'] = '/nowhere'
    process.env['GIT_EXTERNAL_DIFF'] = 'false'
    try {
      expect((await run({ repo: 'other/name' })).outcome).toBe('complete')
    } finally {
      delete process.env['GIT_DIR']
      delete process.env['GIT_EXTERNAL_DIFF']
    }
    const bodies = contents('other/name').map(({ body, identity }) => [identity, body])
    expect(bodies).toEqual(plain.map(({ body, identity }) => [identity, body]))
  })
})

describe('kinds of checkouts', () => {
  test('a shallow clone is read without its cut commit, and whole once it is deepened', async () => {
    for (const number of [1, 2, 3, 4]) sandbox.commit(`c${number}`, { [`f${number}.md`]: 'x\n' })
    const clone = join(sandbox.root, 'clone')
    sandbox.gitIn(sandbox.root, 'clone', '-q', '--depth', '2', `file://${sandbox.folder}`, clone)
    const cut = await run({ path: clone, repo: 'o/r' })
    expect(cut.notes.join()).toContain('shallow')
    expect(listed('diff', 'o/r')).toEqual(['f4.md added'])
    expect(listed('doc', 'o/r')).toHaveLength(4)
    sandbox.gitIn(clone, 'fetch', '-q', '--unshallow')
    expect(await run({ path: clone, repo: 'o/r' })).toMatchObject({ outcome: 'complete', notes: [] })
    expect(listed('diff', 'o/r')).toHaveLength(4)
    const whole = await run({ repo: 'x/whole' })
    expect(whole.outcome).toBe('complete')
    const timed = (repo: string): unknown =>
      contents(repo).map(({ identity, createdAt, updatedAt }) => [identity, createdAt, updatedAt])
    expect(timed('o/r')).toEqual(timed('x/whole'))
  })

  test('worktrees, bare repositories, submodules, folders below the top, detached HEADs', async () => {
    const one = sandbox.commit('one', { 'a.md': 'a\n', 'sub/b.md': 'b\n' })
    sandbox.commit('two', { 'a.md': 'c\n' })
    const worktree = join(sandbox.root, 'tree')
    sandbox.git('worktree', 'add', '-q', '--detach', worktree, one)
    expect(await run({ path: worktree })).toMatchObject({ outcome: 'complete', repo: 'local/project', commits: 1 })
    const bare = join(sandbox.root, 'naked.git')
    sandbox.gitIn(sandbox.root, 'clone', '-q', '--bare', sandbox.folder, bare)
    expect(await run({ path: bare, repo: 'x/bare' })).toMatchObject({ outcome: 'complete', commits: 2 })
    expect(await run({ path: join(sandbox.folder, 'sub'), repo: 'x/below' })).toMatchObject({ commits: 2 })
    expect(listed('doc', 'x/below')).toEqual(['a.md', 'sub/b.md'])
    const outer = new GitSandbox('outer')
    try {
      outer.commit('outer', { 'o.md': 'o\n' })
      outer.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', sandbox.folder, 'inner')
      outer.commit('submodule')
      await run({ path: outer.folder, repo: 'x/outer' })
      expect(listed('doc', 'x/outer')).toEqual(['o.md'])
      expect(await run({ path: join(outer.folder, 'inner'), repo: 'x/inner' })).toMatchObject({ commits: 2 })
    } finally {
      outer.remove()
    }
  })

  test('a partial clone is refused, and nothing fetched', async () => {
    sandbox.commit('one', { 'a.md': 'a\n' })
    sandbox.git('config', 'uploadpack.allowFilter', 'true')
    const clone = join(sandbox.root, 'partial')
    sandbox.gitIn(sandbox.root, 'clone', '-q', '-n', '--filter=blob:none', `file://${sandbox.folder}`, clone)
    const summary = await run({ path: clone, repo: 'x/partial' })
    expect(summary).toMatchObject({
      outcome: 'failed',
      failure: { hint: expect.stringContaining('git fetch --refetch') },
    })
    expect(contents('x/partial')).toEqual([])
  })

  test('SHA-256 repositories', async () => {
    const modern = new GitSandbox('modern', 'sha256')
    try {
      const sha = modern.commit('one', { 'a.md': 'a\n' })
      expect(sha).toHaveLength(64)
      await run({ path: modern.folder })
      expect(contents('local/modern').map(({ identity }) => identity)).toContainEqual({
        type: 'diff',
        commitSha: sha,
        path: 'a.md',
      })
    } finally {
      modern.remove()
    }
  })

  test('a folder without history is read as it lies, and again when it changes', async () => {
    rmSync(join(sandbox.folder, '.git'), { recursive: true })
    sandbox.write({ 'a.md': 'a\n', 'sub/b.txt': 'b\n', 'node_modules/c.md': 'c\n' })
    utimesSync(join(sandbox.folder, 'a.md'), 1_600_000_000, 1_600_000_000)
    const summary = await run()
    expect(summary).toMatchObject({ outcome: 'complete', repo: 'local/project' })
    expect(summary.notes.join()).toContain('no git history')
    expect(contents()).toMatchObject([{ body: 'a\n', updatedAt: 1_600_000_000_000 }, { body: 'b\n' }])
    expect((await run()).outcome).toBe('unchanged')
    rmSync(join(sandbox.folder, 'sub'), { recursive: true })
    await run()
    expect(listed('doc')).toEqual(['a.md'])
  })

  test('an empty repository, an absent folder, a repository another user owns, no git', async () => {
    expect(await run()).toMatchObject({ outcome: 'complete', notes: [expect.stringContaining('no commit yet')] })
    expect(model.requests).toEqual([])
    expect((await run({ path: join(sandbox.root, 'nowhere') })).failure?.message).toContain('is not a folder')
    const bin = join(sandbox.root, 'bin')
    mkdirSync(bin)
    const fake = `#!/bin/sh\necho "fatal: detected dubious ownership in repository at '/x'\nTo add an exception for this directory, call:\n\n\tgit config --global --add safe.directory /x" >&2\nexit 128\n`
    writeFileSync(join(bin, 'git'), fake)
    chmodSync(join(bin, 'git'), 0o755)
    const path = process.env['PATH']
    try {
      process.env['PATH'] = `${bin}:${path}`
      expect((await run()).failure?.hint).toContain('git config --global --add safe.directory /x')
      writeFileSync(join(bin, 'git'), '#!/bin/sh\necho --path-format=absolute\necho false\n')
      expect((await run()).failure?.message).toContain('git 2.31 or newer')
      process.env['PATH'] = join(sandbox.root, 'empty')
      expect((await run()).failure?.message).toContain('Git is not installed')
    } finally {
      process.env['PATH'] = path
    }
  })
})

describe('again', () => {
  test('an unchanged repository costs one request', async () => {
    sandbox.commit('one', { 'a.md': 'a\n' })
    await run()
    model.requests.length = 0
    expect((await run()).outcome).toBe('unchanged')
    expect(model.requests).toEqual(['GET /admin/status'])
  })

  test('a moved HEAD sends what changed and nothing else', async () => {
    sandbox.commit('one', { 'a.md': 'a\n', 'b.md': 'b\n', 'c.md': 'c\n' })
    await run()
    sandbox.git('rm', '-q', 'c.md')
    sandbox.commit('two', { 'b.md': 'bb\n' })
    const summary = await run()
    // The document, its diff, and the diff of the file that went.
    expect(summary).toMatchObject({ commits: 1, counts: { written: 3, unchanged: 0, stale: 0 } })
    expect(listed('doc')).toEqual(['a.md', 'b.md'])
  })

  test('the last document of all may go', async () => {
    sandbox.commit('one', { 'a.md': 'a\n', 'x.ts': 'x\n' })
    await run()
    sandbox.git('rm', '-q', 'a.md')
    sandbox.commit('two')
    await run()
    expect(listed('doc')).toEqual([])
  })

  test('going back in time brings older documents back, and drops the commits nothing leads to', async () => {
    sandbox.commit('one', { 'a.md': 'old\n' })
    const oldMs = sandbox.nowMs
    const two = sandbox.commit('two', { 'a.md': 'new\n', 'b.md': 'b\n' })
    await run()
    sandbox.git('reset', '-q', '--hard', 'HEAD~1')
    await run()
    expect(contents()).toMatchObject([
      { identity: { type: 'diff', path: 'a.md' }, message: 'one' },
      { identity: { type: 'doc', path: 'a.md' }, body: 'old\n', updatedAt: oldMs },
    ])
    sandbox.git('reset', '-q', '--hard', two)
    await run()
    expect(listed('diff')).toHaveLength(3)
    expect((await run()).outcome).toBe('unchanged')
  })

  test('an amended commit does not make the history before it be read again', async () => {
    for (const number of [1, 2, 3, 4, 5]) sandbox.commit(`c${number}`, { 'a.ts': `${number}\n` })
    await run()
    sandbox.git('commit', '-q', '--amend', '-m', 'better')
    expect(await run()).toMatchObject({ outcome: 'complete', commits: 1, counts: { written: 1, removed: 1 } })
    expect(
      contents()
        .map(({ message }) => message)
        .sort(),
    ).toEqual(['better', 'c1', 'c2', 'c3', 'c4'])
  })

  test('a branch that is only left keeps its rows; once it is deleted they go', async () => {
    sandbox.commit('one', { 'a.ts': '1\n' })
    sandbox.git('checkout', '-q', '-b', 'side')
    sandbox.commit('side', { 'b.ts': '2\n' })
    await run()
    sandbox.git('checkout', '-q', 'main')
    sandbox.commit('two', { 'c.ts': '3\n' })
    await run()
    expect(listed('diff')).toHaveLength(3)
    sandbox.git('branch', '-q', '-D', 'side')
    await run()
    expect(
      contents()
        .map(({ message }) => message)
        .sort(),
    ).toEqual(['one', 'two'])
  })

  test('a position nobody can follow starts over and loses nothing', async () => {
    sandbox.commit('one', { 'a.md': 'a\n', 'gone.md': 'g\n' })
    await run()
    const fresh = new GitSandbox()
    try {
      fresh.commit('unrelated', { 'a.md': 'other\n' })
      expect((await run({ path: fresh.folder })).outcome).toBe('complete')
      expect(listed('doc')).toEqual(['a.md'])
      expect(contents().find(({ identity }) => identity.type === 'doc')?.body).toBe('other\n')
    } finally {
      fresh.remove()
    }
  })

  test('many commits in one second, and clocks that run backwards', async () => {
    sandbox.wait(100)
    for (let number = 0; number < 12; number += 1) {
      sandbox.wait(number % 3 === 0 ? -7 : -1)
      sandbox.commit(`c${number}`, { 'a.ts': `${number}\n` })
    }
    let rounds = 0
    while ((await run({ maxCommits: 5 })).outcome === 'partial') rounds += 1
    expect(rounds).toBe(2)
    expect(listed('diff')).toHaveLength(12)
    expect((await run()).outcome).toBe('unchanged')
  })

  test('since looks at each commit’s committer date, whatever stands between', async () => {
    sandbox.wait(1000)
    sandbox.commit('early but young', { 'a.ts': '1\n' })
    const bound = new Date(sandbox.nowMs).toISOString()
    sandbox.wait(-500)
    sandbox.commit('old clock', { 'a.ts': '2\n' })
    sandbox.wait(900)
    sandbox.commit('late', { 'a.ts': '3\n' })
    const summary = await run({ since: bound })
    expect(summary).toMatchObject({ outcome: 'complete', commits: 2 })
    expect(
      contents()
        .map(({ message }) => message)
        .sort(),
    ).toEqual(['early but young', 'late'])
    expect((await run({ since: bound })).outcome).toBe('unchanged')
  })
})

describe('pages', () => {
  test('come newest first, say how far they are, and stay within their size', async () => {
    for (let number = 0; number < 8; number += 1) {
      sandbox.commit(
        `c${number}`,
        Object.fromEntries(Array.from({ length: 30 }, (_, file) => [`f${file}.ts`, `${number}\n`.repeat(2000)])),
      )
    }
    const seen: ImportProgress[] = []
    const summary = await run({ onProgress: (progress) => seen.push(progress) })
    expect(summary).toMatchObject({ outcome: 'complete', commits: 8, done: 8, total: 8 })
    expect(model.pages[0]).toMatchObject({ lines: 0, done: '0' })
    for (const { lines, bytes } of model.pages) {
      expect(lines).toBeLessThanOrEqual(100)
      expect(bytes).toBeLessThanOrEqual(1_500_000)
    }
    expect(seen.map(({ done }) => done)).toEqual(seen.map(({ done }) => done).sort((a, b) => a - b))
    expect(seen.at(-1)).toMatchObject({ phase: 'done', done: 8, total: 8 })
  })

  test('a document above the page’s size goes alone, cut at 1 MiB', async () => {
    sandbox.commit('big', { 'a.md': '"'.repeat(3_000_000), 'b.md': 'b\n' })
    await run()
    const [a] = ofType('doc')
    expect(a).toMatchObject({ sourceTruncated: true })
    expect(a?.body).toHaveLength(1_048_576)
  })

  test('a line the server refuses is left out and told of', async () => {
    sandbox.commit('one', { 'a.ts': 'a\n', [`${'d/'.repeat(2)}b.ts`]: 'b\n' })
    sandbox.git('config', 'user.name', 'x')
    sandbox.write({ 'c.ts': 'c\n' })
    sandbox.git('add', '-A')
    sandbox.git('commit', '-q', '-m', 'long author', `--author=${'n'.repeat(5000)} <a@b>`)
    const summary = await run()
    expect(summary.outcome).toBe('complete')
    expect(summary.notes).toEqual([expect.stringMatching(/^Left out.*c\.ts.*author/)])
    expect(listed('diff')).toEqual(['a.ts added', 'd/d/b.ts added'])
  })

  test('a server that stumbles is asked again; one that stays down is a failure that says so', async () => {
    sandbox.commit('one', { 'a.md': 'a\n' })
    model.fault = (page) => ([503, 429, undefined, 'drop-before', 'drop-after'] as const)[page]
    expect((await run()).outcome).toBe('complete')
    model.fault = () => 500
    sandbox.commit('two', { 'a.md': 'b\n' })
    const failed = await run()
    expect(failed).toMatchObject({ outcome: 'failed', failure: { code: 'UNAVAILABLE' } })
    expect(JSON.stringify(failed)).not.toContain(TOKEN)
    expect((await run({ adminToken: 'wrong' })).failure?.message).toContain('admin token')
  })
})
