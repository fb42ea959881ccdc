import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AdminClient } from '../../../mcp-server/src/admin-client.ts'
import { startEmbeddedWorker } from '../../../mcp-server/src/local/embedded-worker.ts'
import { GitSandbox } from '../../support/git-sandbox.ts'
import { endAll, startServer, type Lock } from '../../support/started-server.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 })

const RETIRED = join(import.meta.dirname, '../../fixtures/retired-migrations')
const EMPTIED = 'The index was made by an earlier version'

/** Answers a POST by running its body as SQL, and says what the last statement found. */
const SQL_WORKER = `export default {
  async fetch(request, env) {
    return Response.json(await env.DB.prepare(await request.text()).all())
  },
}`

const OLD_ROWS = `INSERT INTO repositories (repo_id, name, private) VALUES (-1, 'old/rows', 1);
INSERT INTO repository_names VALUES ('old/rows', 'rows', 1);
INSERT INTO documents (vector_id, repository, type, path, created_at, updated_at, times_given, body_chars,
  source_truncated, content_hash, text_hash, version, words_mark) VALUES ('v', 1, 'doc', 'old.md', 1, 1, 1, 3, 0, 'c', 't', 1, 1);
INSERT INTO segments VALUES (64, 0, 'old');
INSERT INTO chunks (chunk, type, start, chars, referent, created_at, updated_at, length, terms, path_terms)
  VALUES (1, 'doc', 0, 3, 'd', 1, 1, 1, '', '');
INSERT INTO words (rowid, b) VALUES (1, 'old');
INSERT INTO vector_state VALUES (1, 'model', 1, 0);
SELECT (SELECT count(*) FROM documents) + (SELECT count(*) FROM word_frequencies) AS found;`

let data: string
let sandbox: GitSandbox

beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'kotodama-migrate-'))
  sandbox = new GitSandbox('lantern')
  sandbox.commit('Describe the lamp', { 'README.md': 'A lamp.\n' })
})
afterEach(async () => {
  await endAll()
  sandbox.remove()
  rmSync(data, { recursive: true, force: true })
})

async function callTool({ endpoint }: Lock, name: string, args: object): Promise<unknown> {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  })
  const { result } = (await response.json()) as { result: { content: { text: string }[] } }
  return JSON.parse(result.content[0]!.text)
}

/** Puts an index database in the folder that the retired migration files made. */
async function makeRetiredIndex(): Promise<void> {
  const state = join(data, 'state')
  rmSync(join(state, 'd1'), { recursive: true })
  const script = join(data, 'sql-worker.js')
  writeFileSync(script, SQL_WORKER)
  const worker = await startEmbeddedWorker({ script, migrations: RETIRED, state, port: 0, bindings: {} })
  if (!worker.ok) throw new Error(worker.failure.message)
  const response = await fetch(worker.value.origin, { method: 'POST', body: OLD_ROWS })
  expect(await response.json()).toMatchObject({ results: [{ found: 2 }] })
  await worker.value.dispose()
}

test('an index of the retired migrations starts empty, is filled again and says so once, and messages survive', async () => {
  const today = startServer(data, ['--no-index'])
  await callTool(await today.serves(), 'write_message', {
    session_id: 's',
    role: 'user',
    content: 'the lamp remembers',
  })
  today.process.kill('SIGTERM')
  expect(await today.ends()).toBe(0)
  expect(today.err()).not.toContain(EMPTIED)
  await makeRetiredIndex()

  const next = startServer(data, ['--repo', sandbox.folder])
  const lock = await next.serves()
  await next.says('local/lantern: 3 written')
  expect(next.err().split(EMPTIED)).toHaveLength(2)
  const status = await new AdminClient({ endpoint: lock.endpoint, adminToken: lock.secret }).readStatus()
  expect(status.ok && status.value.repositories).toMatchObject([
    { repo: 'local/lantern', documents: { doc: 1, diff: 1 }, pending: 0 },
  ])
  expect(await callTool(lock, 'search', { query: 'lamp', type: 'doc' })).toMatchObject({ count: 1 })
  expect(await callTool(lock, 'read_messages', { view: 'history', session_id: 's' })).toMatchObject({
    history: [{ content: 'the lamp remembers' }],
  })
  next.process.kill('SIGTERM')
  expect(await next.ends()).toBe(0)

  const again = startServer(data, ['--no-index'])
  const kept = await again.serves()
  expect(await callTool(kept, 'search', { query: 'lamp', type: 'doc' })).toMatchObject({ count: 1 })
  expect(again.err()).not.toContain(EMPTIED)
})

