import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AdminClient } from '../../mcp-server/src/admin-client.ts'
import { importCheckout } from '../../mcp-server/src/import/import-checkout.ts'
import { ensureBundle } from '../../mcp-server/src/local/bundle.ts'
import { startEmbeddedWorker, type EmbeddedWorker } from '../../mcp-server/src/local/embedded-worker.ts'
import { GitSandbox } from '../support/git-sandbox.ts'

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '../..')
const ADMIN_TOKEN = 'feature-token-0123456789abcdef'

let state: string
let worker: EmbeddedWorker
let sandbox: GitSandbox

beforeAll(async () => {
  process.env['GIT_CONFIG_GLOBAL'] = '/dev/null'
  state = mkdtempSync(join(tmpdir(), 'import-feature-'))
  sandbox = new GitSandbox()
  const bundle = await ensureBundle(ROOT)
  if (!bundle.ok) throw new Error(bundle.failure.message)
  const started = await startEmbeddedWorker({
    script: bundle.value,
    migrations: join(ROOT, 'migrations'),
    state,
    port: 0,
    bindings: { AUTH_MODE: 'local', ADMIN_TOKEN },
  })
  if (!started.ok) throw new Error(started.failure.message)
  worker = started.value
}, 180_000)

afterAll(async () => {
  await worker.dispose()
  sandbox.remove()
  rmSync(state, { recursive: true, force: true })
})

test('a checkout is imported into the real index, skipped while it is unchanged, and followed through a reset', async () => {
  const options = { path: sandbox.folder, endpoint: worker.origin, adminToken: ADMIN_TOKEN }
  const client = new AdminClient(options)
  const paths = async (type: 'doc' | 'diff'): Promise<string[]> => {
    const listed = await client.listPaths('local/project', type)
    if (!listed.ok) throw new Error(listed.failure.message)
    return listed.value.sort()
  }
  sandbox.commit('one', { 'README.md': 'old\n', '設計/a#b.md': '設計\n', 'src/a.ts': 'a\n' })
  sandbox.git('tag', 'v1')
  const tip = sandbox.commit('two', { 'README.md': 'new\n', 'gone.md': 'g\n' })
  const first = await importCheckout(options)
  expect(first).toMatchObject({ outcome: 'complete', counts: { written: 11, stale: 0 }, notes: [] })
  expect(await paths('doc')).toEqual(['README.md', 'gone.md', '設計/a#b.md'])
  expect((await importCheckout(options)).outcome).toBe('unchanged')

  sandbox.git('reset', '-q', '--hard', 'HEAD~1')
  const back = await importCheckout(options)
  // README.md as it was; gone.md, and the commit nothing leads to with its two diffs.
  expect(back).toMatchObject({ outcome: 'complete', counts: { written: 1, stale: 0, removed: 4 } })
  expect(await paths('doc')).toEqual(['README.md', '設計/a#b.md'])

  sandbox.git('reset', '-q', '--hard', tip)
  expect(await importCheckout(options)).toMatchObject({ outcome: 'complete', counts: { written: 5, stale: 0 } })
  const status = await client.readStatus()
  expect(status.ok && status.value.repositories).toMatchObject([
    { repo: 'local/project', cursors: [{ source: 'git', done: 6, total: 6 }] },
  ])
})

/** The best row of a search over MCP. */
async function findFirst(args: object): Promise<unknown> {
  const response = await fetch(`${worker.origin}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'search', arguments: args } }),
  })
  const { result } = (await response.json()) as { readonly result: { readonly content: [{ readonly text: string }] } }
  return (JSON.parse(result.content[0].text) as { readonly results: readonly unknown[] }).results[0]
}

test('own code in a folder named vendors and a file in UTF-16 are found, and a document has its date from below too', async () => {
  const other = new GitSandbox('other')
  try {
    other.git('config', 'diff.relative', 'true')
    other.commit('suppliers', {
      'src/vendors/VendorList.tsx': 'export function VendorListSupplier() {}\n',
      'docs/a.md': '# Walrus\n',
      'docs/utf16.txt': Buffer.from('\ufeff配線の手順書\n', 'utf16le'),
    })
    const committed = new Date(other.nowMs).toISOString().replace('.000', '')
    other.commit('later', { 'src/b.ts': 'b\n' })
    const folder = join(other.folder, 'docs')
    const summary = await importCheckout({ path: folder, endpoint: worker.origin, adminToken: ADMIN_TOKEN })
    expect(summary).toMatchObject({ outcome: 'complete', repo: 'local/other', excluded: [] })
    const own = await findFirst({ query: 'VendorListSupplier' })
    expect(JSON.stringify(own)).toContain('src/vendors/VendorList.tsx')
    const wide = await findFirst({ query: '配線', type: 'doc' })
    expect(wide).toMatchObject({ doc_path: 'docs/utf16.txt', snippet: '**配線**の手順書' })
    const dated = await findFirst({ query: 'walrus', type: 'doc' })
    expect(dated).toMatchObject({ doc_path: 'docs/a.md', created_at: committed })
  } finally {
    other.remove()
  }
})
