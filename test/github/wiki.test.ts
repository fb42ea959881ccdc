import { describe, expect, test } from 'vitest'
import type { ScriptedAnswer } from '../support/answers-server.ts'
import { clientWorld, json, START_MS, TOKEN } from '../support/github/client-world.ts'

const HEAD_PATH = '/a/b.wiki.git/info/refs?service=git-upload-pack'
const LIST_PATH = '/a/b/wiki/_pages'
const PAGE_PATH = '/raw/wiki/a/b/Home.md'
const SHA = '1234567890abcdef1234567890abcdef12345678'

const pkt = (line: string): string => (line.length + 4).toString(16).padStart(4, '0') + line
const GIT = { 'content-type': 'application/x-git-upload-pack-advertisement' }
const SERVICE = `${pkt('# service=git-upload-pack\n')}0000`
const REFS = `${pkt(`${SHA} HEAD\0multi_ack symref=HEAD:refs/heads/master\n`)}${pkt(`${SHA} refs/heads/master\n`)}0000`
const HTML = { 'content-type': 'text/html; charset=utf-8' }
const TEXT = { 'content-type': 'text/plain; charset=utf-8' }

async function read(path: string, answer: ScriptedAnswer, timeLimitMs?: number): Promise<unknown> {
  const world = clientWorld({ GITHUB_TOKEN: TOKEN }, timeLimitMs)
  await world.script({ [path]: answer })
  const github = world.repository()
  if (path === HEAD_PATH) return github.readWikiHead()
  return path === LIST_PATH ? github.readWikiPageList() : github.readWikiPage('Home.md', '"old"')
}

const NONE = { ok: true, value: undefined }
const FAULT = { ok: false, fault: { kind: 'fault', reason: expect.stringMatching(/^[\u0020-\u007e]+$/) } }

describe('the head of a wiki', () => {
  test('is the SHA of its HEAD', async () => {
    expect(await read(HEAD_PATH, { body: SERVICE + REFS, headers: GIT })).toEqual({ ok: true, value: SHA })
  })

  test.each([
    ['a password is asked for', { status: 401, body: 'Repository not found.', headers: TEXT }],
    ['there is nothing', { status: 404, body: 'Not Found', headers: TEXT }],
    ['the server leads to its login', { status: 302, headers: { location: '../login' } }],
  ])('is not readable when %s', async (_, answer) => {
    expect(await read(HEAD_PATH, answer)).toEqual(NONE)
  })

  test('is absent in a wiki without commits', async () => {
    const none = pkt(`${'0'.repeat(40)} capabilities^{}\0multi_ack\n`)
    expect(await read(HEAD_PATH, { body: `${SERVICE}${none}0000`, headers: GIT })).toEqual(NONE)
    expect(await read(HEAD_PATH, { body: `${SERVICE}0000`, headers: GIT })).toEqual(NONE)
  })

  test('is found behind the new name of a repository', async () => {
    const world = clientWorld()
    const location = `${world.urls.server}/c/d.wiki.git/info/refs?service=git-upload-pack`
    await world.script({
      [HEAD_PATH]: { status: 301, headers: { location } },
      '/c/d.wiki.git/info/refs?service=git-upload-pack': { body: SERVICE + REFS, headers: GIT },
    })
    expect(await world.repository().readWikiHead()).toEqual({ ok: true, value: SHA })
  })

  test.each<[string, ScriptedAnswer]>([
    ['an empty body', { body: '', headers: GIT }],
    ['HTML', { body: '<html>', headers: HTML }],
    ['HTML under the right type', { body: '<html>', headers: GIT }],
    ['a list of another service', { body: `${pkt('# service=git-receive-pack\n')}0000${REFS}`, headers: GIT }],
    ['a list that does not end', { body: `${SERVICE}${pkt(`${SHA} HEAD\n`)}`, headers: GIT }],
    ['a line that is cut', { body: `${SERVICE}${pkt(`${SHA} HEAD\n`).slice(0, -9)}`, headers: GIT }],
    ['a wrong length', { body: `${SERVICE}00zz${SHA} HEAD`, headers: GIT }],
    ['a length below its own', { body: `${SERVICE}0003${SHA} HEAD`, headers: GIT }],
    ['an error line', { body: `${pkt('ERR upload-pack: not our ref')}`, headers: GIT }],
    ['a cut body', { body: SERVICE + REFS, headers: GIT, fault: 'cut' }],
    ['a server error', { status: 503, body: '', headers: TEXT }],
    [
      'a redirect to another server',
      { status: 301, headers: { location: 'http://127.0.0.1:1/a/b.wiki.git/info/refs' } },
    ],
  ])('is a fault with %s', async (_, answer) => {
    expect(await read(HEAD_PATH, answer)).toEqual(FAULT)
  })
})

describe('the list of pages', () => {
  test('is the HTML of the server', async () => {
    const body = '<html><a href="/a/b/wiki/X">\u30da\u30fc\u30b8</a></html>'
    expect(await read(LIST_PATH, { body, headers: HTML })).toEqual({ ok: true, value: body })
  })

  test.each([
    ['there is nothing', { status: 404, body: '<html>', headers: HTML }],
    ['the server leads to the repository', { status: 302, headers: { location: '/a/b' } }],
  ])('is absent when %s', async (_, answer) => {
    const world = clientWorld()
    const headers = Object.fromEntries(
      Object.entries(answer.headers).map(([name, value]) => [
        name,
        value.replace(/^\/a\/b$/, `${world.urls.server}/a/b`),
      ]),
    )
    await world.script({ [LIST_PATH]: { ...answer, headers } })
    expect(await world.repository().readWikiPageList()).toEqual(NONE)
    expect(await world.requests()).toHaveLength(1)
  })

  test.each<[string, ScriptedAnswer]>([
    ['an empty body', { body: '', headers: HTML }],
    ['JSON', json([])],
    ['a cut body', { body: '<html>', headers: HTML, fault: 'cut' }],
    ['a compressed body that is cut', { body: 'text '.repeat(900), headers: HTML, fault: 'gzip-cut' }],
    ['a server error', { status: 500, body: '<html>', headers: HTML }],
    ['too many bytes', { fault: 'huge', headers: HTML }],
  ])('is a fault with %s', async (_, answer) => {
    expect(await read(LIST_PATH, answer)).toEqual(FAULT)
  })
})

