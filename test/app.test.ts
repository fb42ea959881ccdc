/** The composition root: which part a setting brings in, and what a wrong one does to each that takes parts. */
import { env } from 'cloudflare:workers'
import { afterEach, expect, inject, test, vi } from 'vitest'
import { openApp, runScheduled, toApp, toEmbedders, toObjectParts, toReranker } from '../src/app.ts'
import { readSettings } from '../src/contracts/settings/read-settings.ts'
import type { SettingTexts } from '../src/contracts/settings/setting-texts.ts'
import { SETTINGS } from '../src/contracts/settings/settings.ts'
import { handle } from '../src/http/server.ts'
import { ORIGIN } from './support/app.ts'
import { owner, put } from './support/search-world.ts'

const OLLAMA: SettingTexts = {
  AUTH_MODE: 'local',
  EMBEDDER_URL: 'http://127.0.0.1:11434/v1',
  EMBEDDER_MODEL: 'bge-m3',
  EMBEDDER_DIMENSIONS: '1024',
}

afterEach(() => vi.restoreAllMocks())

test('a model is the one of its settings, and without settings the one that does nothing', () => {
  expect(toEmbedders(undefined)).toMatchObject({ documents: { weight: 0 }, messages: { weight: 0 } })
  expect(toReranker(undefined).reranks).toBe(false)
  const model = { url: 'http://127.0.0.1:8080/v1', model: 'bge-m3' }
  expect(toEmbedders({ kind: 'http', ...model, dimensions: 1024, weight: 0.3, messageWeight: 0.4 })).toMatchObject({
    documents: { model: 'bge-m3:1024', dimensions: 1024, weight: 0.3 },
    messages: { model: 'bge-m3:1024', dimensions: 1024, weight: 0.4 },
  })
  expect(toEmbedders({ kind: 'table', messageWeight: 0.4 })).toMatchObject({
    documents: { weight: 0 },
    messages: { model: 'table:1', weight: 0.4 },
  })
  expect(toReranker(model).reranks).toBe(true)
})

test('requests of one environment share what was made of it, until its settings change', () => {
  const living = { DB: env.DB, MESSAGES: env.MESSAGES, AUTH_MODE: 'local' }
  const first = openApp(living)
  expect(first.ok).toBe(true)
  expect(openApp(living)).toBe(first)
  living.AUTH_MODE = 'open'
  expect(openApp(living).ok).toBe(false)
})

test('a wrong embedder setting refuses each request, and clock and object work without an embedder', async () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  const wrong = { DB: env.DB, MESSAGES: env.MESSAGES, ...OLLAMA, EMBEDDER_DIMENSIONS: 'many' }
  const { whenWrong: message } = SETTINGS.EMBEDDER_DIMENSIONS
  for (let times = 0; times < 2; times += 1) {
    const request = new Request(`${ORIGIN}/health`, { headers: { host: '127.0.0.1:8787' } })
    const response = await handle(request, openApp(wrong))
    expect([response.status, await response.json()]).toEqual([
      503,
      { status: 'ERROR', error: { code: 'UNAVAILABLE', message } },
    ])
    await expect(runScheduled(wrong)).resolves.toBeUndefined()
    expect(toObjectParts(wrong).embedder.weight).toBe(0)
  }
  expect(logged.mock.calls).toEqual([[JSON.stringify({ level: 'error', event: 'wrong_setting', message })]])
})

test.each<[keyof typeof SETTINGS, SettingTexts]>([
  ['GITHUB_REPOSITORIES', { GITHUB_REPOSITORIES: 'owner' }],
  ['GITHUB_APP_PRIVATE_KEY', { GITHUB_APP_ID: '1' }],
  ['GITHUB_APP_PRIVATE_KEY', { GITHUB_APP_ID: '1', GITHUB_APP_PRIVATE_KEY: 'secret-value' }],
  ['GITHUB_TOKEN', { GITHUB_TOKEN: 'secret value' }],
  ['GITHUB_API_URL', { GITHUB_API_URL: 'http://git.example/api/v3' }],
  ['GITHUB_REQUESTS_PER_RUN', { GITHUB_REQUESTS_PER_RUN: '0' }],
])('a wrong %s refuses each request in one line that names it: %j', async (name, texts) => {
  const wrong = { DB: env.DB, MESSAGES: env.MESSAGES, AUTH_MODE: 'local', ...texts }
  const request = new Request(`${ORIGIN}/health`, { headers: { host: '127.0.0.1:8787' } })
  const response = await handle(request, openApp(wrong))
  const { whenWrong: message } = SETTINGS[name]
  expect([response.status, await response.json()]).toEqual([
    503,
    { status: 'ERROR', error: { code: 'UNAVAILABLE', message } },
  ])
  expect(message).not.toMatch(/secret|\n/)
})

test('an embedder that is configured rightly serves the object although another setting is wrong', () => {
  const logged = vi.spyOn(console, 'error').mockImplementation(() => {})
  const { AUTH_MODE: _, ...embedder } = OLLAMA
  const wrong = { DB: env.DB, MESSAGES: env.MESSAGES, ...embedder, RERANKER_URL: 'nonsense' }
  expect(openApp(wrong).ok).toBe(false)
  expect(toObjectParts(wrong).embedder).toMatchObject({ model: 'bge-m3:1024', weight: 0.3 })
  expect(logged).not.toHaveBeenCalled()
})

test('a server with a reranker has its rows ordered by it', async () => {
  await put([
    {
      type: 'issue',
      number: 1,
      title: 'Launcher starts',
      body: 'launcher launcher starts starts, ships and much else',
    },
    { type: 'issue', number: 2, title: 'Twice', body: 'launcher' },
  ])
  const answerOf = async (model: SettingTexts) => {
    const settings = readSettings({ AUTH_MODE: 'local', ...model })
    if (!settings.ok) throw new Error(settings.failure.message)
    const { tools } = toApp({ DB: env.DB, MESSAGES: env.MESSAGES }, settings.value)
    const tool = tools.find(({ contract }) => contract.name === 'search')
    const call = { signal: AbortSignal.timeout(10_000), reportBug: () => {} }
    const run = await tool?.run(owner, { query: 'launcher' }, call)
    return run?.ok ? run.value.answer : undefined
  }
  const reranked = await answerOf({
    RERANKER_URL: inject('rerankerUrl'),
    RERANKER_MODEL: 'hashed',
    RERANKER_KEY: 'test-key',
  })
  expect(reranked).toMatchObject({ rerank_applied: true, results: [{ number: 2 }, { number: 1 }] })
  expect(await answerOf({})).toMatchObject({ rerank_applied: false, results: [{ number: 1 }, { number: 2 }] })
})
