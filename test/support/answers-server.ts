/**
 * Two HTTP servers on loopback that answer as each test says, faults of a
 * connection included. A test has a folder of its own: what is below
 * /t/ID/ is answered by its script and recorded. Run once for all tests by
 * vitest's globalSetup.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import type { TestProject } from 'vitest/node'

/** One answer. `body` is text; `base64` are bytes instead. */
export interface ScriptedAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  readonly base64?: string
  /**
   * cut: the connection ends within the body. hang: nothing is sent. slow: the
   * head comes, the body does not end. huge: 40 MB. reset: the connection ends
   * before the head. gzip, gzip-cut: compressed, whole or not.
   */
  readonly fault?: 'cut' | 'cut-chunked' | 'hang' | 'slow' | 'huge' | 'reset' | 'gzip' | 'gzip-cut'
}

export interface RecordedRequest {
  readonly method: string
  /** Below the folder of the test. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

interface Folder {
  /** By path; the last answer stays. */
  readonly answers: Record<string, ScriptedAnswer[]>
  readonly requests: RecordedRequest[]
}

async function startAnswersServer(): Promise<{ readonly url: string; close(): void }> {
  const folders = new Map<string, Folder>()
  const server: Server = createServer((request, response) => void respond(folders, request, response))
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function respond(
  folders: Map<string, Folder>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  let body = ''
  for await (const part of request.setEncoding('utf8')) body += part
  const [, door, id = '', path = ''] = /^\/(t|script|requests)\/([^/]+)(.*)$/.exec(request.url ?? '') ?? []
  const folder = folders.get(id) ?? { answers: {}, requests: [] }
  folders.set(id, folder)
  if (door === 'script') {
    Object.assign(folder.answers, JSON.parse(body))
    return void response.end()
  }
  if (door === 'requests') return void response.end(JSON.stringify(folder.requests))
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
  folder.requests.push({ method: request.method ?? '', path, headers, body })
  const answers = folder.answers[path] ?? []
  const answer = answers.length > 1 ? answers.shift() : answers[0]
  send(response, answer ?? { status: 599, body: `no answer for ${path}` })
}

function send(
  response: ServerResponse,
  { status = 200, headers = {}, body = '', base64, fault }: ScriptedAnswer,
): void {
  const plain = base64 === undefined ? Buffer.from(body) : Buffer.from(base64, 'base64')
  const isGzip = fault === 'gzip' || fault === 'gzip-cut'
  const bytes = isGzip ? gzipSync(plain) : plain
  if (fault === 'hang') return
  if (fault === 'reset') return void response.socket?.destroy()
  response.sendDate = false
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    ...(isGzip && { 'content-encoding': 'gzip' }),
    ...headers,
    ...((fault === 'cut' || fault === 'slow') && { 'content-length': String(bytes.length + 10) }),
  })
  if (fault === 'huge') return void response.end(`[${'"0123456789abcde",'.repeat(2_500_000)}0]`)
  if (fault === 'cut' || fault === 'cut-chunked') {
    response.write(bytes)
    // The part that was written arrives first.
    setTimeout(() => response.socket?.destroy(), 50)
    return
  }
  if (fault === 'slow') return void response.write(bytes)
  response.end(fault === 'gzip-cut' ? bytes.subarray(0, bytes.length - 12) : bytes)
}

/** vitest's globalSetup: the tests find the addresses by `inject`. */
export async function setup({ provide }: TestProject): Promise<() => void> {
  const [server, elsewhere] = [await startAnswersServer(), await startAnswersServer()]
  provide('answersUrl', server.url)
  provide('elsewhereUrl', elsewhere.url)
  return () => {
    server.close()
    elsewhere.close()
  }
}

declare module 'vitest' {
  interface ProvidedContext {
    answersUrl: string
    elsewhereUrl: string
  }
}
