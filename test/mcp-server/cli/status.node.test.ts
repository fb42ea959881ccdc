import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockPath } from '../../../mcp-server/src/local/data-folder.ts'

let folder: string
let server: Server
let endpoint: string
const GITHUB = { auth: 'none', webhook: 'off', api_url: 'https://api.github.com' }
const STATUS = { version: '0.1.0', schema: 1, github: GITHUB, repositories: [] }

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kotodama-status-'))
  server = createServer((request, response) => {
    const known = request.url === '/admin/status' && request.headers.authorization === 'Bearer right'
    response.writeHead(known ? 200 : 401).end(known ? JSON.stringify(STATUS) : '{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
})
afterEach(() => {
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

async function status(...args: string[]): Promise<{ code: unknown; out: string; err: string }> {
  return statusWith('', ...args)
}

async function statusWith(token: string, ...args: string[]): Promise<{ code: unknown; out: string; err: string }> {
  const run = spawn(process.execPath, ['mcp-server/src/cli/status.ts', '--data', folder, ...args], {
    timeout: 30_000,
    env: { ...process.env, KOTODAMA_ADMIN_TOKEN: token },
  })
  let out = ''
  let err = ''
  run.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  run.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  const [code] = (await once(run, 'close')) as unknown[]
  return { code, out, err }
}

function leave(lock: object): void {
  writeFileSync(lockPath(folder), JSON.stringify(lock))
}

test('status shows the answer of the server on the data folder, with --json as it is', async () => {
  leave({ pid: 1, secret: 'right', endpoint })
  expect(await status()).toMatchObject({ code: 0, out: expect.stringContaining(endpoint) })
  const json = await status('--json')
  expect(JSON.parse(json.out)).toEqual(STATUS)
})

test('a relative --data is resolved against the folder npm was called in', async () => {
  const run = spawn(process.execPath, ['mcp-server/src/cli/status.ts', '--data', 'below'], {
    env: { ...process.env, KOTODAMA_ADMIN_TOKEN: '', INIT_CWD: folder, npm_lifecycle_event: 'status' },
    timeout: 30_000,
  })
  let err = ''
  run.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  await once(run, 'close')
  expect(err).toContain(`no server runs on ${join(folder, 'below')}`)
})

test.each(['sec\rret', 'sec\nret', 'sec\u2603ret', 'sec ret'])(
  'the token %j, which no header can carry, is refused and not printed',
  async (token) => {
    leave({ pid: 1, secret: 'right', endpoint })
    const { code, out, err } = await statusWith(token)
    expect(code).toBe(1)
    expect(err).toContain('KOTODAMA_ADMIN_TOKEN')
    expect(out + err).not.toMatch(/sec|ret/)
  },
)

test('a server that is missing, starting or refuses the token ends status with exit code 1 and the reason', async () => {
  expect(await status()).toMatchObject({ code: 1, err: expect.stringContaining('npm start') })
  leave({ pid: 1, secret: 'wrong', endpoint })
  expect(await status()).toMatchObject({ code: 1, err: expect.stringContaining('401') })
  leave({ pid: 1, secret: 's', endpoint: 'http://127.0.0.1:1/mcp' })
  expect(await status()).toMatchObject({ code: 1, err: expect.stringContaining('Nothing answers') })
  leave({ pid: 1, secret: 's' })
  expect(await status()).toMatchObject({ code: 1, err: expect.stringContaining('starting') })
  writeFileSync(lockPath(folder), '{')
  expect(await status()).toMatchObject({ code: 1, err: expect.stringContaining('lock.json') })
})

test('an unknown flag ends status with exit code 2 and the usage', async () => {
  expect(await status('--jsonn')).toMatchObject({ code: 2, err: expect.stringContaining('--json') })
})

test('--url names the server, and the token of the lock is not sent to another machine', async () => {
  leave({ pid: 1, secret: 'right', endpoint: 'http://127.0.0.1:1/mcp' })
  const { origin } = new URL(endpoint)
  expect(await status('--url', origin)).toMatchObject({ code: 0, out: expect.stringContaining(origin) })
  expect(await status('--url', 'http://example.invalid')).toMatchObject({
    code: 1,
    err: expect.stringContaining('KOTODAMA_ADMIN_TOKEN'),
  })
})