describe('a page', () => {
  test('is its text with its ETag', async () => {
    const answer = { body: '# \u898b\u51fa\u3057\n', headers: { ...TEXT, etag: '"new"' } }
    expect(await read(PAGE_PATH, answer)).toEqual({
      ok: true,
      value: { kind: 'ok', text: '# \u898b\u51fa\u3057\n', etag: '"new"' },
    })
  })

  test('is unchanged, absent, or empty', async () => {
    expect(await read(PAGE_PATH, { status: 304 })).toEqual({ ok: true, value: { kind: 'unchanged' } })
    expect(await read(PAGE_PATH, { status: 404, body: '404: Not Found', headers: TEXT })).toEqual({
      ok: true,
      value: { kind: 'absent' },
    })
    expect(await read(PAGE_PATH, { body: '', headers: { ...TEXT, 'content-length': '0' } })).toEqual({
      ok: true,
      value: { kind: 'ok', text: '' },
    })
  })

  test.each(['text/markdown', 'text/x-rst; charset=utf-8', 'application/octet-stream', ''])(
    'is text under the type %j',
    async (type) => {
      const answer = { body: 'x', headers: { 'content-type': type } }
      expect(await read(PAGE_PATH, answer)).toEqual({ ok: true, value: { kind: 'ok', text: 'x' } })
    },
  )

  test('in another encoding is text with replaced characters', async () => {
    const answer = {
      base64: Buffer.from([0x63, 0x61, 0x66, 0xe9]).toString('base64'),
      headers: { 'content-type': 'text/plain' },
    }
    expect(await read(PAGE_PATH, answer)).toMatchObject({ value: { text: 'caf\ufffd' } })
  })

  test('is asked for by its encoded file name, within its wiki', async () => {
    const world = clientWorld()
    const github = world.repository()
    const path = '/raw/wiki/a/b/caf%C3%A9%20%23%3F%25.md'
    await world.script({ [path]: { body: 'x', headers: TEXT } })
    expect(await github.readWikiPage('caf\u00e9 #?%.md')).toMatchObject({ ok: true, value: { kind: 'ok' } })
    for (const file of ['../x.md', '../../../../x', 'a/../../b.md']) {
      expect(await github.readWikiPage(file), file).toEqual({ ok: true, value: { kind: 'absent' } })
    }
    await github.readWikiPage('\ud800.md')
    expect((await world.requests()).map((request) => request.path)).toEqual([path, '/raw/wiki/a/b/%EF%BF%BD.md'])
  })

  test.each<[string, ScriptedAnswer]>([
    ['HTML', { body: '<html>', headers: HTML }],
    ['an image', { body: 'x', headers: { 'content-type': 'image/png' } }],
    ['a body that is empty without saying so', { body: '', headers: { ...TEXT, 'transfer-encoding': 'chunked' } }],
    ['a cut body', { body: 'half a pa', headers: TEXT, fault: 'cut' }],
    ['a chunked body that is cut', { body: 'half a pa', headers: TEXT, fault: 'cut-chunked' }],
    ['a compressed body that is cut', { body: 'text '.repeat(900), headers: TEXT, fault: 'gzip-cut' }],
    ['a redirect to another server', { status: 302, headers: { location: 'http://127.0.0.1:1/x' } }],
    ['a server error', { status: 502, body: '', headers: TEXT }],
  ])('is a fault with %s', async (_, answer) => {
    expect(await read(PAGE_PATH, answer)).toEqual(FAULT)
  })

  test('that takes too long is a fault', async () => {
    expect(await read(PAGE_PATH, { body: 'x', headers: TEXT, fault: 'slow' }, 300)).toEqual(FAULT)
  })
})

test('the token is sent to no address of a wiki, and requests are counted for its surface', async () => {
  const world = clientWorld()
  await world.script({
    [HEAD_PATH]: { body: SERVICE + REFS, headers: GIT },
    [LIST_PATH]: { body: '<html>', headers: HTML },
    [PAGE_PATH]: { body: 'x', headers: TEXT },
  })
  const run = world.openRun()
  const github = run.forRepository('a/b')
  await github.readWikiHead()
  await github.readWikiPageList()
  await github.readWikiPage('Home.md')
  const requests = await world.requests()
  expect(requests).toHaveLength(3)
  expect(JSON.stringify(requests)).not.toContain(TOKEN)
  for (const { headers } of requests) expect(headers).not.toHaveProperty('authorization')
  expect([...run.countsOf('A/B')]).toEqual([['wiki_doc', 3]])
})

test('a limit of the web server blocks the wiki and not the API', async () => {
  const world = clientWorld()
  await world.script({
    [PAGE_PATH]: { status: 429, body: 'Too many requests', headers: { ...TEXT, 'retry-after': '20' } },
    '/api/v3/x': json({}),
  })
  const github = world.repository()
  for (const answer of [await github.readWikiPage('Home.md'), await github.readWikiHead()]) {
    expect(answer).toMatchObject({ fault: { kind: 'waiting', untilMs: START_MS + 20_000 } })
  }
  expect(await github.get('/x', { surface: 'issue', expects: 'object' })).toMatchObject({ ok: true })
})
