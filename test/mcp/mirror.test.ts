/** The list of tools that each path serves, in both protocol eras, compared with the generated copy of the bridge. */
import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import mirror from '../../mcp-server/src/tools.generated.json' with { type: 'json' }
import { listContracts } from '../../src/contracts/index.ts'
import { ROUTES } from '../../src/http/routes.ts'
import { modern, rpc, testApp } from '../support/app.ts'

const LEGACY = { jsonrpc: '2.0', id: 7, method: 'tools/list' }

test.each([
  ['/mcp', undefined],
  ['/mcp/search', 'search'],
  ['/mcp/memory', 'memory'],
  ['/mcp/music', 'music'],
  ['/mcp/', undefined],
  ['/mcp/search/', 'search'],
  ['/mcp/memory/', 'memory'],
  ['/mcp/music/', 'music'],
] as const)('%s serves exactly its part of the generated copy', async (path, set) => {
  const names = listContracts(set).map(({ name }) => name)
  const expected = mirror.tools.filter(({ name }) => names.includes(name))
  const served = ROUTES.some((route) => route.path === path)
  expect(served).toBe(expected.length > 0)
  if (!served) return
  const legacy = await rpc(testApp(env.DB), LEGACY, {}, path)
  const [message, headers] = modern('tools/list')
  const newest = await rpc(testApp(env.DB), message, headers, path)
  expect(legacy.body.result.tools).toEqual(expected)
  expect(newest.body.result.tools).toEqual(expected)
})

test('the description of search in the generated copy contains the promises that hosts rely on', () => {
  const search = mirror.tools.find(({ name }) => name === 'search')
  for (const words of [
    'stored copy',
    'not live from GitHub',
    '32,000',
    'content_truncated',
    'not_found',
    'short-lived',
  ]) {
    expect(search?.description).toContain(words)
  }
  expect(search?._meta).toEqual({ 'anthropic/maxResultSizeChars': 400_000 })
  expect(search?.annotations).toEqual({
    readOnlyHint: true,
    destructiveHint: false,
    idempotentHint: true,
    openWorldHint: true,
  })
})
