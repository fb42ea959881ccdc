/**
 * An embedder as others serve it, on loopback: `POST /v1/embeddings` in the form
 * of OpenAI, with the hashed model behind it. It refuses what such servers
 * refuse. Run once for all tests by vitest's globalSetup.
 */
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
import { hashedVector } from './hashed-embedder.ts'

/** What one text and one request may hold, in UTF-8 bytes; a text with POISON is never taken. */
const MAX_TEXT_BYTES = 8_000
const MAX_TEXTS = 24
const POISON = '\u2620poison'

export const EMBEDDER_KEY = 'test-key'

export interface EmbedderServer {
  readonly url: string
  close(): Promise<void>
}

export async function startEmbedderServer(): Promise<EmbedderServer> {
  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
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
  if (request.method !== 'POST' || request.url !== '/v1/embeddings') return send(404, { error: 'no such path' })
  if (request.headers.authorization !== `Bearer ${EMBEDDER_KEY}`) return send(401, { error: 'wrong key' })
  const { model, input } = JSON.parse(body) as { model: string; input: string[] }
  if (model === 'slow') return
  if (model === 'broken') return send(500, { error: 'broken' })
  if (model === 'html') {
    response.end('<html>')
    return
  }
  if (input.length > MAX_TEXTS || input.some(isRefused)) return send(400, { error: 'input' })
  const vectors = input.map((text, index) => ({ object: 'embedding', index, embedding: hashedVector(text) }))
  // In no order: the index tells whose each is.
  send(200, { object: 'list', model, data: vectors.toReversed() })
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
