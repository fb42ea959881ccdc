import { expect, test } from 'vitest'
import { readSettingParts, readSettings } from '../../../src/contracts/settings/read-settings.ts'
import type { SettingTexts } from '../../../src/contracts/settings/setting-texts.ts'
import { SETTINGS } from '../../../src/contracts/settings/settings.ts'

const OLLAMA: SettingTexts = {
  EMBEDDER_URL: 'http://127.0.0.1:11434/v1',
  EMBEDDER_MODEL: 'bge-m3',
  EMBEDDER_DIMENSIONS: '1024',
}
const LLAMA: SettingTexts = { RERANKER_URL: 'http://127.0.0.1:8080/v1/rerank', RERANKER_MODEL: 'bge-reranker-v2-m3' }

test('each row of the table has the name under which it is found', () => {
  for (const [name, row] of Object.entries(SETTINGS)) expect(row.name).toBe(name)
})

test('a mode alone is enough: everything else has a meaning when it is absent', () => {
  expect(readSettings({ AUTH_MODE: ' local ' })).toEqual({
    ok: true,
    value: {
      mode: 'local',
      allowedOrigins: [],
      adminToken: undefined,
      embedder: undefined,
      reranker: undefined,
      github: {
        repositories: [],
        credential: { kind: 'none' },
        urls: {
          api: 'https://api.github.com',
          graphql: 'https://api.github.com/graphql',
          server: 'https://github.com',
          raw: 'https://raw.githubusercontent.com',
        },
        webhookSecret: undefined,
        requestsPerRun: 400,
      },
    },
  })
})

test('variables are trimmed, and a secret is taken as it is', () => {
  const settings = readSettings({ AUTH_MODE: 'local', ALLOWED_ORIGINS: ' https://a.example ,, ', ADMIN_TOKEN: ' t ' })
  expect(settings).toMatchObject({ value: { allowedOrigins: ['https://a.example'], adminToken: ' t ' } })
})

test.each([{}, { EMBEDDER_URL: ' ' }, { EMBEDDER_MODEL: 'bge-m3', EMBEDDER_DIMENSIONS: 'x' }])(
  'no embedder is configured by %j, which has no address',
  (given) => {
    expect(readSettingParts(given).embedder).toEqual({ ok: true, value: undefined })
  },
)

test('the built-in embedder needs no other setting', () => {
  const value = { kind: 'table', messageWeight: 0.3 }
  expect(readSettingParts({ EMBEDDER: 'table' }).embedder).toEqual({ ok: true, value })
})

test('the built-in embedder and none are chosen although an address is set', () => {
  expect(readSettingParts({ ...OLLAMA, EMBEDDER: 'table', EMBEDDER_MESSAGE_WEIGHT: '0.2' }).embedder).toEqual({
    ok: true,
    value: { kind: 'table', messageWeight: 0.2 },
  })
  expect(readSettingParts({ ...OLLAMA, EMBEDDER: 'none' }).embedder).toEqual({ ok: true, value: undefined })
})

test('Ollama is configured by three settings', () => {
  expect(readSettingParts(OLLAMA).embedder).toEqual({
    ok: true,
    value: {
      kind: 'http',
      url: 'http://127.0.0.1:11434/v1',
      model: 'bge-m3',
      dimensions: 1024,
      weight: 0.1,
      messageWeight: 0.3,
    },
  })
})

test.each([{}, { RERANKER_URL: ' ' }, { RERANKER_MODEL: 'bge-reranker-v2-m3', RERANKER_KEY: 'key' }])(
  'no reranker is configured by %j, which has no address',
  (given) => {
    expect(readSettingParts(given).reranker).toEqual({ ok: true, value: undefined })
  },
)

test('llama.cpp is configured by two settings, and by a key where it needs one', () => {
  const value = { url: 'http://127.0.0.1:8080/v1/rerank', model: 'bge-reranker-v2-m3' }
  expect(readSettingParts(LLAMA).reranker).toEqual({ ok: true, value })
  expect(readSettingParts({ ...LLAMA, RERANKER_KEY: 'key' }).reranker).toEqual({
    ok: true,
    value: { ...value, key: 'key' },
  })
})

test.each<[keyof SettingTexts, SettingTexts]>([
  ['AUTH_MODE', { AUTH_MODE: '' }],
  ['AUTH_MODE', { AUTH_MODE: 'github' }],
  ['ALLOWED_ORIGINS', { ALLOWED_ORIGINS: 'https://a.example/path' }],
  ['EMBEDDER', { EMBEDDER: 'openai' }],
  ['EMBEDDER', { EMBEDDER: 'http', EMBEDDER_URL: '' }],
  ['EMBEDDER_MESSAGE_WEIGHT', { EMBEDDER_MESSAGE_WEIGHT: '2' }],
  ['EMBEDDER_URL', { EMBEDDER_URL: 'ftp://x/v1' }],
  ['EMBEDDER_URL', { EMBEDDER_URL: 'http://user:pass@x/v1' }],
  ['EMBEDDER_URL', { EMBEDDER_URL: 'nonsense' }],
  ['EMBEDDER_MODEL', { EMBEDDER_MODEL: '' }],
  ['EMBEDDER_DIMENSIONS', { EMBEDDER_DIMENSIONS: '' }],
  ['EMBEDDER_DIMENSIONS', { EMBEDDER_DIMENSIONS: '10.5' }],
  ['EMBEDDER_DIMENSIONS', { EMBEDDER_DIMENSIONS: '100000' }],
  ['EMBEDDER_WEIGHT', { EMBEDDER_WEIGHT: '0' }],
  ['EMBEDDER_WEIGHT', { EMBEDDER_WEIGHT: '1.5' }],
  ['EMBEDDER_WEIGHT', { EMBEDDER_WEIGHT: 'half' }],
  ['RERANKER_URL', { RERANKER_URL: 'ftp://x/rerank' }],
  ['RERANKER_URL', { RERANKER_URL: 'http://user:pass@x/rerank' }],
  ['RERANKER_URL', { RERANKER_URL: 'http://x/rerank?key=1' }],
  ['RERANKER_URL', { RERANKER_URL: 'nonsense' }],
  ['RERANKER_MODEL', { RERANKER_MODEL: ' ' }],
])('a wrong %s is refused by the sentence of its row: %j', (name, wrong) => {
  expect(readSettings({ AUTH_MODE: 'local', ...OLLAMA, ...LLAMA, ...wrong })).toEqual({
    ok: false,
    failure: { code: 'UNAVAILABLE', message: SETTINGS[name].whenWrong },
  })
  expect(SETTINGS[name].whenWrong).toMatch(new RegExp(`^${name} `))
})

test('a part that is wrong leaves the other parts readable', () => {
  const { embedder, reranker } = readSettingParts({ ...OLLAMA, EMBEDDER_WEIGHT: 'half', ...LLAMA })
  expect([embedder.ok, reranker.ok]).toEqual([false, true])
})
