/**
 * The admin API as a model in memory behind a real HTTP server, for tests of the
 * import. It refuses what the product refuses, with the same page parser, and
 * can fail before or after a page is stored.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { DocumentsAnswer } from '../../src/contracts/admin/documents-contract.ts'
import type { StatusAnswer } from '../../src/contracts/admin/status-contract.ts'
import { MAX_POSITION_CHARS } from '../../src/contracts/limits.ts'
import type { Document, Identity } from '../../src/documents/document.ts'
import { parseImportPage } from '../../src/contracts/import/parse-page.ts'

export const TOKEN = 'model-token-0123456789'
const MAX_PAGE_BYTES = 16 * 1024 * 1024
const LISTED_AT_ONCE = 3

export interface ModelCursor {
  readonly source: string
  readonly position: string
  readonly done: number
  readonly total: number
}

interface ModelRepository {
  readonly repo: string
  readonly documents: Map<string, Document>
  readonly cursors: Map<string, ModelCursor>
}

/**
 * `drop-before` and `drop-after` cut the connection before or after the page is
 * stored; `busy` is the product's own refusal; a number is the status of an answer.
 */
export type Fault = 'drop-before' | 'drop-after' | 'busy' | number | undefined

export class AdminModel {
  readonly repositories = new Map<string, ModelRepository>()
  /** Lines and bytes of each stored page, and the `done` of its cursor. */
  readonly pages: { readonly lines: number; readonly bytes: number; readonly done: string | null }[] = []
  readonly requests: string[] = []
  #sent: Identity[] = []
  /** Called before each page. */
  fault: (page: number) => Fault = () => undefined
  #server: Server | undefined
  /** Pages that arrived, failed ones included. */
  posts = 0

  async start(): Promise<string> {
    const server = createServer((request, response) => {
      this.#answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)))
    })
    this.#server = server
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  async stop(): Promise<void> {
    this.#server?.closeAllConnections()
    this.#server?.close()
    if (this.#server !== undefined) await once(this.#server, 'close')
  }

  /** All documents of a repository in a fixed order, so that two models can be compared. */
  contents(repo: string): Document[] {
    const documents = this.repositories.get(repo.toLowerCase())?.documents ?? new Map<string, Document>()
    return [...documents].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, document]) => document)
  }

  cursor(repo: string, source: string): ModelCursor | undefined {
    return this.repositories.get(repo.toLowerCase())?.cursors.get(source)
  }

  /** Identities of the documents of a type that were put since the last call, sorted. */
  takeSent(type: string): Identity[] {
    const sent = this.#sent.filter((identity) => identity.type === type)
    this.#sent = []
    return sent.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://model')
    this.requests.push(`${request.method} ${url.pathname}`)
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part as Buffer)
    const body = Buffer.concat(parts)
    if (request.headers.authorization !== `Bearer ${TOKEN}`) return refuse(response, 401, 'no')
    if (request.method === 'GET' && url.pathname === '/admin/status') return reply(response, this.#status())
    if (request.method === 'GET' && url.pathname === '/admin/documents') {
      return reply(response, this.#list(url.searchParams))
    }
    if (request.method !== 'POST' || url.pathname !== '/admin/import') return refuse(response, 404, 'no such route')
    const fault = this.fault(this.posts)
    this.posts += 1
    if (fault === 'drop-before') return void request.socket.destroy()
    if (fault === 'busy') return reply(response, { status: 'ERROR', error: { code: 'BUSY', message: 'busy' } }, 503)
    if (typeof fault === 'number') return refuse(response, fault, 'try again', fault >= 500)
    return this.#import(request, response, url.searchParams, body, fault)
  }

  #status(): StatusAnswer {
    const repositories = [...this.repositories.values()].map(({ repo, cursors }) => ({
      repo,
      private: true,
      documents: {},
      cursors: [...cursors.values()].map((cursor) => ({ ...cursor, moved_at: '2026-11-30T12:00:00Z' })),
      pending: 0,
    }))
    return { version: '0', schema: 1, repositories }
  }

  #list(query: URLSearchParams): DocumentsAnswer {
    const after = query.get('after') ?? ''
    const found = this.contents(query.get('repo') ?? '')
      .flatMap(({ identity }) => (identity.type === query.get('type') && 'path' in identity ? [identity.path] : []))
      .filter((path) => path > after)
      .sort()
    const page = found.slice(0, LISTED_AT_ONCE)
    const last = page.at(-1)
    const more = found.length > page.length && last !== undefined ? { next: last } : {}
    return { documents: page.map((path) => ({ path })), ...more }
  }

  #import(
    request: IncomingMessage,
    response: ServerResponse,
    query: URLSearchParams,
    body: Buffer,
    fault: Fault,
  ): void {
    if (body.length > MAX_PAGE_BYTES) return refuse(response, 413, 'too large')
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
    const page = parseImportPage(text)
    if (!page.ok) return reply(response, { status: 'ERROR', error: page.failure }, 400)
    const [repo, source, position] = [query.get('repo'), query.get('source'), query.get('position')]
    if ((position ?? '').length > MAX_POSITION_CHARS) return refuse(response, 400, 'position: too long')
    const counts = { written: 0, unchanged: 0, stale: 0, removed: 0 }
    const removedHere = new Set<string>()
    for (const change of page.value) {
      const said = 'put' in change ? change.put : change.remove
      if ('put' in change) this.#sent.push(said.identity)
      const { documents } = this.#repository(said.repository.name)
      const key = keyOf(said.identity)
      if ('remove' in change) {
        if (documents.delete(key)) counts.removed += 1
        removedHere.add(key)
        continue
      }
      const known = documents.get(key)
      const stale = (change.put.updatedAt ?? Infinity) < (known?.updatedAt ?? 0)
      if (JSON.stringify(known) === JSON.stringify(change.put)) counts.unchanged += 1
      else if (stale && !removedHere.has(key)) counts.stale += 1
      else {
        documents.set(key, change.put)
        counts.written += 1
      }
    }
    if (repo !== null && source !== null && position !== null) {
      const [done, total] = [Number(query.get('done')), Number(query.get('total'))]
      this.#repository(repo).cursors.set(source, { source, position, done, total })
    }
    this.pages.push({ lines: page.value.length, bytes: body.length, done: query.get('done') })
    if (fault === 'drop-after') return void request.socket.destroy()
    return reply(response, counts)
  }

  #repository(name: string): ModelRepository {
    const key = name.toLowerCase()
    const known = this.repositories.get(key) ?? { repo: name, documents: new Map(), cursors: new Map() }
    this.repositories.set(key, known)
    return known
  }
}

function keyOf(identity: Identity): string {
  return JSON.stringify(identity)
}

function reply(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

function refuse(response: ServerResponse, status: number, message: string, plain = false): void {
  if (plain) return void response.writeHead(status).end(message)
  reply(response, { status: 'ERROR', error: { code: 'VALIDATION_ERROR', message } }, status)
}
