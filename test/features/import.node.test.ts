import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { AdminClient } from '../../mcp-server/src/admin-client.ts'
import { importCheckout } from '../../mcp-server/src/import/import-checkout.ts'
import { GitSandbox } from '../support/git-sandbox.ts'
import { useStartedWorker } from '../support/started-worker.ts'

const worker = useStartedWorker()
let sandbox: GitSandbox

beforeAll(() => {
  sandbox = new GitSandbox()
})

afterAll(() => sandbox.remove())

test('a checkout is imported into the real index, skipped while it is unchanged, and followed through a reset', async () => {
  const options = { path: sandbox.folder, ...worker.target }
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
    const summary = await importCheckout({ path: folder, ...worker.target })
    expect(summary).toMatchObject({ outcome: 'complete', repo: 'local/other', excluded: [] })
    const [own] = await worker.search({ query: 'VendorListSupplier' })
    expect(JSON.stringify(own)).toContain('src/vendors/VendorList.tsx')
    const [wide] = await worker.search({ query: '配線', type: 'doc' })
    expect(wide).toMatchObject({ doc_path: 'docs/utf16.txt', snippet: '**配線**の手順書' })
    const [dated] = await worker.search({ query: 'walrus', type: 'doc' })
    expect(dated).toMatchObject({ doc_path: 'docs/a.md', created_at: committed })
  } finally {
    other.remove()
  }
})
