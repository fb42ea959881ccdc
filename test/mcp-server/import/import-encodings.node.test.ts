import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { encodeLegacy } from '../../support/encode-legacy.ts'
import { useImportWorld } from '../../support/import-world.ts'

const world = useImportWorld()

const TEXT = '# 配線の手順\n\n端子の番号を確かめてから接続する。\n'

function wide(text: string): Buffer {
  return Buffer.from(`\ufeff${text}`, 'utf16le')
}

function bodies(type: string): Record<string, string> {
  return Object.fromEntries(world.ofType(type).map(({ identity, body }) => [(identity as { path: string }).path, body]))
}

test('a document is readable in UTF-16 of either order and in the encodings of its language', async () => {
  world.sandbox.commit('manuals', {
    'docs/wide.txt': wide(TEXT),
    'docs/wide-big.txt': wide(TEXT).swap16(),
    'docs/marked.md': `\ufeff${TEXT}`,
    'docs/sjis.txt': encodeLegacy(TEXT, 'shift_jis'),
    'docs/eucjp.rst': encodeLegacy(TEXT, 'euc-jp'),
    'docs/jis.txt': encodeLegacy(TEXT, 'iso-2022-jp'),
    'docs/utf8.md': TEXT,
  })
  await world.run()
  const texts = Object.entries(bodies('doc'))
  expect(texts).toHaveLength(7)
  for (const [path, body] of texts) expect([path, body]).toEqual([path, TEXT])
})

test('a file is read in the encoding that attributes declare for it', async () => {
  const short = '接続\n'
  world.sandbox.commit('declared', {
    '.gitattributes': '*.txt encoding=EUC-JP\nwide.md encoding=UTF-16BE\nutf8.txt encoding=Shift_JIS\n',
    'a.txt': encodeLegacy(short, 'euc-jp'),
    'wide.md': Buffer.from(short, 'utf16le').swap16(),
    'utf8.txt': TEXT,
  })
  await world.run()
  expect(bodies('doc')).toEqual({ 'a.txt': short, 'wide.md': short, 'utf8.txt': TEXT })
  expect(bodies('diff')['a.txt']).toBe('@@ -0,0 +1 @@\n+接続')
})

test('a file that git converts for the working tree is read as it is committed', async () => {
  const { sandbox } = world
  sandbox.commit('declared', {
    '.gitattributes': '*.txt working-tree-encoding=UTF-16LE-BOM eol=lf\n',
    'a.txt': wide(TEXT),
  })
  sandbox.commit('changed', { 'a.txt': wide(TEXT.replace('番号', '色')) })
  await world.run()
  expect(bodies('doc')).toEqual({ 'a.txt': TEXT.replace('番号', '色') })
  expect(
    world
      .ofType('diff')
      .map(({ body }) => body)
      .join('\n'),
  ).toContain('-端子の番号を')
})

test('the patch of a file that was converted to UTF-8 has both sides readable', async () => {
  world.sandbox.commit('one', { 'src/main.c': encodeLegacy(`/* ${TEXT} */\nint x;\n`, 'shift_jis') })
  world.sandbox.commit('to UTF-8', { 'src/main.c': `/* ${TEXT} */\nint x;\n` })
  await world.run()
  const patches = world.ofType('diff').map(({ body }) => body)
  expect(
    patches.some((patch) => patch.includes('-端子の番号を確かめて') && patch.includes('+端子の番号を確かめて')),
  ).toBe(true)
  expect(patches.some((patch) => patch.includes('\ufffd'))).toBe(false)
})

test('a file in UTF-16 has patches, also when it is added, converted and removed, and other binary files have none', async () => {
  const { sandbox } = world
  sandbox.commit('add', { 'app.strings': wide(TEXT), 'data.raw': Buffer.of(0, 1, 2, 3), 'big.rc': wide('x').swap16() })
  sandbox.commit('change', { 'app.strings': wide(TEXT.replace('番号', '色')), 'data.raw': Buffer.of(0, 1, 2, 4) })
  sandbox.commit('convert', { 'app.strings': TEXT.replace('番号', '色') })
  sandbox.git('rm', '-q', 'big.rc')
  sandbox.commit('remove')
  const { excluded } = await world.run()
  const patches = Object.fromEntries(
    world
      .ofType('diff')
      .map(({ identity, body, message }) => [`${message} ${(identity as { path: string }).path}`, body]),
  )
  expect(patches).toEqual({
    'add app.strings': '@@ -0,0 +1,3 @@\n+# 配線の手順\n+\n+端子の番号を確かめてから接続する。',
    'add big.rc': '@@ -0,0 +1 @@\n+x\n\\ No newline at end of file',
    'change app.strings':
      '@@ -1,3 +1,3 @@\n # 配線の手順\n \n-端子の番号を確かめてから接続する。\n+端子の色を確かめてから接続する。',
    'convert app.strings': '',
    'remove big.rc': '@@ -1 +0,0 @@\n-x\n\\ No newline at end of file',
  })
  expect(excluded).toEqual([{ kind: 'binary', changes: 2, names: ['data.raw'], moreNames: 0 }])
})

