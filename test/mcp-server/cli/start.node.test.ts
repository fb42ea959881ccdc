import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { toConnectText } from '../../../mcp-server/src/cli/start.ts'
import { inspectLock, isAlive, lockPath } from '../../../mcp-server/src/local/data-folder.ts'
import { ensureBundle } from '../../../mcp-server/src/local/bundle.ts'
import type { StatusAnswer } from '../../../src/contracts/admin/status-contract.ts'
import type { HybridAnswer } from '../../../src/contracts/tools/search-answers.ts'
import { endAll, readLock, startServer, type Lock } from '../../support/started-server.ts'

// Each test starts the product several times, on machines that may be busy.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

let root: string
let data: string
let checkout: string

beforeAll(async () => {
  const bundle = await ensureBundle(process.cwd())
  if (!bundle.ok) throw new Error(bundle.failure.message)
})
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'kotodama-start-'))
  data = join(root, 'data')
  checkout = join(root, 'lantern')
})
afterEach(async () => {
  await endAll()
  rmSync(root, { recursive: true, force: true })
})
afterAll(endAll)

/** A checkout of two commits. */
function makeCheckout(): void {
  mkdirSync(checkout)
  const git = (...args: string[]): void => {
    const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.test']
    execFileSync('git', ['-C', checkout, ...who, ...args], { stdio: 'ignore' })
  }
  git('init', '-q')
  writeFileSync(join(checkout, 'README.md'), '# Lantern\n\nA lamp that remembers who lit it.\n')
  git('add', '.')
  git('commit', '-q', '-m', 'Describe the lamp')
  writeFileSync(join(checkout, 'wick.txt'), 'trimmed\n')
  git('add', '.')
  git('commit', '-q', '-m', 'Trim the wick before dusk')
}

/** A git that does nothing until the gate file is there. */
function gatedGit(gate: string): NodeJS.ProcessEnv {
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
  const folder = join(root, 'bin')
  mkdirSync(folder)
  writeFileSync(join(folder, 'git'), `#!/bin/sh\nwhile [ ! -e '${gate}' ]; do sleep 0.05; done\nexec '${real}' "$@"\n`)
  chmodSync(join(folder, 'git'), 0o755)
  return { PATH: `${folder}${delimiter}${process.env['PATH']}` }
}

function runtimeOf(folder: string): number {
  const reading = inspectLock(folder)
  if (reading.state !== 'present' || reading.lock.runtime === undefined) throw new Error('the lock names no runtime')
  return reading.lock.runtime
}

async function isHealthy(endpoint: string): Promise<boolean> {
  const response = await fetch(new URL('/health', endpoint), { signal: AbortSignal.timeout(10_000) })
  return response.status === 200
}

/** Titles that a real client finds. */
async function find(endpoint: string, query: string): Promise<string[]> {
  const client = new Client({ name: 'journey', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(endpoint)))
  try {
    const { structuredContent } = await client.callTool({ name: 'search', arguments: { query } })
    return (structuredContent as HybridAnswer).results.map(({ title }) => title ?? '')
  } finally {
    await client.close()
  }
}

/** Rows of each type in a server's index. */
async function rows({ endpoint, secret }: Lock): Promise<Record<string, number>> {
  const response = await fetch(new URL('/admin/status', endpoint), { headers: { authorization: `Bearer ${secret}` } })
  return ((await response.json()) as StatusAnswer).repositories[0]?.documents ?? {}
}

