import { env } from 'cloudflare:workers'
import { expect, inject, test } from 'vitest'
import { readSettings } from '../../src/settings/env.ts'
import { readReranker, type RerankerEnv } from '../../src/settings/reranker-settings.ts'
import { toReranker, wire } from '../../src/app.ts'
import { owner, put } from '../support/search-world.ts'

const LLAMA: RerankerEnv = { RERANKER_URL: 'http://127.0.0.1:8080/v1/rerank', RERANKER_MODEL: 'bge-reranker-v2-m3' }

test('none is configured unless an address is', () => {
  for (const given of [{}, { RERANKER_URL: ' ' }, { RERANKER_MODEL: 'bge-reranker-v2-m3', RERANKER_KEY: 'key' }]) {
    expect(readReranker(given)).toEqual({ ok: true, value: undefined })
  }
  expect(toReranker(undefined).reranks).toBe(false)
})

test('llama.cpp in two settings, and a key where one is asked for', () => {
  const value = { url: 'http://127.0.0.1:8080/v1/rerank', model: 'bge-reranker-v2-m3' }
  expect(readReranker(LLAMA)).toEqual({ ok: true, value })
  expect(readReranker({ ...LLAMA, RERANKER_KEY: 'key' })).toEqual({ ok: true, value: { ...value, key: 'key' } })
  expect(toReranker(value).reranks).toBe(true)
})

test.each<[string, RerankerEnv]>([
  ['RERANKER_URL', { RERANKER_URL: 'ftp://x/rerank' }],
  ['RERANKER_URL', { RERANKER_URL: 'http://user:pass@x/rerank' }],
  ['RERANKER_URL', { RERANKER_URL: 'http://x/rerank?key=1' }],
  ['RERANKER_URL', { RERANKER_URL: 'nonsense' }],
  ['RERANKER_MODEL', { RERANKER_MODEL: ' ' }],
])('a wrong %s refuses to serve, and is named', (name, wrong) => {
  expect(readSettings({ AUTH_MODE: 'local', ...LLAMA, ...wrong })).toMatchObject({
    ok: false,
    failure: { code: 'UNAVAILABLE', message: expect.stringMatching(`^${name} `) },
  })
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
  const answerOf = async (model: RerankerEnv) => {
    const settings = readSettings({ AUTH_MODE: 'local', ...model })
    if (!settings.ok) throw new Error(settings.failure.message)
    const tool = wire({ DB: env.DB, MESSAGES: env.MESSAGES }, settings.value).tools.find(
      ({ contract }) => contract.name === 'search',
    )
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
