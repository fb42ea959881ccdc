/** The Worker's HTTP door with the parts that a test chooses, and the lines of its log. */
import { env as workerEnv } from 'cloudflare:workers'
import type { Log, LogFields } from '../../src/base/log.ts'
import { ok } from '../../src/base/result.ts'
import type { ScanAnswer } from '../../src/contracts/tools/search-answers.ts'
import type { Settings } from '../../src/contracts/settings/read-settings.ts'
import type { App, Route } from '../../src/http/route.ts'
import { handle } from '../../src/http/server.ts'
import { toApp, type Env } from '../../src/app.ts'
import type { Memory } from '../../src/memory/memory.ts'
import { toTools } from '../../src/mcp/registry.ts'
import type { Search } from '../../src/mcp/tools/search.ts'
import { githubSettings } from './github/github-test-settings.ts'

export const ORIGIN = 'http://127.0.0.1:8787'

interface LoggedLine extends LogFields {
  readonly event: string
}

export interface TestApp {
  readonly app: App
  readonly lines: readonly LoggedLine[]
  /** Sends a request to loopback as a client would, through every check. */
  fetch(path: string, init?: RequestInit, routes?: readonly Route[]): Promise<Response>
}

export const EMPTY_SCAN: ScanAnswer = {
  count: 0,
  mode: 'scan',
  sort: 'updated_desc',
  filters_unmatched: [],
  since: '2026-11-23T00:00:00Z',
  truncated: false,
  results: [],
}

export function testApp(
  database: D1Database,
  parts: {
    readonly search?: Search
    readonly memory?: Memory
    readonly settings?: Partial<Settings>
    readonly now?: () => number
  } = {},
): TestApp {
  const lines: LoggedLine[] = []
  const log: Log = {
    info: (event, fields) => void lines.push({ event, ...fields }),
    error: (event, fields) => void lines.push({ event, ...fields }),
  }
  const env: Env = { DB: database, MESSAGES: workerEnv.MESSAGES }
  const settings: Settings = {
    mode: 'local',
    allowedOrigins: [],
    adminToken: undefined,
    embedder: undefined,
    reranker: undefined,
    github: githubSettings(),
    ...parts.settings,
  }
  const search = parts.search ?? (() => Promise.resolve({ ok: true, value: EMPTY_SCAN }))
  const real = toApp(env, settings, { log })
  const memory = parts.memory ?? real.memory
  const app: App = { ...real, memory, tools: toTools({ search, memory, now: parts.now ?? Date.now }) }
  return {
    app,
    lines,
    fetch(path, init, routes) {
      const request = new Request(new URL(path, ORIGIN), init)
      if (!request.headers.has('host')) request.headers.set('host', '127.0.0.1:8787')
      return handle(request, ok(app), routes)
    },
  }
}

/** Sends one JSON-RPC message to /mcp as a 2025-era client does; the answer's body is read as JSON. */
export async function rpc(
  app: TestApp,
  message: unknown,
  headers: HeadersInit = {},
  path = '/mcp',
): Promise<RpcAnswer> {
  const all = new Headers(headers)
  all.set('content-type', 'application/json')
  const body = typeof message === 'string' ? message : JSON.stringify(message)
  const response = await app.fetch(path, { method: 'POST', headers: all, body })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

export interface RpcAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: { readonly result?: any; readonly error?: any; readonly id?: unknown; readonly status?: string }
}

export function toolCall(args: unknown, name = 'search'): object {
  return { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name, arguments: args } }
}

/** The metadata that a client of 2026-07-28 sends with every request. */
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

export function modern(method: string, params: object = {}): [object, Record<string, string>] {
  const headers: Record<string, string> = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method }
  if ('name' in params) headers['mcp-name'] = String(params.name)
  return [{ jsonrpc: '2.0', id: 7, method, params: { ...params, _meta: ENVELOPE } }, headers]
}
