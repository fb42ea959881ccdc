import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { AdminModel, TOKEN } from '../../support/admin-model.ts'
import { GitSandbox } from '../../support/git-sandbox.ts'

const SCRIPT = join(import.meta.dirname, '../../../mcp-server/src/cli/import.ts')

interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

let model: AdminModel
let endpoint: string
let data: string
let sandbox: GitSandbox

beforeAll(() => {
  sandbox = new GitSandbox()
  for (const number of [1, 2, 3])
    sandbox.commit(`commit ${number}`, { 'README.md': `${number}\n`, 'a.ts': `${number}\n` })
})
afterAll(() => sandbox.remove())

beforeEach(async () => {
  model = new AdminModel()
  endpoint = await model.start()
  data = mkdtempSync(join(tmpdir(), 'import-cli-'))
  writeFileSync(join(data, 'lock.json'), JSON.stringify({ pid: 1, endpoint: `${endpoint}/mcp`, secret: TOKEN }))
})
afterEach(async () => {
  await model.stop()
  rmSync(data, { recursive: true, force: true })
})

/** `onPage` is called before each page, with a function that sends Ctrl-C. */
async function run(args: readonly string[], env: object = {}, onPage?: (kill: () => void) => void): Promise<Ended> {
  const { KOTODAMA_ADMIN_TOKEN: _, INIT_CWD: __, ...inherited } = process.env
  const child = spawn(process.execPath, [SCRIPT, ...args], {
    cwd: sandbox.folder,
    env: { ...inherited, GIT_CONFIG_GLOBAL: '/dev/null', ...env },
  })
  if (onPage !== undefined) {
    model.fault = () => {
      onPage(() => child.kill('SIGINT'))
      return undefined
    }
  }
  let [out, err] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  const [code] = (await once(child, 'close')) as [number | null]
  expect(out + err).not.toContain(TOKEN)
  return { code, out, err }
}

test('import reads the current checkout into the server of the data folder, with its token', async () => {
  const first = await run(['--data', data])
  expect(first).toMatchObject({ code: 0, err: '' })
  expect(first.out).toContain('local/project: all is in')
  expect(first.out).toContain('10 written')
  expect((await run(['--data', data])).out).toContain('nothing new')
})

test('import lists its flags with --help, and refuses each wrong argument by name', async () => {
  const help = await run(['--help'])
  expect(help.code).toBe(0)
  for (const flag of ['path', 'repo', 'wiki', 'since', 'max-commits', 'all-files', 'documents', 'url', 'data']) {
    expect(help.out).toContain(`--${flag}`)
  }
  const wrong = {
    '--nonsense': 'nonsense',
    positional: 'positional',
    '--max-commits=many': 'whole number',
    '--url=here': '--url',
    '--documents=x --repo=o/r': '--repo',
    '--since=bogus': '--since',
    '--repo=a/b/c': 'owner/name',
    '--repo=../..': 'owner/name',
  }
  for (const [args, said] of Object.entries(wrong)) {
    const ended = await run(args.split(' '))
    expect([args, ended.code]).toEqual([args, 2])
    expect(ended.err).toContain(said)
  }
})

test('the import of an empty repository says that there is nothing to read', async () => {
  const empty = new GitSandbox('empty')
  const ended = await run(['--data', data, '--path', empty.folder])
  empty.remove()
  expect(ended).toMatchObject({ code: 0, out: expect.stringContaining('local/empty: nothing to read') })
})

test('an import without a token or without a server fails, and never sends the local token to another machine', async () => {
  const empty = join(data, 'empty')
  mkdirSync(empty)
  expect(await run(['--data', empty])).toMatchObject({ code: 1, err: expect.stringContaining('No admin token') })
  const elsewhere = await run(['--data', data, '--url', 'http://example.invalid'])
  expect(elsewhere).toMatchObject({ code: 1, err: expect.stringContaining('KOTODAMA_ADMIN_TOKEN') })
  const down = await run(['--data', empty, '--url', 'http://127.0.0.1:1'], { KOTODAMA_ADMIN_TOKEN: TOKEN })
  expect(down).toMatchObject({ code: 1, err: expect.stringContaining('npm start') })
})

test('Ctrl-C ends an import between two pages, and the next run continues it', async () => {
  let pages = 0
  const cut = await run(['--data', data], {}, (kill) => {
    pages += 1
    if (pages === 1) kill()
  })
  expect(cut.code).toBe(130)
  model.fault = () => undefined
  expect((await run(['--data', data])).out).toContain('all is in')
  expect(model.contents('local/project')).toHaveLength(10)
})

test('a file of documents is posted in pages, and a wrong line refuses its page and is named by its number in the file', async () => {
  const line = (number: number): string => JSON.stringify({ type: 'issue', repo: 'o/r', number, body: `b${number}` })
  const lines = Array.from({ length: 250 }, (_, at) => line(at + 1))
  const good = join(data, 'good.ndjson')
  writeFileSync(good, `\ufeff${lines.join('\r\n\r\n')}\r\n`)
  expect(await run(['--data', data, '--documents', good])).toMatchObject({ code: 0, err: '' })
  expect(model.contents('o/r')).toHaveLength(250)

  const broken = join(data, 'broken.ndjson')
  const bad = lines.with(220, JSON.stringify({ type: 'issue', repo: 'o/r', number: 'x', body: '' }))
  writeFileSync(broken, bad.join('\n').replaceAll('o/r', 'o/s'))
  const ended = await run(['--data', data, '--documents', broken])
  expect(ended.code).toBe(1)
  expect(ended.err).toContain(`${broken}:221: number`)
  expect(model.contents('o/s')).toHaveLength(200)

  const notThere = await run(['--data', data, '--documents', join(data, 'absent')])
  expect(notThere).toMatchObject({ code: 1, err: expect.stringContaining('absent') })
  writeFileSync(join(data, 'bytes'), Buffer.from([0x7b, 0xff, 0x7d]))
  expect((await run(['--data', data, '--documents', join(data, 'bytes')])).err).toContain('bytes:1: not UTF-8')
})