test('a database with a retired and an unknown migration is newer, and keeps its rows', async () => {
  const state = join(data, 'state')
  const script = join(data, 'sql-worker.js')
  writeFileSync(script, SQL_WORKER)
  const start = (migrations: string) => startEmbeddedWorker({ script, migrations, state, port: 0, bindings: {} })
  const old = await start(RETIRED)
  if (!old.ok) throw new Error(old.failure.message)
  const post = (origin: string, body: string) => fetch(origin, { method: 'POST', body }).then((answer) => answer.json())
  await post(old.value.origin, `${OLD_ROWS}\nINSERT INTO d1_migrations (name) VALUES ('0006_future.sql');`)
  await old.value.dispose()
  const refused = await start('migrations')
  expect(refused).toMatchObject({ ok: false, failure: { code: 'CONFLICT' } })
  expect(!refused.ok && refused.failure.message).toContain('0006_future.sql')
})

test('an index that a file made before it was edited starts empty once, and a new file keeps its rows', async () => {
  const state = join(data, 'state')
  const script = join(data, 'sql-worker.js')
  const migrations = join(data, 'migrations')
  writeFileSync(script, SQL_WORKER)
  mkdirSync(migrations)
  let emptied = 0
  const run = async (sql: string): Promise<unknown> => {
    const worker = await startEmbeddedWorker({
      script,
      migrations,
      state,
      port: 0,
      bindings: {},
      onIndexEmptied: () => (emptied += 1),
    })
    if (!worker.ok) throw new Error(worker.failure.message)
    const answer = await fetch(worker.value.origin, { method: 'POST', body: sql })
    const { results } = (await answer.json()) as { results: unknown }
    await worker.value.dispose()
    return results
  }
  const first = join(migrations, '0001_schema.sql')
  writeFileSync(first, 'CREATE TABLE lamps (name TEXT);\n')
  await run("INSERT INTO lamps (name) VALUES ('old')")
  writeFileSync(first, 'CREATE TABLE lamps (name TEXT);\r\n')
  expect(await run('SELECT name FROM lamps')).toEqual([{ name: 'old' }])
  writeFileSync(first, 'CREATE TABLE lamps (name TEXT, height INTEGER);\n')
  expect(await run("INSERT INTO lamps VALUES ('new', 3); SELECT * FROM lamps")).toEqual([{ name: 'new', height: 3 }])
  writeFileSync(join(migrations, '0002_more.sql'), 'ALTER TABLE lamps ADD COLUMN lit INTEGER;\n')
  expect(await run('SELECT * FROM lamps')).toEqual([{ name: 'new', height: 3, lit: null }])
  expect(emptied).toBe(1)
})

test('an index without digests of its files is of an earlier version', async () => {
  const state = join(data, 'state')
  const script = join(data, 'sql-worker.js')
  writeFileSync(script, SQL_WORKER)
  let emptied = 0
  const start = async () => {
    const onIndexEmptied = (): void => void (emptied += 1)
    const worker = await startEmbeddedWorker({
      script,
      migrations: 'migrations',
      state,
      port: 0,
      bindings: {},
      onIndexEmptied,
    })
    if (!worker.ok) throw new Error(worker.failure.message)
    return worker.value
  }
  const before = await start()
  await fetch(before.origin, { method: 'POST', body: 'ALTER TABLE d1_migrations DROP COLUMN digest' })
  await before.dispose()
  for (let starts = 0; starts < 2; starts += 1) await (await start()).dispose()
  expect(emptied).toBe(1)
})
