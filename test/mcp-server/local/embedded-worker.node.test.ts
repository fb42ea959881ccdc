import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isAlive } from '../../../mcp-server/src/local/data-folder.ts'
import {
  COMPATIBILITY,
  D1_DATABASES,
  DURABLE_OBJECTS,
  startEmbeddedWorker,
  type EmbeddedOptions,
  type EmbeddedWorker,
} from '../../../mcp-server/src/local/embedded-worker.ts'
import type { Result } from '../../../src/base/result.ts'

/** Counts the rows of a table, adds one per maintenance run, and shows its variables. */
const WORKER = `export default {
  async fetch(request, env) {
    if (request.method === 'POST' && new URL(request.url).pathname === '/admin/maintenance') {
      if (request.headers.get('authorization') !== 'Bearer ' + env.ADMIN_TOKEN) return new Response(null, { status: 401 })
      console.log('working')
      await env.DB.prepare('INSERT INTO things (name) VALUES (?)').bind('maintained').run()
      return Response.json({ settled: 1, put_off: 0, purged: 0, fetched: 0 })
    }
    const row = await env.DB.prepare('SELECT count(*) AS n FROM things').first()
    return Response.json({ n: row.n, mode: env.MODE, path: new URL(request.url).pathname })
  },
}`

/** A trigger, and a comment as the last line: a naive splitter of statements would cut both wrong. */
const FIRST = `CREATE TABLE things (name TEXT); -- a; b
CREATE TABLE log (name TEXT);
CREATE TRIGGER logged AFTER INSERT ON things BEGIN INSERT INTO log VALUES (new.name); END;
-- the end`

let folder: string
const running: EmbeddedWorker[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'kotodama-embedded-'))
  mkdirSync(join(folder, 'migrations'))
  writeFileSync(join(folder, 'worker.js'), WORKER)
  writeFileSync(join(folder, 'migrations', '0001_first.sql'), FIRST)
})
afterEach(async () => {
  await Promise.all(running.splice(0).map((worker) => worker.dispose()))
  rmSync(folder, { recursive: true, force: true })
})

async function start(changes: Partial<EmbeddedOptions> = {}): Promise<Result<EmbeddedWorker>> {
  const started = await startEmbeddedWorker({
    script: join(folder, 'worker.js'),
    migrations: join(folder, 'migrations'),
    state: join(folder, 'data', 'state'),
    port: 0,
    bindings: { MODE: 'local', ADMIN_TOKEN: 'secret' },
    ...changes,
  })
  if (started.ok) running.push(started.value)
  return started
}

async function started(changes: Partial<EmbeddedOptions> = {}): Promise<EmbeddedWorker> {
  const result = await start(changes)
  if (!result.ok) throw new Error(result.failure.message)
  return result.value
}

async function ask(worker: EmbeddedWorker): Promise<unknown> {
  return (await fetch(`${worker.origin}/x`, { signal: AbortSignal.timeout(10_000) })).json()
}

test('the Worker serves with its variables, runs maintenance, and keeps rows over a restart with one more migration', async () => {
  const logged: string[] = []
  const pids: number[] = []
  let accidents = 0
  const signalHandlers = process.listenerCount('SIGINT')
  const first = await started({
    onLog: (_level, message) => logged.push(message),
    onRuntime: (pid) => pids.push(pid),
    onEnd: () => (accidents += 1),
  })
  expect(first.origin).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
  expect(process.listenerCount('SIGINT')).toBe(signalHandlers)
  expect(await ask(first)).toEqual({ n: 0, mode: 'local', path: '/x' })
  expect(await first.runMaintenance()).toEqual({ ok: true, value: { settled: 1, put_off: 0, purged: 0, fetched: 0 } })
  expect(await ask(first)).toMatchObject({ n: 1 })
  expect(logged.some((line) => line.includes('working'))).toBe(true)
  await first.dispose()
  await first.dispose()
  await expect(ask(first)).rejects.toThrow()
  expect(pids.filter(isAlive)).toEqual([])
  expect(accidents).toBe(0)
  if (process.platform !== 'win32') expect(statSync(join(folder, 'data', 'state')).mode & 0o777).toBe(0o700)

  writeFileSync(join(folder, 'migrations', '0002_second.sql'), "INSERT INTO things (name) VALUES ('second');")
  expect(await ask(await started())).toMatchObject({ n: 2 })
})

