/**
 * A reranker as others serve it, on loopback: `POST /v1/rerank`, with similarity
 * by the hashed model behind it. It refuses what such servers refuse. Run once
 * for all tests by vitest's globalSetup.
 */
import type { TestProject } from 'vitest/node'
import { hashedVector } from './hashed-embedder.ts'
import { startModelServer, type ModelAnswer, type ModelServer } from './model-server.ts'

/** UTF-8 bytes of a question and one text together, and texts of one request. */
const MAX_PAIR_BYTES = 8_192
const MAX_TEXTS = 1_000

export const RERANKER_KEY = 'test-key'

export type RerankerServer = ModelServer

export function startRerankerServer(): Promise<RerankerServer> {
  return startModelServer('/v1/rerank', RERANKER_KEY, answer)
}

const answer: ModelAnswer = ({ model, query, documents, top_n }) => {
  if (model !== 'hashed') return [404, { error: 'no such model' }]
  if (typeof query !== 'string' || query === '') return [400, { error: 'query' }]
  if (!isTexts(documents) || documents.length > MAX_TEXTS) return [400, { error: 'documents' }]
  const most = Math.max(...documents.map((text) => Buffer.byteLength(text)))
  if (Buffer.byteLength(query) + most > MAX_PAIR_BYTES) return [500, { error: 'input is too large to process' }]
  const results = documents
    .map((text, index) => ({ index, relevance_score: scoreOf(query, text) }))
    .toSorted((a, b) => b.relevance_score - a.relevance_score)
  return [200, { object: 'list', model, results: results.slice(0, typeof top_n === 'number' ? top_n : 10) }]
}

function isTexts(documents: unknown): documents is string[] {
  return Array.isArray(documents) && documents.length > 0 && documents.every((text) => typeof text === 'string')
}

/** Below zero for dissimilar texts, as such models score them. */
function scoreOf(query: string, text: string): number {
  const [a, b] = [hashedVector(query), hashedVector(text)]
  const cosine = a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0) / Math.hypot(...a) / Math.hypot(...b)
  return Number.isFinite(cosine) ? 12 * (cosine - 0.5) : -11
}

/** vitest's globalSetup: the tests find the address by `inject('rerankerUrl')`. */
export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const server = await startRerankerServer()
  provide('rerankerUrl', server.url)
  return () => server.close()
}

declare module 'vitest' {
  interface ProvidedContext {
    rerankerUrl: string
  }
}