test('start serves before it indexes, shows an answer, refuses a second start, ends on Ctrl-C, and keeps its rows', async () => {
  makeCheckout()
  const gate = join(root, 'gate')
  const first = startServer(data, ['--repo', 'lantern'], {
    ...gatedGit(gate),
    INIT_CWD: root,
    npm_lifecycle_event: 'start',
  })
  const serving = await first.serves()
  const { endpoint } = serving
  expect(await isHealthy(endpoint)).toBe(true)
  expect(await rows(serving)).toEqual({})
  expect(first.out()).toContain(`claude mcp add --transport http kotodama ${endpoint}`)

  writeFileSync(gate, '')
  await first.says('local/lantern: 6 written')
  await first.says('Example: search {"query":"Trim the wick before dusk"')
  expect(first.err()).toMatch(/\n {2}\S.*\n {4}.*\*\*\w+\*\*.*\n {4}commit, .*wick\.txt/)
  expect(await rows(serving)).toEqual({ doc: 2, commit: 2, diff: 2 })

  const second = startServer(data, ['--no-index'])
  expect(await second.ends()).toBe(1)
  expect(second.err()).toContain(endpoint)
  expect(await isHealthy(endpoint)).toBe(true)

  const runtime = runtimeOf(data)
  first.interrupt()
  expect(await first.ends()).toBe(0)
  expect(first.err()).not.toContain('unexpectedly')
  expect(existsSync(lockPath(data))).toBe(false)
  expect(isAlive(runtime)).toBe(false)

  const again = startServer(data, ['--no-index'])
  const serves = await again.serves()
  expect(await rows(serves)).toEqual({ doc: 2, commit: 2, diff: 2 })
  expect(await find(serves.endpoint, 'wick')).toContainEqual(expect.stringContaining('wick.txt'))
  again.process.kill('SIGTERM')
  expect(await again.ends()).toBe(0)
})

test('a start after kill -9 takes over the folder and the port, and ends the runtime that was left', async () => {
  const first = startServer(data, ['--no-index'])
  const { endpoint } = await first.serves()
  const runtime = runtimeOf(data)
  first.process.kill('SIGKILL')
  await first.ends()
  expect(isAlive(runtime)).toBe(true)

  const next = startServer(data, ['--no-index', '--port', new URL(endpoint).port])
  const lock = await next.serves()
  expect(lock.endpoint).toBe(endpoint)
  expect(next.err()).toContain('taking the folder over')
  expect(await isHealthy(endpoint)).toBe(true)
  // A process that has ended keeps its pid until the system collects it.
  await vi.waitFor(() => expect(isAlive(runtime)).toBe(false), { timeout: 20_000, interval: 100 })
})

test('a start that waits for another one ends at once on Ctrl-C', async () => {
  mkdirSync(data)
  writeFileSync(lockPath(data), JSON.stringify({ pid: process.pid, secret: 'of a start that has not come to serving' }))
  const waiting = startServer(data, ['--no-index'])
  await waiting.says('is starting')
  waiting.interrupt()
  expect(await waiting.ends()).toBe(0)
  expect(waiting.out()).toBe('')
})

test('a start on a taken port is refused with the port and leaves no lock', async () => {
  const other = createServer((_request, response) => void response.end('other')).listen(0, '127.0.0.1')
  await once(other, 'listening')
  const port = String((other.address() as AddressInfo).port)
  const refused = startServer(data, ['--no-index', '--port', port])
  expect(await refused.ends()).toBe(1)
  other.close()
  expect(refused.err()).toContain(`Port ${port} is taken`)
  expect(refused.err()).toContain('--port')
  expect(existsSync(lockPath(data))).toBe(false)
})

test('a start without git and over a corrupt lock serves and says what is missing', async () => {
  makeCheckout()
  mkdirSync(data)
  writeFileSync(lockPath(data), '{ half')
  const server = startServer(data, ['--repo', checkout], { PATH: dirname(process.execPath) })
  const { endpoint } = await server.serves()
  expect(server.err()).toContain('lock.json')
  await server.says(/not indexed: .*git/)
  expect(await isHealthy(endpoint)).toBe(true)
  expect(readLock(data)?.endpoint).toBe(endpoint)
})

