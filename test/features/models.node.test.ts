/** The product with an embedder and a reranker, as a user runs it: from settings in the environment to an answer. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { ensureBundle } from '../../mcp-server/src/local/bundle.ts'
import type { HybridAnswer } from '../../src/contracts/tools/search-answers.ts'
import type { SearchMessagesAnswer } from '../../src/contracts/tools/search-messages.ts'
import { EMBEDDER_KEY, startEmbedderServer, type EmbedderServer } from '../support/embedder-server.ts'
import { GitSandbox } from '../support/git-sandbox.ts'
import { HASHED_DIMENSIONS } from '../support/hashed-embedder.ts'
import { RERANKER_KEY, startRerankerServer, type RerankerServer } from '../support/reranker-server.ts'
import { endAll, startServer } from '../support/started-server.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

/** Longest wait until the first maintenance run has made all vectors. */
const PATIENCE_MS = 60_000

let data: string
let sandbox: GitSandbox
let embedder: EmbedderServer
let reranker: RerankerServer

beforeAll(async () => {
  const bundle = await ensureBundle(process.cwd())
  if (!bundle.ok) throw new Error(bundle.failure.message)
})
beforeEach(async () => {
  data = mkdtempSync(join(tmpdir(), 'kotodama-models-'))
  sandbox = new GitSandbox('lantern')
  embedder = await startEmbedderServer()
  reranker = await startRerankerServer()
})
afterEach(async () => {
  await endAll()
  await Promise.all([embedder.close(), reranker.close()])
  sandbox.remove()
  rmSync(data, { recursive: true, force: true })
})

async function ask(endpoint: string, args: Record<string, unknown>): Promise<HybridAnswer> {
  return (await call(endpoint, 'search', args)) as HybridAnswer
}

async function call(endpoint: string, name: string, args: Record<string, unknown>): Promise<unknown> {
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(endpoint)))
  try {
    const { structuredContent } = await client.callTool({ name, arguments: args })
    return structuredContent
  } finally {
    await client.close()
  }
}

const titles = ({ results }: HybridAnswer) => results.map(({ title }) => title)

test('an index without vectors is searched by vectors once models are set, and by words again without them', async () => {
  sandbox.commit('Describe the lamp', {
    'README.md': '# Lantern\n\nA lamp that remembers who lit it.\n',
    'garden.md': '# Garden\n\nBees and flowers.\n',
  })
  const plain = startServer(data, ['--repo', sandbox.folder])
  await plain.serves()
  await plain.says('local/lantern: 5 written')
  plain.process.kill('SIGTERM')
  expect(await plain.ends()).toBe(0)

  const withModels = startServer(data, ['--no-index'], {
    EMBEDDER_URL: embedder.url,
    EMBEDDER_MODEL: 'hashed',
    EMBEDDER_DIMENSIONS: String(HASHED_DIMENSIONS),
    EMBEDDER_WEIGHT: '0.2',
    EMBEDDER_KEY,
    RERANKER_URL: reranker.url,
    RERANKER_MODEL: 'hashed',
    RERANKER_KEY,
  })
  const { endpoint } = await withModels.serves()
  // No document contains a word of the question.
  const query = 'lamplighting wildflowers'
  let answer = await ask(endpoint, { query, type: 'doc' })
  for (let waited = 0; answer.warnings !== undefined && waited < PATIENCE_MS; waited += 200) {
    await sleep(200)
    answer = await ask(endpoint, { query, type: 'doc' })
  }
  expect(answer.warnings).toBeUndefined()
  expect(answer).toMatchObject({
    fusion_applied: 'weighted',
    fusion_weight: 0.2,
    rerank_applied: true,
  })
  expect(titles(answer).toSorted()).toEqual(['README.md', 'garden.md'])
  expect(await ask(endpoint, { query: 'flowers', fusion: 'dense_only' })).toMatchObject({ fusion_applied: 'vectors' })
  withModels.process.kill('SIGTERM')
  expect(await withModels.ends()).toBe(0)

  const without = startServer(data, ['--no-index'])
  const again = await without.serves()
  expect(await ask(again.endpoint, { query })).toMatchObject({ count: 0, fusion_applied: 'words' })
  expect(await ask(again.endpoint, { query: 'flowers' })).toMatchObject({ rerank_applied: false })
  without.process.kill('SIGTERM')
  expect(await without.ends()).toBe(0)
})

test('messages are found by vectors once an embedder is set, and by words again without it', async () => {
  const contentsOf = async (endpoint: string): Promise<string[]> => {
    // The message contains no word of the question.
    const answer = await call(endpoint, 'search_messages', { query: 'lamplighting' })
    return (answer as SearchMessagesAnswer).results.map(({ content }) => content)
  }
  const plain = startServer(data, ['--no-index'])
  const first = await plain.serves()
  await call(first.endpoint, 'write_message', { session_id: 's', role: 'user', content: 'the lamp remembers' })
  expect(await contentsOf(first.endpoint)).toEqual([])
  plain.process.kill('SIGTERM')
  expect(await plain.ends()).toBe(0)

  const withEmbedder = startServer(data, ['--no-index'], {
    EMBEDDER_URL: embedder.url,
    EMBEDDER_MODEL: 'hashed',
    EMBEDDER_DIMENSIONS: String(HASHED_DIMENSIONS),
    EMBEDDER_KEY,
  })
  const { endpoint } = await withEmbedder.serves()
  let found = await contentsOf(endpoint)
  for (let waited = 0; found.length === 0 && waited < PATIENCE_MS; waited += 200) {
    await sleep(200)
    found = await contentsOf(endpoint)
  }
  expect(found).toEqual(['the lamp remembers'])
  withEmbedder.process.kill('SIGTERM')
  expect(await withEmbedder.ends()).toBe(0)

  const without = startServer(data, ['--no-index'])
  expect(await contentsOf((await without.serves()).endpoint)).toEqual([])
  without.process.kill('SIGTERM')
  expect(await without.ends()).toBe(0)
})
