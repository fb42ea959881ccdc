import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { NEWLINE, splitRecords, toBoundedText } from '../../../mcp-server/src/git/bytes.ts'
import { MAX_TEXT_BYTES } from '../../../mcp-server/src/git/limits.ts'
import { gitArguments, gitEnvironment, userEnvironment } from '../../../mcp-server/src/git/git-command.ts'
import { unquotePath } from '../../../mcp-server/src/git/quoted-path.ts'
import { parseRemote, toLocalName, webPages } from '../../../mcp-server/src/git/remote.ts'
import { isPrerelease } from '../../../mcp-server/src/git/tags.ts'
import { DOCS, WIKI } from '../../../mcp-server/src/git/git-tree.ts'
import { runs } from '../../support/runs.ts'

describe('bytes', () => {
  test('records are the same for every size of the stream’s chunks', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom('a', 'あ', '\n', '\0') }),
        fc.integer({ min: 1, max: 9 }),
        async (text, size) => {
          const bytes = Buffer.from(text)
          async function* chunks(): AsyncGenerator<Uint8Array> {
            for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
          }
          const records: string[] = []
          for await (const record of splitRecords(chunks(), NEWLINE)) records.push(record.toString())
          const expected = text.split('\n')
          if (expected.at(-1) === '') expected.pop()
          expect(records).toEqual(expected)
        },
      ),
      { numRuns: runs(200) },
    )
  })

  test('a bounded text is at most 1 MiB of UTF-8, also from another encoding', () => {
    const latin = toBoundedText(Buffer.alloc(MAX_TEXT_BYTES, 0xff))
    expect(latin.cut).toBe(true)
    expect(Buffer.byteLength(latin.text)).toBeLessThanOrEqual(MAX_TEXT_BYTES)
    expect(toBoundedText(Buffer.from([0x61, 0xff]))).toEqual({ text: 'aÿ', cut: false })
    const wide = toBoundedText(Buffer.from(`\ufeff${'x'.repeat(MAX_TEXT_BYTES / 2 - 2)}😀`, 'utf16le'))
    expect(wide).toEqual({ text: 'x'.repeat(MAX_TEXT_BYTES / 2 - 2), cut: true })
    expect(toBoundedText(Buffer.from(`${'x'.repeat(MAX_TEXT_BYTES - 1)}😀`)).text).toBe('x'.repeat(MAX_TEXT_BYTES - 1))
  })
})

test('a quoted path is decoded to its bytes as UTF-8', () => {
  const path = (text: string): string => unquotePath(Buffer.from(text))
  expect(path('plain path.md')).toBe('plain path.md')
  expect(path(String.raw`"n\nl\"q\\\t"`)).toBe('n\nl"q\\\t')
  expect(path(String.raw`"\346\227\245\001"`)).toBe('日\u0001')
  expect(path('日本"語.md')).toBe('日本"語.md')
})

test('a remote gives the project its name, and on GitHub its web addresses', () => {
  const names = {
    'https://github.com/Owner/Repo.git': 'Owner/Repo github',
    'https://user:secret@github.com/o/r/': 'o/r github',
    'git@github.com:o/r.git': 'o/r github',
    'ssh://git@ssh.github.com:443/o/r.git': 'o/r github',
    'https://gitlab.com/group/sub/r.git': 'sub/r other',
    'git@example.org:~/me/r': 'me/r other',
  }
  for (const [address, expected] of Object.entries(names)) {
    const remote = parseRemote(address)
    const actual = remote === undefined ? 'none' : `${remote.name} ${remote.github ? 'github' : 'other'}`
    expect([address, actual]).toEqual([address, expected])
    expect(JSON.stringify(remote)).not.toContain('secret')
  }
  for (const local of ['/srv/git/o/r.git', '../r', 'C:\\x\\y', 'file:///srv/o/r'])
    expect(parseRemote(local)).toBeUndefined()
  const github = webPages(parseRemote('git@github.com:o/r.git'), 'feature/x')
  expect(github.doc('a b/#?%/日.md')).toBe('https://github.com/o/r/blob/feature/x/a%20b/%23%3F%25/%E6%97%A5.md')
  expect(github.release('v1#2')).toBe('https://github.com/o/r/releases/tag/v1%232')
  expect(webPages(parseRemote('https://gitlab.com/o/r'), 'main').doc('a.md')).toBeUndefined()
})

test('a folder of any name gives a valid repository name', () => {
  expect(toLocalName('my-project_1.0')).toBe('local/my-project_1.0')
  expect(toLocalName('my project')).toBe('local/my-project')
  expect(toLocalName('設計')).toMatch(/^local\/folder-[A-Za-z0-9]{8}$/)
  expect(toLocalName('設計')).not.toBe(toLocalName('企画'))
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (folder) => {
      expect(toLocalName(folder)).toMatch(/^local\/[A-Za-z0-9_.-]{1,100}$/)
    }),
  )
})

test('a pre-release is recognised by the name of its tag', () => {
  for (const name of [
    'v1.0.0-rc.1',
    '1.2.3-beta',
    'v2-rc.1',
    'pkg@1.0.0-alpha.2+b5',
    '1.0rc1',
    '1.0.0b2',
    'v1.0.dev3',
  ]) {
    expect([name, isPrerelease(name)]).toEqual([name, true])
  }
  for (const name of ['v1.0.0', '1.2.3+build-1', 'release-2024', 'v3', '5.3.0.Final', '1.0.0-ga', '1.0-1', 'nightly']) {
    expect([name, isPrerelease(name)]).toEqual([name, false])
  }
})

test('documents and wiki pages are recognised by their path', () => {
  for (const path of ['README.md', 'a/B.MDX', 'x.rst', '日本 語.txt', 'n.org']) expect(DOCS.keyOf(path)).toBe(path)
  for (const path of ['a.ts', '.md', 'a/.txt', 'md', 'x.md/y']) expect(DOCS.keyOf(path)).toBeUndefined()
  expect(WIKI.keyOf('Getting Started.md')).toBe('Getting-Started')
  expect(WIKI.keyOf('sub/Über-uns.markdown')).toBe('Über-uns')
  expect(WIKI.keyOf('_Sidebar.md')).toBeUndefined()
})

test('git is called with fixed arguments and without the variables that change its output', () => {
  expect(gitArguments('log').slice(-1)).toEqual(['log'])
  expect(gitArguments('log')[0]).toBe('--no-pager')
  const env = gitEnvironment({
    PATH: '/bin',
    GIT_DIR: '/x',
    GIT_EXTERNAL_DIFF: 'rm',
    GIT_CONFIG_GLOBAL: '/g',
    LC_ALL: 'ja_JP',
  })
  expect(env).toMatchObject({ PATH: '/bin', GIT_CONFIG_GLOBAL: '/dev/null', LC_ALL: 'C', GIT_ALLOW_PROTOCOL: 'none' })
  expect(gitEnvironment({ GIT_CONFIG_GLOBAL: '/g' }, '/ours')).toMatchObject({ GIT_CONFIG_GLOBAL: '/ours' })
  expect(userEnvironment({ GIT_CONFIG_GLOBAL: '/g', GIT_DIR: '/x' })).toMatchObject({
    GIT_CONFIG_GLOBAL: '/g',
    GIT_DIR: '/dev/null',
  })
  expect(Object.keys(env)).not.toContain('GIT_DIR')
  expect(Object.keys(env)).not.toContain('GIT_EXTERNAL_DIFF')
})