test('start reports a folder without history, a missing folder, and an empty index once each', async () => {
  mkdirSync(join(root, 'plain'))
  const server = startServer(data, ['--repo', join(root, 'plain'), '--repo', join(root, 'absent')])
  const { endpoint } = await server.serves()
  await server.says('plain: ')
  await server.says('absent: not indexed')
  await server.says('plain: nothing to read')
  await server.says('Nothing is indexed yet')
  expect(server.err().match(/Nothing is indexed yet/g)).toHaveLength(1)
  expect(await isHealthy(endpoint)).toBe(true)
})

test.skipIf(process.getuid?.() === 0)('a data folder without permission is refused with the reason', async () => {
  mkdirSync(data, { mode: 0o000 })
  const refused = startServer(data, [])
  expect(await refused.ends()).toBe(1)
  chmodSync(data, 0o700)
  expect(refused.err()).toContain('no permission')
})

test('a data folder that cannot be used is refused with its path and --data', async () => {
  writeFileSync(data, 'a file')
  // As npm runs it: in the project's folder, wherever npm was called.
  const { status: code, stderr } = spawnSync(process.execPath, ['scripts/bootstrap.mjs', 'start', '--data', 'data'], {
    env: { ...process.env, INIT_CWD: root, npm_lifecycle_event: 'start' },
    encoding: 'utf8',
    timeout: 60_000,
  })
  expect([code, stderr]).toEqual([1, expect.stringContaining(`The data folder ${data} cannot be used`)])
  const refused = startServer(data, [])
  expect(await refused.ends()).toBe(1)
  expect(refused.err()).toContain(data)
  expect(refused.err()).toContain('--data')
  expect(refused.err()).not.toContain('    at ')
})

test.skipIf(process.platform !== 'linux')('start ends with the reason where no data folder can be made', async () => {
  const refused = startServer('/proc/kotodama/data', [])
  expect(await refused.ends()).toBe(1)
  expect(refused.err()).toContain('The data folder /proc/kotodama/data cannot be used: no folder can be made there.')
})

test.each([
  ['EMBEDDER_URL', 'nonsense'],
  ['ALLOWED_ORIGINS', 'example.com'],
])('a wrong %s ends start with the sentence that names it', async (name, value) => {
  const refused = startServer(data, ['--no-index'], { [name]: value })
  expect(await refused.ends()).toBe(1)
  expect(refused.err()).toContain(name)
  expect(refused.out()).toBe('')
  expect(existsSync(lockPath(data))).toBe(false)
})

test('an origin of ALLOWED_ORIGINS may call the server that start runs', async () => {
  const serving = startServer(data, ['--no-index'], { ALLOWED_ORIGINS: 'https://inspector.example' })
  const { endpoint } = await serving.serves()
  const call = (origin: string) => fetch(new URL('/health', endpoint), { headers: { origin } })
  expect((await call('https://inspector.example')).status).toBe(200)
  expect((await call('https://other.example')).status).toBe(403)
})

test('start prints its usage with --help, and a wrong flag ends it with exit code 2', async () => {
  const help = startServer(data, ['--help'])
  expect(await help.ends()).toBe(0)
  expect(help.out()).toContain('--no-index')
  const wrong = startServer(data, ['--prot', '1'])
  expect(await wrong.ends()).toBe(2)
  expect(wrong.err()).toContain('--prot')
  expect(existsSync(data)).toBe(false)
})

test('the text of npm start has a command and JSON to paste for each client, with the endpoint', () => {
  const endpoint = 'http://127.0.0.1:8787/mcp'
  const lines = toConnectText(endpoint).split('\n')
  expect(lines).toContain(`  claude mcp add --transport http kotodama ${endpoint}`)
  const settings = lines.filter((line) => line.startsWith('  {')).map((line): unknown => JSON.parse(line))
  expect(settings).toEqual([
    { mcpServers: { kotodama: { command: 'npx', args: ['-y', 'mcp-remote', endpoint] } } },
    { mcpServers: { kotodama: { url: endpoint } } },
    { servers: { kotodama: { type: 'http', url: endpoint } } },
  ])
})
