/** The history of a checkout in the real index: commits without diffs are found by their messages, releases know theirs. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importCheckout } from '../../mcp-server/src/import/import-checkout.ts'
import { ensureBundle } from '../../mcp-server/src/local/bundle.ts'
import { startEmbeddedWorker, type EmbeddedWorker } from '../../mcp-server/src/local/embedded-worker.ts'
import type { HybridAnswer } from '../../src/contracts/tools/search-answers.ts'
import { GitSandbox } from '../support/git-sandbox.ts'

const ADMIN_TOKEN = 'history-token-0123456789abcdef'
const REPO = 'acme/mailer'

let state: string
let worker: EmbeddedWorker
let sandbox: GitSandbox
let client: Client

beforeAll(async () => {
  process.env['GIT_CONFIG_GLOBAL'] = '/dev/null'
  state = mkdtempSync(join(tmpdir(), 'history-feature-'))
  sandbox = new GitSandbox()
  const bundle = await ensureBundle(process.cwd())
  if (!bundle.ok) throw new Error(bundle.failure.message)
  const started = await startEmbeddedWorker({
    script: bundle.value,
    migrations: join(process.cwd(), 'migrations'),
    state,
    port: 0,
    bindings: { AUTH_MODE: 'local', ADMIN_TOKEN },
  })
  if (!started.ok) throw new Error(started.failure.message)
  worker = started.value
  client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`${worker.origin}/mcp`)))
  makeHistory()
  const imported = await importCheckout({
    path: sandbox.folder,
    repo: REPO,
    endpoint: worker.origin,
    adminToken: ADMIN_TOKEN,
  })
  expect(imported).toMatchObject({ outcome: 'complete', notes: [] })
}, 180_000)

afterAll(async () => {
  await client.close()
  await worker.dispose()
  sandbox.remove()
  rmSync(state, { recursive: true, force: true })
})

function makeHistory(): void {
  sandbox.commit('Send letters', { 'src/mailer.ts': 'send\n', 'README.md': '# Mailer\n' })
  sandbox.git('tag', 'v1.0.0')
  sandbox.commit('Bump lodash to 4.17.21 (CVE-2021-23337)', { 'yarn.lock': 'lodash@4.17.21\n' })
  sandbox.commit('Replace the mascot with a heron', { 'art/mascot.png': 'p\0ng' })
  sandbox.commit('Vendor the quoted-printable decoder', { 'vendor/github.com/qp/qp.go': 'decode\n' })
  sandbox.commit('Trigger the weekly pipeline by hand')
  sandbox.commit('Add a courier script', { 'courier.sh': 'run\n' })
  sandbox.git('update-index', '--chmod=+x', 'courier.sh')
  sandbox.git('config', 'core.fileMode', 'false')
  sandbox.commit('Allow the courier to run')
  sandbox.git('mv', 'courier.sh', 'postilion.sh')
  sandbox.commit('Rename it after its predecessor')
  const alone = sandbox.git('commit-tree', '-m', 'Import the pigeon post archive', 'HEAD^{tree}')
  sandbox.git('merge', '-q', '--no-ff', '-s', 'ours', '--allow-unrelated-histories', '-m', 'Adopt pigeons', alone)
  sandbox.git('checkout', '-q', '-b', 'feature/login')
  sandbox.commit('Start', { 'src/login.ts': 'login\n' })
  sandbox.git('checkout', '-q', 'main')
  const title = 'Add passkey login with WebAuthn'
  sandbox.git(
    'merge',
    '-q',
    '--no-ff',
    '-m',
    `Merge pull request #123 from ren/feature/login\n\n${title}`,
    'feature/login',
  )
  sandbox.git('checkout', '-q', '-b', 'hotfix')
  sandbox.commit('Escape umlauts', { 'src/escape.ts': 'ü\n' })
  sandbox.git('checkout', '-q', 'main')
  sandbox.git('merge', '-q', '--no-ff', '-m', 'ゲスト購入の不具合を直す', 'hotfix')
  sandbox.git('tag', 'v1.1.0')
  sandbox.git('checkout', '-q', '-b', 'rename')
  sandbox.git('mv', 'src/mailer.ts', 'src/post.ts')
  sandbox.commit('Call the mailer post')
  sandbox.git('checkout', '-q', 'main')
  sandbox.git('merge', '-q', '--ff-only', 'rename')
}

async function search(query: string, filters: object = {}): Promise<HybridAnswer['results']> {
  const { structuredContent } = await client.callTool({ name: 'search', arguments: { repo: REPO, query, ...filters } })
  return (structuredContent as unknown as HybridAnswer).results
}

test.each([
  ['lodash', 'Bump lodash to 4.17.21 (CVE-2021-23337)'],
  ['which commit closed CVE-2021-23337', 'Bump lodash to 4.17.21 (CVE-2021-23337)'],
  ['mascot heron', 'Replace the mascot with a heron'],
  ['quoted-printable decoder vendored', 'Vendor the quoted-printable decoder'],
  ['who triggered the weekly pipeline', 'Trigger the weekly pipeline by hand'],
  ['allow courier', 'Allow the courier to run'],
  ['renamed after predecessor', 'Rename it after its predecessor'],
  ['pigeon post archive', 'Import the pigeon post archive'],
  ['adopt pigeons', 'Adopt pigeons'],
  ['passkey login WebAuthn', 'Merge pull request #123 from ren/feature/login'],
  ['ゲスト購入', 'ゲスト購入の不具合を直す'],
])('a question for %j finds the commit', async (query, subject) => {
  const rows = await search(query)
  expect(rows.filter(({ type }) => type === 'commit').map(({ title }) => title)[0]).toContain(subject)
})

test('a merge and a commit of a lock file are found by their SHAs, whole and short', async () => {
  for (const revision of ['HEAD~1', 'HEAD~3', ':/Bump lodash']) {
    const sha = sandbox.git('rev-parse', revision)
    for (const query of [sha, sha.slice(0, 7)]) {
      const [first] = await search(query)
      expect([revision, first?.type, first?.commit_sha]).toEqual([revision, 'commit', sha])
    }
  }
})

test('a list below a path is the log of the path, also of a former one', async () => {
  const list = async (path_prefix: string, more = {}) =>
    (await search('', { path_prefix, ...more })).map(({ title }) => title?.slice(8))
  const log = sandbox.git('log', '--full-history', '--format=%s', '--', 'src/mailer.ts').split('\n')
  expect(log).toEqual(['Call the mailer post', 'Import the pigeon post archive', 'Send letters'])
  expect(await list('src/mailer.ts')).toEqual(log)
  expect(await list('src/post.ts')).toEqual(['Call the mailer post'])
  expect(await list('src/mailer.ts', { file_status: 'removed' })).toEqual(['Call the mailer post'])
  const [row] = await search('', { path_prefix: 'src/mailer.ts' })
  expect(row).toMatchObject({ file_count: 1, files: [{ path: 'src/mailer.ts', status: 'removed' }] })
})

test('a release without notes is found by the subjects of its commits', async () => {
  const rows = await search('release with the heron mascot')
  expect(rows.filter(({ type }) => type === 'release').map(({ tag_name }) => tag_name)).toEqual(['v1.1.0'])
})

test('a commit without a diff is found by the e-mail address of its author, which no answer shows', async () => {
  const rows = await search('mascot', { author: 'aoi@example.com' })
  expect(rows[0]).toMatchObject({ type: 'commit', author: 'Aoi' })
  expect(JSON.stringify(rows)).not.toContain('example.com')
  expect(await search('mascot', { author: 'someone@example.com' })).toEqual([])
})
