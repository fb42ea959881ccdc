import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { inspectLock, isAlive, lockPath, type WrittenLock } from '../../../mcp-server/src/local/data-folder.ts'
import { claimFolder, type Ownership } from '../../../mcp-server/src/local/ownership.ts'

let folder: string
let said: string[] = []
const say = (sentence: string): void => void said.push(sentence)
const children: ChildProcess[] = []
const servers: Server[] = []

beforeEach(() => {
  said = []
  folder = join(mkdtempSync(join(tmpdir(), 'kotodama-owner-')), 'data')
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const server of servers.splice(0)) server.close()
  rmSync(join(folder, '..'), { recursive: true, force: true })
})

/** A living process that does not own the folder. */
function bystander(argv0 = 'bystander'): number {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { argv0, stdio: 'ignore' })
  children.push(child)
  return child.pid ?? 0
}

function deadPid(): Promise<number> {
  const child = spawn(process.execPath, ['-e', ''], { stdio: 'ignore' })
  return new Promise((resolve) => child.once('exit', () => resolve(child.pid ?? 0)))
}

async function answering(body: string): Promise<string> {
  const server = createServer((_request, response) => void response.end(body)).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

function leave(lock: WrittenLock): void {
  mkdirSync(folder, { recursive: true })
  writeFileSync(lockPath(folder), JSON.stringify(lock))
}

async function claimed(): Promise<Ownership> {
  const claim = await claimFolder(folder, say)
  if (!claim.ok) throw new Error(claim.failure.message)
  return claim.value
}

async function refusal(): Promise<string> {
  const claim = await claimFolder(folder, say)
  return claim.ok ? 'claimed' : claim.failure.message
}

test('a new folder is made and locked for its owner only, and releasing it leaves no file', async () => {
  const owner = await claimed()
  expect(inspectLock(folder)).toMatchObject({ state: 'present', lock: { pid: process.pid, secret: owner.secret } })
  expect(owner.secret).toMatch(/^[\w-]{43}$/)
  owner.ranRuntime(4242)
  expect(owner.serves('http://127.0.0.1:9/mcp')).toBe(true)
  const lock = { pid: process.pid, secret: owner.secret, endpoint: 'http://127.0.0.1:9/mcp', runtime: 4242 }
  expect(inspectLock(folder)).toMatchObject({ state: 'present', lock })
  if (process.platform !== 'win32') {
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(lockPath(folder)).mode & 0o777).toBe(0o600)
  }
  owner.release()
  owner.release()
  expect(readdirSync(folder)).toEqual([])
})

test('a folder with a living server is refused with the endpoint of the server', async () => {
  const endpoint = await answering('{"version":"1","schema":1}')
  leave({ pid: bystander(), secret: 's', endpoint })
  expect(await refusal()).toContain(endpoint)
  expect(inspectLock(folder)).toMatchObject({ lock: { secret: 's' } })
})

test.each([
  ['of a process that is gone', async () => ({ pid: await deadPid() })],
  ['with the pid of this process', async () => ({ pid: process.pid })],
  [
    'with the pid of another program and no server at the endpoint',
    async () => ({ pid: bystander(), endpoint: 'http://127.0.0.1:1/mcp' }),
  ],
  ['with pid and port of other programs', async () => ({ pid: bystander(), endpoint: await answering('hello') })],
])('a lock %s is taken over', async (_name, left) => {
  leave({ secret: 'old', ...(await left()) })
  const owner = await claimed()
  expect(said).toHaveLength(1)
  expect(readFileSync(lockPath(folder), 'utf8')).toContain(owner.secret)
})

test.each(['', '{', '{"pid":-1,"secret":"s"}', '\u0000'])(
  'the corrupt lock %j is taken over with a sentence about it',
  async (text) => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(lockPath(folder), text)
    await claimed()
    expect(said).toEqual([expect.stringContaining('lock.json')])
  },
)

test('a start in progress is waited for, and one that never ended is taken over', async () => {
  const endpoint = await answering('{"version":"1","schema":1}')
  const pid = bystander()
  leave({ pid, secret: 's' })
  setTimeout(() => leave({ pid, secret: 's', endpoint }), 300)
  expect(await refusal()).toContain(endpoint)
  expect(said).toEqual([expect.stringContaining('is starting')])
  leave({ pid, secret: 's' })
  const longAgo = new Date(Date.now() - 120_000)
  utimesSync(lockPath(folder), longAgo, longAgo)
  await claimed()
  expect(said.at(-1)).toContain('never ended')
})

test('the runtime that a killed owner left is ended, and another program with its pid is not', async () => {
  const runtime = bystander('workerd')
  const ended = once(children.at(-1) as ChildProcess, 'exit')
  const stranger = bystander()
  const pid = await deadPid()
  leave({ pid, secret: 's', runtime })
  ;(await claimed()).release()
  await ended
  leave({ pid, secret: 's', runtime: stranger })
  ;(await claimed()).release()
  expect(isAlive(stranger)).toBe(true)
})

test('an owner that lost its lock learns it from serves and does not remove the lock of the other owner', async () => {
  const owner = await claimed()
  leave({ pid: bystander(), secret: 'other' })
  expect(owner.serves('http://127.0.0.1:9/mcp')).toBe(false)
  owner.release()
  expect(existsSync(lockPath(folder))).toBe(true)
})

test('a path that cannot be a folder is refused with the path and --data', async () => {
  writeFileSync(folder, 'a file')
  expect(await claimFolder(folder, say)).toMatchObject({
    ok: false,
    failure: { code: 'IO_ERROR', hint: expect.stringContaining('--data') },
  })
  expect(await refusal()).toContain(folder)
  folder = join(folder, 'below')
  expect(await refusal()).toContain(folder)
  folder = join(folder, '..', '..', 'data')
})