test('a hunk’s heading that git cuts within a character does not change the patch’s encoding', async () => {
  const heading = `class 見出し${'の長い説明'.repeat(8)}`
  const lines = Array.from({ length: 12 }, (_, at) => ` 行${at}\n`).join('')
  world.sandbox.commit('one', { 'a.ts': `${heading}\n${lines}` })
  world.sandbox.commit('two', { 'a.ts': `${heading}\n${lines.replace('行9', '列9')}` })
  await world.run()
  const patch = world.ofType('diff').find(({ fileStatus }) => fileStatus === 'modified')?.body ?? ''
  expect(patch).toContain(' class 見出しの長い説明')
  expect(patch).toContain('- 行9\n+ 列9')
})

test('messages of commits and tags are readable in a declared encoding and in a guessed one', async () => {
  const { sandbox } = world
  const message = join(sandbox.root, 'message')
  sandbox.write({ 'a.ts': 'a\n' })
  sandbox.git('add', '-A')
  writeFileSync(message, encodeLegacy('配線を直した\n', 'euc-jp'))
  sandbox.git('-c', 'i18n.commitEncoding=EUC-JP', 'commit', '-q', '-F', message)
  // Git itself writes no such commit: it comes from a conversion of another system.
  sandbox.commit('to be replaced', { 'a.ts': 'b\n' })
  const commit = execFileSync('git', ['cat-file', 'commit', 'HEAD'], { cwd: sandbox.folder, env: sandbox.env() })
  const head = commit.subarray(0, commit.indexOf('\n\n') + 2)
  writeFileSync(message, Buffer.concat([head, encodeLegacy('端子の名前を変えた\n\n理由は説明にある。\n', 'shift_jis')]))
  sandbox.git('reset', '-q', '--hard', sandbox.git('hash-object', '-t', 'commit', '-w', message))
  writeFileSync(message, encodeLegacy('最初の版\n\n接続の手順を追加した。\n', 'shift_jis'))
  sandbox.git('tag', '-a', 'v1', '-F', message)
  sandbox.commit('普通の説明', { 'a.ts': 'c\n' })
  await world.run()
  expect(
    world
      .ofType('diff')
      .map(({ message: text }) => text)
      .sort(),
  ).toEqual(['普通の説明', '端子の名前を変えた\n\n理由は説明にある。', '配線を直した'].sort())
  expect(world.ofType('release').map(({ body }) => body)).toEqual(['最初の版\n\n接続の手順を追加した。'])
})

test('a binary file is no document in spite of its name, also when it was text before', async () => {
  world.sandbox.commit('text', { 'a.md': 'a\n', 'b.txt': 'b\n' })
  await world.run()
  world.sandbox.commit('binary', { 'b.txt': Buffer.from('b\0\x01\x02'), 'c.txt': Buffer.of(0, 1, 2, 3) })
  expect(await world.run()).toMatchObject({ outcome: 'complete' })
  expect(world.listed('doc')).toEqual(['a.md'])
  expect((await world.run()).outcome).toBe('unchanged')
  expect(await world.run({ repo: 'x/other' })).toMatchObject({ outcome: 'complete' })
  expect(world.listed('doc', 'x/other')).toEqual(['a.md'])
})

test('a folder without history is read in the same encodings', async () => {
  const folder = join(world.sandbox.root, 'plain')
  mkdirSync(folder)
  writeFileSync(join(folder, 'wide.txt'), wide(TEXT))
  writeFileSync(join(folder, 'sjis.md'), encodeLegacy(TEXT, 'shift_jis'))
  writeFileSync(join(folder, 'data.txt'), Buffer.of(1, 0, 2))
  await world.run({ path: folder, repo: 'local/project' })
  expect(bodies('doc')).toEqual({ 'sjis.md': TEXT, 'wide.txt': TEXT })
})
