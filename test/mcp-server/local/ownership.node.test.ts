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
import {
  inspectLock,
  isAlive,
  lockPath,
  readLock,
  type WrittenLock,
} from '../../../mcp-server/src/local/data-folder.ts'
import { claimFolder, type Ownership } from '../../../mcp-server/src/local/ownership.ts'

let folder: string
let told: string[] = []
const tell = (sentence: string): void => void told.push(sentence)
const children: ChildProcess[] = []
const servers: Server[] = []

beforeEach(() => {
  told = []
  folder = join(mkdtempSync(join(tmpdir(), 'kotodama-owner-')), 'data')
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
  for (const server of servers.splice(0)) server.close()
  rmSync(join(folder, '..'), { recursive: true, force: true })
})

/** A process that lives and is not ours to have the folder. */
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
  const claim = await claimFolder(folder, tell)
  if (!claim.ok) throw new Error(claim.failure.message)
  return claim.value
}

async function refusal(): Promise<string> {
  const claim = await claimFolder(folder, tell)
  return claim.ok ? 'claimed' : claim.failure.message
}

test('a fresh folder is made and locked for its owner alone, and left clean', async () => {
  const owner = await claimed()
  expect(inspectLock(folder)).toMatchObject({ state: 'present', lock: { pid: process.pid, secret: owner.secret } })
  expect(owner.secret).toMatch(/^[\w-]{43}$/)
  owner.ranRuntime(4242)
  expect(owner.serves('http://127.0.0.1:9/mcp')).toBe(true)
  expect(readLock(folder)).toEqual({ pid: process.pid, secret: owner.secret, endpoint: 'http://127.0.0.1:9/mcp' })
  expect(inspectLock(folder)).toMatchObject({ lock: { runtime: 4242 } })
  if (process.platform !== 'win32') {
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(lockPath(folder)).mode & 0o777).toBe(0o600)
  }
  owner.release()
  owner.release()
  expect(readdirSync(folder)).toEqual([])
})

test('a living server keeps its folder and is named', async () => {
  const endpoint = await answering('{"version":"1","schema":1}')
  leave({ pid: bystander(), secret: 's', endpoint })
  expect(await refusal()).toContain(endpoint)
  expect(readLock(folder)?.secret).toBe('s')
})

test.each([
  ['whose process is gone', async () => ({ pid: await deadPid() })],
  ['whose pid is ours now', async () => ({ pid: process.pid })],
  [
    'whose pid is a stranger now, with nobody at the endpoint',
    async () => ({ pid: bystander(), endpoint: 'http://127.0.0.1:1/mcp' }),
  ],
  ['whose pid and port are strangers now', async () => ({ pid: bystander(), endpoint: await answering('hello') })],
])('a lock %s is taken over', async (_name, left) => {
  leave({ secret: 'old', ...(await left()) })
  const owner = await claimed()
  expect(told).toHaveLength(1)
  expect(readFileSync(lockPath(folder), 'utf8')).toContain(owner.secret)
})

test.each(['', '{', '{"pid":-1,"secret":"s"}', '\u0000'])(
  'a corrupt lock (%j) is taken over and said',
  async (text) => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(lockPath(folder), text)
    await claimed()
    expect(told).toEqual([expect.stringContaining('lock.json')])
  },
)

test('a start under way is waited for, one that never ended is not', async () => {
  const endpoint = await answering('{"version":"1","schema":1}')
  const pid = bystander()
  leave({ pid, secret: 's' })
  setTimeout(() => leave({ pid, secret: 's', endpoint }), 300)
  expect(await refusal()).toContain(endpoint)
  expect(told).toEqual([expect.stringContaining('is starting')])
  leave({ pid, secret: 's' })
  const longAgo = new Date(Date.now() - 120_000)
  utimesSync(lockPath(folder), longAgo, longAgo)
  await claimed()
  expect(told.at(-1)).toContain('never ended')
})

test('the runtime a killed owner left is ended; a stranger with its pid is not', async () => {
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

test('an owner whose lock has gone to another learns it and leaves the other one alone', async () => {
  const owner = await claimed()
  leave({ pid: bystander(), secret: 'other' })
  expect(owner.serves('http://127.0.0.1:9/mcp')).toBe(false)
  owner.release()
  expect(existsSync(lockPath(folder))).toBe(true)
})

test('a folder that cannot be one is a refusal that names it and the way out', async () => {
  writeFileSync(folder, 'a file')
  expect(await claimFolder(folder, tell)).toMatchObject({
    ok: false,
    failure: { code: 'IO_ERROR', hint: expect.stringContaining('--data') },
  })
  expect(await refusal()).toContain(folder)
  folder = join(folder, 'below')
  expect(await refusal()).toContain(folder)
  folder = join(folder, '..', '..', 'data')
})
