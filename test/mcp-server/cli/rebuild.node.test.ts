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
let calls: string[]
/** The work that is left after each call; the last value is repeated. */
let left: number[]

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'kotodama-rebuild-'))
  calls = []
  server = createServer((request, response) => {
    calls.push(`${request.method} ${request.url}`)
    const words = left.length > 1 ? left.shift() : left[0]
    const known = request.headers.authorization === 'Bearer right'
    const answer = { dry_run: false, done: words === 0, documents: 9, left: { words, edges: 0, vectors: 0, index: 0 } }
    response.writeHead(known ? 200 : 401).end(known ? JSON.stringify(answer) : '{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
  writeFileSync(lockPath(folder), JSON.stringify({ pid: 1, secret: 'right', endpoint }))
})
afterEach(() => {
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

async function rebuild(...args: string[]): Promise<{ code: unknown; out: string; err: string }> {
  const env = { ...process.env, KOTODAMA_ADMIN_TOKEN: '' }
  const run = spawn(process.execPath, ['mcp-server/src/cli/rebuild.ts', '--data', folder, ...args], {
    timeout: 30_000,
    env,
  })
  let out = ''
  let err = ''
  run.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  run.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  const [code] = (await once(run, 'close')) as unknown[]
  return { code, out, err }
}

test('rebuild starts one rebuild and resumes it until it is done', async () => {
  left = [9, 4, 0]
  expect(await rebuild()).toMatchObject({ code: 0, out: '9 documents are rebuilt.\n' })
  const target = 'POST /admin/rebuild?dry_run=false&resume='
  expect(calls).toEqual([`${target}false`, `${target}true`, `${target}true`])
})

test('a dry run makes one call', async () => {
  left = [9]
  expect(await rebuild('--dry-run')).toMatchObject({ code: 0, out: expect.stringContaining('9 documents') })
  expect(calls).toEqual(['POST /admin/rebuild?dry_run=true&resume=false'])
})

test('a rebuild without progress is a failure that names npm run status', async () => {
  left = [9, 2]
  expect(await rebuild()).toMatchObject({ code: 1, err: expect.stringContaining('npm run status') })
})

test('wrong arguments end with exit code 2, a wrong token or no server with exit code 1', async () => {
  expect(await rebuild('--everything')).toMatchObject({ code: 2, err: expect.stringContaining('--dry-run') })
  expect(await rebuild('--url', 'example.com')).toMatchObject({ code: 2 })
  writeFileSync(lockPath(folder), JSON.stringify({ pid: 1, secret: 'wrong', endpoint: 'http://127.0.0.1:1/mcp' }))
  expect(await rebuild('--url', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)).toMatchObject({
    code: 1,
  })
  rmSync(lockPath(folder))
  expect(await rebuild()).toMatchObject({ code: 1, err: expect.stringContaining('npm start') })
})