test('a migration that fails changes nothing, and is applied once it is corrected', async () => {
  const second = join(folder, 'migrations', '0002_second.sql')
  writeFileSync(second, "INSERT INTO things (name) VALUES ('half'); INSERT INTO nowhere VALUES (1);")
  const refused = await start()
  expect(refused).toMatchObject({ ok: false, failure: { code: 'IO_ERROR' } })
  writeFileSync(second, "INSERT INTO things (name) VALUES ('whole');")
  expect(await ask(await started())).toMatchObject({ n: 1 })
})

test('a database that is newer than the code is refused and not changed', async () => {
  const newer = join(folder, 'migrations', '0002_newer.sql')
  const text = "INSERT INTO things (name) VALUES ('newer');"
  writeFileSync(newer, text)
  await (await started()).dispose()
  rmSync(newer)
  const refused = await start()
  expect(refused).toMatchObject({ ok: false, failure: { code: 'CONFLICT' } })
  expect(!refused.ok && refused.failure.message).toContain('0002_newer.sql')
  writeFileSync(newer, text)
  expect(await ask(await started())).toMatchObject({ n: 1 })
})

test('a start on a taken port is refused with the port', async () => {
  const other = createServer().listen(0, '127.0.0.1')
  await new Promise((done) => other.once('listening', done))
  const { port } = other.address() as { port: number }
  const refused = await start({ port })
  other.close()
  expect(refused).toMatchObject({ ok: false, failure: { code: 'CONFLICT' } })
  expect(!refused.ok && refused.failure.message).toContain(String(port))
})

test('a file that is not a database is an error that names the folder', async () => {
  await (await started()).dispose()
  const state = join(folder, 'data', 'state')
  const files = readdirSync(state, { recursive: true, encoding: 'utf8' }).map((name) => join(state, name))
  for (const file of files) {
    if (/-(?:wal|shm)$/.test(file)) rmSync(file)
    else if (file.endsWith('.sqlite')) writeFileSync(file, 'not a database, not at all'.repeat(400))
  }
  const refused = await start()
  expect(refused).toMatchObject({ ok: false, failure: { code: 'IO_ERROR' } })
  expect(!refused.ok && refused.failure.message).toContain(state)
})

test('the pid of the runtime is reported, and its end when it was not disposed of', async () => {
  const pids: number[] = []
  const ended = Promise.withResolvers<void>()
  await started({ onRuntime: (pid) => pids.push(pid), onEnd: () => ended.resolve() })
  const serving = pids.at(-1) ?? 0
  expect(isAlive(serving)).toBe(true)
  process.kill(serving, 'SIGKILL')
  await ended.promise
})

test('compatibility date, databases and objects are the ones of wrangler.toml', () => {
  const toml = readFileSync('wrangler.toml', 'utf8')
  expect(toml).toContain(`compatibility_date = "${COMPATIBILITY.date}"`)
  expect(toml).toContain(`compatibility_flags = ${JSON.stringify(COMPATIBILITY.flags)}`)
  const databases = [...toml.matchAll(/\[\[d1_databases\]\]\nbinding = "(\w+)"\ndatabase_name = "(\w+)"/g)]
  expect(Object.fromEntries(databases.map(([, binding, name]) => [binding, name]))).toEqual(D1_DATABASES)
  const objects = [...toml.matchAll(/\[\[durable_objects\.bindings\]\]\nname = "(\w+)"\nclass_name = "(\w+)"/g)]
  expect(Object.fromEntries(objects.map(([, binding, className]) => [binding, className]))).toEqual(
    Object.fromEntries(Object.entries(DURABLE_OBJECTS).map(([binding, { className }]) => [binding, className])),
  )
  for (const { className } of Object.values(DURABLE_OBJECTS)) {
    expect(toml).toContain(`new_sqlite_classes = ["${className}"]`)
  }
})
