/**
 * A model's HTTP server on loopback, with the parts that embedder and reranker
 * share: a path, a key and JSON both ways. It never answers for the model `slow`,
 * and answers with an HTML page for the model `html`.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ModelServer {
  /** The whole address of requests. */
  readonly url: string
  close(): Promise<void>
}

/** A status and a body, from what was posted. */
export type ModelAnswer = (given: Readonly<Record<string, unknown>>) => readonly [status: number, body: unknown]

export async function startModelServer(path: string, key: string, answer: ModelAnswer): Promise<ModelServer> {
  const server = createServer((request, response) => void respond(request, response, { path, key, answer }))
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}${path}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  { path, key, answer }: { readonly path: string; readonly key: string; readonly answer: ModelAnswer },
): Promise<void> {
  let body = ''
  for await (const part of request.setEncoding('utf8')) body += part
  const send = ([status, value]: readonly [number, unknown]): void => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(value))
  }
  if (request.method !== 'POST' || request.url !== path) return send([404, { error: 'no such path' }])
  if (request.headers.authorization !== `Bearer ${key}`) return send([401, { error: 'wrong key' }])
  const given = JSON.parse(body) as Record<string, unknown>
  if (given['model'] === 'slow') return
  if (given['model'] === 'html') {
    response.end('<html>')
    return
  }
  send(answer(given))
}
