import { describe, expect, test } from 'vitest'
import { parsePatches, type CommitFiles, type FilePatch } from '../../../mcp-server/src/git/patches.ts'

const COMMIT = '\0abc123\0def456\x001700000000\0Aoi\0aoi@example.org\0Subject\n\nBody\n\0\n'
const ZERO = '0'.repeat(40)
const ONE = '1'.repeat(40)
const TWO = '2'.repeat(40)

async function read(text: string | Uint8Array, chunkBytes = 1 << 20): Promise<FilePatch[]> {
  return (await readParts(text, chunkBytes)).flatMap((part) => ('files' in part ? [] : [part]))
}

async function readParts(text: string | Uint8Array, chunkBytes = 1 << 20): Promise<(CommitFiles | FilePatch)[]> {
  const bytes = Buffer.from(text as string)
  async function* chunks(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
  }
  const parts: (CommitFiles | FilePatch)[] = []
  for await (const part of parsePatches(chunks())) parts.push(part)
  return parts
}

function section(path: string, hunks: string): string {
  return `diff --git a/${path} b/${path}\nindex ${ONE}..${TWO} 100644\n--- a/${path}\n+++ b/${path}\n${hunks}`
}

describe('patches', () => {
  test('a patch has its hunks from the first @@ on, with commit, path and status', async () => {
    const [file, ...none] = await read(
      `${COMMIT}\n:100644 100644 ${ONE} ${TWO} M\tsrc/a.ts\n\n${section('src/a.ts', '@@ -1,2 +1,2 @@ fn\n a\n-b\n+c\n')}`,
    )
    expect(none).toEqual([])
    expect(file).toEqual({
      commit: {
        sha: 'abc123',
        parents: ['def456'],
        committedAt: 1_700_000_000_000,
        author: 'Aoi',
        authorEmail: 'aoi@example.org',
        message: 'Subject\n\nBody',
      },
      path: 'src/a.ts',
      status: 'modified',
      patch: '@@ -1,2 +1,2 @@ fn\n a\n-b\n+c',
      binary: false,
      truncated: false,
      blobs: [ONE, TWO],
    })
  })

  test('content that looks like a header stays content, at every split of the stream', async () => {
    const hunk = '@@ -1,3 +1,3 @@\n \n--- a/x\n+++ b/x\n+diff --git a/x b/x\n-\0abc\n'
    const text = `${COMMIT}\n:100644 100644 ${ONE} ${TWO} M\ta\n:100644 100644 ${ONE} ${TWO} M\tb\n\n${section('a', hunk)}${section('b', '@@ -1 +1 @@\n-x\n+y\n')}`
    const whole = await read(text)
    expect(whole.map(({ path, patch }) => [path, patch])).toEqual([
      ['a', hunk.trimEnd()],
      ['b', '@@ -1 +1 @@\n-x\n+y'],
    ])
    for (let bytes = 1; bytes <= 40; bytes += 1) expect(await read(text, bytes)).toEqual(whole)
  })

  test('a patch keeps the line about a missing newline on both sides', async () => {
    const hunk = '@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n'
    const [file] = await read(`${COMMIT}\n:100644 100644 ${ONE} ${TWO} M\ta\n\n${section('a', hunk)}`)
    expect(file?.patch).toBe(hunk.trimEnd())
  })

  test('added, removed, renamed, copied and changed files have GitHub’s words for their status', async () => {
    const entries = [
      `:000000 100644 ${ZERO} ${ONE} A\tadded`,
      `:100644 000000 ${ONE} ${ZERO} D\tremoved`,
      `:100644 100644 ${ONE} ${ONE} R100\told name\tnew name`,
      `:100644 100644 ${ONE} ${TWO} C080\tfrom\tto`,
      `:100644 100755 ${ONE} ${ONE} M\tmode`,
      `:100644 120000 ${ONE} ${TWO} T\tkind`,
    ]
    const files = await read(`${COMMIT}\n${entries.join('\n')}\n`)
    expect(files.map(({ path, status }) => `${path}: ${status}`)).toEqual([
      'added: added',
      'removed: removed',
      'new name: renamed',
      'to: copied',
      'mode: changed',
      'kind: changed',
    ])
  })

  test('a change of kind has both halves in one patch, and the next file has its own', async () => {
    const text = `${COMMIT}\n:100644 120000 ${ONE} ${TWO} T\ta\n:100644 100644 ${ONE} ${TWO} M\tb\n\n${section('a', '@@ -1 +0,0 @@\n-x\n')}${section('a', '@@ -0,0 +1 @@\n+y\n')}${section('b', '@@ -1 +1 @@\n-p\n+q\n')}`
    expect((await read(text)).map(({ path, patch }) => [path, patch])).toEqual([
      ['a', '@@ -1 +0,0 @@\n-x\n@@ -0,0 +1 @@\n+y'],
      ['b', '@@ -1 +1 @@\n-p\n+q'],
    ])
  })

  test('the patch of a binary file is empty and marked as binary', async () => {
    const text = `${COMMIT}\n:000000 100644 ${ZERO} ${ONE} A\tx.bin\n\ndiff --git a/x.bin b/x.bin\nBinary files /dev/null and b/x.bin differ\n`
    expect(await read(text)).toMatchObject([{ path: 'x.bin', patch: '', binary: true }])
  })

  test('a patch over 1 MiB is cut between characters, and the next file is still read', async () => {
    const long = `@@ -0,0 +1,2 @@\n+${'あ'.repeat(200_000)}\n+${'い'.repeat(200_000)}\n`
    const text = `${COMMIT}\n:100644 100644 ${ONE} ${TWO} M\ta\n:100644 100644 ${ONE} ${TWO} M\tb\n\n${section('a', long)}${section('b', '@@ -1 +1 @@\n-x\n+y\n')}`
    const [a, b] = await read(text, 65_536)
    expect(a?.truncated).toBe(true)
    const bytes = Buffer.byteLength(a?.patch ?? '')
    expect(bytes).toBeLessThanOrEqual(1_048_576)
    expect(bytes).toBeGreaterThan(1_048_570)
    expect(a?.patch.endsWith('い')).toBe(true)
    expect(b).toMatchObject({ path: 'b', patch: '@@ -1 +1 @@\n-x\n+y', truncated: false })
  })

  test('a line of 3 MiB is cut and does not end its hunk', async () => {
    const hunk = `@@ -0,0 +1,2 @@\n+${'x'.repeat(3 << 20)}\n+tail\n`
    const text = `${COMMIT}\n:100644 100644 ${ONE} ${TWO} M\ta\n:100644 100644 ${ONE} ${TWO} M\tb\n\n${section('a', hunk)}${section('b', '@@ -1 +1 @@\n-x\n+y\n')}`
    expect((await read(text, 65_536)).map(({ path, truncated }) => [path, truncated])).toEqual([
      ['a', true],
      ['b', false],
    ])
  })

  test('more sections than files are an error, and no patch gets a wrong path', async () => {
    const one = section('a', '@@ -1 +1 @@\n-x\n+y\n')
    await expect(read(`${COMMIT}\n:100644 100644 ${ONE} ${TWO} M\ta\n\n${one}${one}`)).rejects.toThrow('more patches')
  })

  test('a commit comes before its patches with the list of its files, also when it changed none', async () => {
    const empty = '\0def456\0\x001700000000\0Aoi\0a@b\0Empty\n\0\n'
    const two = `${COMMIT}\n:100644 100644 ${ONE} ${TWO} M\ta\n:000000 100644 ${ZERO} ${TWO} A\tb\n\n${section('a', '@@ -1 +1 @@\n-x\n+y\n')}`
    const parts = await readParts(`${empty}${two}${empty}`)
    expect(parts.map((part) => ('files' in part ? part.files : part.path))).toEqual([
      [],
      [
        { path: 'a', status: 'modified' },
        { path: 'b', status: 'added' },
      ],
      'a',
      'b',
      [],
    ])
    expect(parts.at(-1)?.commit).toMatchObject({ sha: 'def456', parents: [], message: 'Empty' })
  })

  test('a file of a merge has the status that it has compared with every parent', async () => {
    const merge = `\0abc\0def fed\x001700000000\0Aoi\0a@b\0Merge\n\0\n`
    const entries = [
      `::100644 100644 100644 ${ONE} ${TWO} ${ONE} MM\tboth`,
      `::000000 000000 100644 ${ZERO} ${ZERO} ${ONE} AA\tnew`,
      `::000000 100644 100644 ${ZERO} ${TWO} ${ONE} AM\tmixed`,
      `:::100644 100644 100644 000000 ${ONE} ${TWO} ${ONE} ${ZERO} DDD\t"gone\tpath"`,
    ]
    const [part] = await readParts(`${merge}\n${entries.join('\n')}\n`)
    expect(part).toMatchObject({
      commit: { parents: ['def', 'fed'] },
      files: [
        { path: 'both', status: 'modified' },
        { path: 'new', status: 'added' },
        { path: 'mixed', status: 'modified' },
        { path: 'gone\tpath', status: 'removed' },
      ],
    })
  })

  test('a date after the year 9999 is absent', async () => {
    const commit = '\0abc\0\x0099999999999999\0Aoi\0a@b\0m\n\0\n'
    const [file] = await read(`${commit}\n:100644 100644 ${ONE} ${TWO} M\ta\n`)
    expect(file?.commit.committedAt).toBeUndefined()
  })
})
