/**
 * An embedder as others serve it, on loopback: `POST /v1/embeddings` in the form
 * of OpenAI, with the hashed model behind it. It refuses what such servers
 * refuse. Run once for all tests by vitest's globalSetup.
 */
import type { TestProject } from 'vitest/node'
import { hashedVector } from './hashed-embedder.ts'
import { startModelServer, type ModelAnswer, type ModelServer } from './model-server.ts'

/** UTF-8 bytes of one text, and texts of one request; a text with POISON is always refused. */
const MAX_TEXT_BYTES = 8_000
const MAX_TEXTS = 24
const POISON = '\u2620poison'

export const EMBEDDER_KEY = 'test-key'

export type EmbedderServer = ModelServer

/** `url` is the base address, as EMBEDDER_URL names it: without `/embeddings`. */
export async function startEmbedderServer(): Promise<EmbedderServer> {
  const server = await startModelServer('/v1/embeddings', EMBEDDER_KEY, answer)
  return { ...server, url: server.url.replace(/\/embeddings$/, '') }
}

const answer: ModelAnswer = ({ model, input }) => {
  if (model === 'broken') return [500, { error: 'broken' }]
  const texts = input as string[]
  if (texts.length > MAX_TEXTS || texts.some(isRefused)) return [400, { error: 'input' }]
  const vectors = texts.map((text, index) => ({ object: 'embedding', index, embedding: hashedVector(text) }))
  // In reverse order: the index identifies the text.
  return [200, { object: 'list', model, data: vectors.toReversed() }]
}

function isRefused(text: string): boolean {
  return Buffer.byteLength(text) > MAX_TEXT_BYTES || text.includes(POISON) || text === ''
}

/** vitest's globalSetup: the tests find the address by `inject('embedderUrl')`. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const server = await startEmbedderServer()
  provide('embedderUrl', server.url)
  return () => server.close()
}

declare module 'vitest' {
  interface ProvidedContext {
    embedderUrl: string
  }
}
