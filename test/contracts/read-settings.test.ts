import { expect, test } from 'vitest'
import { readEmbedder, type EmbedderEnv } from '../../src/settings/embedder-settings.ts'
import { readSettings } from '../../src/settings/env.ts'
import { toEmbedder } from '../../src/app.ts'

const OLLAMA: EmbedderEnv = {
  EMBEDDER_URL: 'http://127.0.0.1:11434/v1',
  EMBEDDER_MODEL: 'bge-m3',
  EMBEDDER_DIMENSIONS: '1024',
}

test('none is configured unless an address is', () => {
  for (const given of [{}, { EMBEDDER_URL: ' ' }, { EMBEDDER_MODEL: 'bge-m3', EMBEDDER_DIMENSIONS: 'x' }]) {
    expect(readEmbedder(given)).toEqual({ ok: true, value: undefined })
  }
  expect(toEmbedder(undefined).weight).toBe(0)
})

test('Ollama in three settings', () => {
  const settings = readEmbedder(OLLAMA)
  expect(settings).toEqual({
    ok: true,
    value: { url: 'http://127.0.0.1:11434/v1', model: 'bge-m3', dimensions: 1024, weight: 0.3 },
  })
  expect(settings.ok && toEmbedder(settings.value)).toMatchObject({
    model: 'bge-m3:1024',
    dimensions: 1024,
    weight: 0.3,
  })
})

test.each<[string, EmbedderEnv]>([
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
])('a wrong %s refuses to serve, and is named', (name, wrong) => {
  expect(readSettings({ AUTH_MODE: 'local', ...OLLAMA, ...wrong })).toMatchObject({
    ok: false,
    failure: { code: 'UNAVAILABLE', message: expect.stringMatching(`^${name} `) },
  })
})
