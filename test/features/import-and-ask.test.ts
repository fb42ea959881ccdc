/**
 * Imports documents over HTTP and searches them as an MCP client: they are read
 * back unchanged, and every answer has the published shape.
 */
import { env } from 'cloudflare:workers'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { beforeAll, expect, test } from 'vitest'
import { SCHEMA_VERSION } from '../../src/contracts/version.ts'
import { searchOutput } from '../../src/contracts/tools/search-answers.ts'
import { openApp } from '../../src/app.ts'
import { handle } from '../../src/http/server.ts'
import { ORIGIN } from '../support/app.ts'

const ENV = { DB: env.DB, MESSAGES: env.MESSAGES, AUTH_MODE: 'local', ADMIN_TOKEN: 'operator' }
const COMMON = { repo: 'acme/widget', created_at: '2026-11-01T00:00:00Z', updated_at: '2026-11-02T00:00:00Z' }

const DOCUMENTS = [
  {
    type: 'issue',
    number: 11,
    title: 'Launcher hangs',
    state: 'open',
    labels: ['bug'],
    body: 'The launcher hangs on start.',
  },
  {
    type: 'pull_request',
    number: 12,
    title: 'Unhang the launcher',
    state: 'closed',
    merged: true,
    body: 'Closes #11.',
  },
  { type: 'release', tag_name: 'v1.2.3', title: 'Autumn', body: 'Fixes the launcher.' },
  { type: 'doc', doc_path: 'docs/launch guide.md', body: '# Launching\n\nRun the launcher.' },
  { type: 'wiki_doc', wiki_path: 'Launcher', body: 'All about the launcher.' },
  {
    type: 'diff',
    commit_sha: '9f1c2d3'.padEnd(40, '0'),
    file_path: 'src/launcher.ts',
    file_status: 'modified',
    message: 'Unhang the launcher\n\nIt waited for itself.',
    body: '@@ -1 +1 @@\n-wait()\n+go()',
  },
  { type: 'issue_comment', comment_id: 21, number: 11, author: 'mia', body: 'Launcher hangs here too.' },
  {
    type: 'pr_review',
    review_id: 31,
    number: 12,
    author: 'ken',
    review_state: 'approved',
    body: 'The launcher works.',
  },
  {
    type: 'pr_review_comment',
    comment_id: 41,
    number: 12,
    author: 'ken',
    file_path: 'src/launcher.ts',
    line: 1,
    diff_hunk: '@@ -1 +1 @@\n-wait()',
    body: 'Was this launcher call needed?',
  },
].map((document) => ({ ...COMMON, repo_private: false, ...document }))

function send(path: string, init: RequestInit): Promise<Response> {
  const request = new Request(new URL(path, ORIGIN), init)
  request.headers.set('host', '127.0.0.1:8787')
  return handle(request, openApp(ENV))
}

async function connect(mode: 'legacy' | 'auto'): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  const fetchHere = (input: string | URL, init?: RequestInit) => send(new URL(input).pathname, init ?? {})
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', ORIGIN), { fetch: fetchHere as typeof fetch }))
  return client
}

/** The structured answer. It must equal the text, and have the published shape without other fields. */
async function ask(client: Client, args: Record<string, unknown>): Promise<any> {
  const answer = await client.callTool({ name: 'search', arguments: args })
  expect(answer.isError, JSON.stringify(answer.content)).toBeFalsy()
  const [content] = answer.content as { type: string; text: string }[]
  expect(JSON.parse(content?.text ?? '')).toEqual(answer.structuredContent)
  expect(searchOutput.parse(answer.structuredContent)).toEqual(answer.structuredContent)
  return answer.structuredContent
}

beforeAll(async () => {
  const body = DOCUMENTS.map((document) => JSON.stringify(document)).join('\n')
  const headers = { authorization: 'Bearer operator' }
  const response = await send('/admin/import', { method: 'POST', headers, body })
  expect([response.status, await response.json()]).toEqual([200, { written: 9, unchanged: 0, stale: 0, removed: 0 }])
})

test.each(['legacy', 'auto'] as const)(
  'a %s client finds, lists and reads documents of all nine types',
  async (mode) => {
    const client = await connect(mode)
    const found = await ask(client, { query: 'launcher', top_k: 50 })
    expect(found.count).toBeGreaterThan(0)
    const listed = await ask(client, { since: '2026-11-01', top_k: 50, group: 'none' })
    expect(listed.results.map((row: any) => row.type).toSorted()).toEqual(DOCUMENTS.map(({ type }) => type).toSorted())
    const ids = listed.results.map((row: any) => row.vector_id)
    const read = await ask(client, { vector_ids: [...ids, 'i:stale'] })
    expect(read.not_found).toEqual(['i:stale'])
    expect(read.results.map((row: any) => row.vector_id)).toEqual(ids)
    for (const document of DOCUMENTS) {
      const row = read.results.find((each: any) => each.type === document.type)
      const { body, repo_private: _, ...fields } = document
      expect(row).toMatchObject({ ...fields, content: body, content_truncated: false })
    }
    await client.close()
  },
)

test('an invalid page is refused whole, and the refusal names the line and the field', async () => {
  const lines = [
    { ...DOCUMENTS[0], number: 99 },
    { ...DOCUMENTS[1], number: 'twelve' },
  ]
  const body = lines.map((line) => JSON.stringify(line)).join('\n')
  const response = await send('/admin/import', { method: 'POST', headers: { authorization: 'Bearer operator' }, body })
  const refused = (await response.json()) as { status: string; error: object }
  expect(response.status).toBe(400)
  expect(refused).toMatchObject({ status: 'ERROR', error: { code: 'VALIDATION_ERROR', line: 2, field: 'number' } })
  const client = await connect('auto')
  expect((await ask(client, { query: '#99' })).results).toEqual([])
  await client.close()
})

test('the status shows the documents of each repository by type', async () => {
  const response = await send('/admin/status', { headers: { authorization: 'Bearer operator' } })
  const status = (await response.json()) as { version: string; schema: number; repositories: { repo: string }[] }
  expect(status).toMatchObject({
    schema: SCHEMA_VERSION,
    repositories: [{ repo: 'acme/widget', documents: { issue: 1, diff: 1 } }],
  })
})
