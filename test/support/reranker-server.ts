/**
 * A reranker as others serve it, on loopback: `POST /v1/rerank`, with likeness
 * by the hashed model behind it. It refuses what such servers refuse. Run once
 * for all tests by vitest's globalSetup.
 */
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
import { hashedVector } from './hashed-embedder.ts'

/** What a question and one text may hold together, in UTF-8 bytes, and how many texts one request. */
const MAX_PAIR_BYTES = 8_192
const MAX_TEXTS = 1_000

export const RERANKER_KEY = 'test-key'

export interface RerankerServer {
  /** What is posted to, whole. */
  readonly url: string
  close(): Promise<void>
}

export async function startRerankerServer(): Promise<RerankerServer> {
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1/rerank`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let body = ''
  for await (const part of request.setEncoding('utf8')) body += part
  const send = (status: number, value: unknown) => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(value))
  }
  if (request.method !== 'POST' || request.url !== '/v1/rerank') return send(404, { error: 'no such path' })
  if (request.headers.authorization !== `Bearer ${RERANKER_KEY}`) return send(401, { error: 'wrong key' })
  const { model, query, documents, top_n } = JSON.parse(body) as Record<string, unknown>
  if (model === 'slow') return
  if (model === 'html') {
    response.end('<html>')
    return
  }
  if (model !== 'hashed') return send(404, { error: 'no such model' })
  if (typeof query !== 'string' || query === '') return send(400, { error: 'query' })
  if (!isTexts(documents) || documents.length > MAX_TEXTS) return send(400, { error: 'documents' })
  const most = Math.max(...documents.map((text) => Buffer.byteLength(text)))
  if (Buffer.byteLength(query) + most > MAX_PAIR_BYTES) return send(500, { error: 'input is too large to process' })
  const results = documents
    .map((text, index) => ({ index, relevance_score: scoreOf(query, text) }))
    .toSorted((a, b) => b.relevance_score - a.relevance_score)
  send(200, { object: 'list', model, results: results.slice(0, typeof top_n === 'number' ? top_n : 10) })
}

function isTexts(documents: unknown): documents is string[] {
  return Array.isArray(documents) && documents.length > 0 && documents.every((text) => typeof text === 'string')
}

/** Below zero for what is not alike, as models of this kind score. */
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
