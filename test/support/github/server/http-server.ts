/**
 * A scripted GitHub over HTTP: many worlds in one process, each below
 * `/w/ID`, and `/_control` to make and steer them. Run once for all tests by
 * vitest's globalSetup (../scripted-github-server.ts), or by hand (../serve.ts).
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { RATE_LIMIT_WORDS, type FaultAction, type LoggedRequest } from '../fault.ts'
import { limitNow } from './access.ts'
import { answerRequest, type WorldRequest } from './answer.ts'
import { control } from './control.ts'
import { restError, type RestReply } from './reply.ts'
import { takeFault, type WorldState } from './world-state.ts'

export interface ScriptedServer {
  /** Without a slash at its end. */
  readonly url: string
  readonly worlds: Map<string, WorldState>
  close(): Promise<void>
}

/** On loopback; a port of 0 is any free one. */
export async function startScriptedServer(port = 0): Promise<ScriptedServer> {
  const worlds = new Map<string, WorldState>()
  const server = createServer((request, response) => {
    respond(worlds, request, response).catch((error: unknown) => {
      if (response.headersSent) return response.destroy()
      response.writeHead(500, { 'content-type': 'text/plain', 'x-scripted-error': '1' })
      return response.end(`the scripted GitHub failed: ${error instanceof Error ? error.stack : String(error)}`)
    })
  })
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve)
  })
  const address = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${address.port}`,
    worlds,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function respond(
  worlds: Map<string, WorldState>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  const body = Buffer.concat(chunks).toString()
  const origin = `http://${request.headers.host}`
  const path = request.url ?? '/'
  const [, start, id = '', rest = ''] = /^\/(_control|w)(?:\/([^/?]+))?(.*)$/s.exec(path) ?? []
  const method = request.method ?? 'GET'
  if (start === '_control') return send(response, control(worlds, { method, id, action: rest, body, origin }))
  const state = worlds.get(id)
  if (state === undefined) return send(response, restError(404, 'Not Found'))
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  )
  await serve(state, { method, path: rest === '' ? '/' : rest, headers, body, origin }, response)
}

async function serve(state: WorldState, request: WorldRequest, response: ServerResponse): Promise<void> {
  const { method, path, headers, body } = request
  const logged: LoggedRequest = {
    method,
    path,
    authorization: headers['authorization'],
    ifNoneMatch: headers['if-none-match'],
    body,
    status: 0,
  }
  state.requests.push(logged)
  const fault = takeFault(state, `${method} ${path}${method === 'POST' ? ` ${body}` : ''}`)
  if (fault !== undefined) logged.fault = fault.do
  const delayMs = state.world.settings.latencyMs + (fault?.do === 'delay' ? fault.ms : 0)
  if (delayMs > 0) await wait(delayMs)
  if (fault?.do === 'reset') return void response.destroy()
  // A copy, so that later edits do not change a late answer.
  const reply = structuredClone(fault === undefined ? answer(state, request) : answerWith(fault, state, request))
  if (fault?.do === 'late') await wait(fault.ms)
  logged.status = reply.status
  send(response, reply, fault?.do === 'cut' ? fault.bytes : undefined)
}

function answer({ world, access }: WorldState, request: WorldRequest): RestReply {
  return answerRequest(world, access, request)
}

function answerWith(fault: FaultAction, state: WorldState, request: WorldRequest): RestReply {
  switch (fault.do) {
    case 'answer':
      return {
        status: fault.status,
        text: fault.body ?? '',
        headers: { 'content-type': 'application/json', ...fault.headers },
      }
    case 'limit':
      return limitReply(fault, state)
    case 'html':
      return { status: 200, text: '<html><body>Unicorn!</body></html>', headers: { 'content-type': 'text/html' } }
    case 'empty':
      return { status: 200, text: '', headers: { 'content-type': 'application/json' } }
    case 'lag': {
      const world = state.snapshots.get(fault.snapshot)
      if (world === undefined) throw new Error(`no snapshot ${fault.snapshot}`)
      return answerRequest(world, state.access, request)
    }
    default:
      return alter(fault, answer(state, request))
  }
}

/** Changes the true answer. */
function alter(fault: FaultAction, reply: RestReply): RestReply {
  if (fault.do === 'malformed') {
    const text = JSON.stringify(reply.body)
    return {
      status: 200,
      text: text.slice(0, text.length / 2),
      headers: { 'content-type': 'application/json; charset=utf-8' },
    }
  }
  if (fault.do === 'graphql_errors') {
    const data = fault.partial === true ? (reply.body as { data?: unknown }).data : undefined
    return { ...reply, body: { ...(data !== undefined && { data }), errors: fault.errors } }
  }
  if (fault.do === 'end_list') {
    const { link: _, ...headers } = reply.headers ?? {}
    const items = fault.items ?? Infinity
    return { ...reply, headers, body: Array.isArray(reply.body) ? reply.body.slice(0, items) : reply.body }
  }
  if (fault.do === 'truncate_tree') {
    const { tree, ...body } = reply.body as { tree: readonly unknown[] }
    return { ...reply, body: { ...body, tree: tree.slice(0, Math.ceil(tree.length / 2)), truncated: true } }
  }
  return reply
}

function limitReply(fault: FaultAction & { do: 'limit' }, { world }: WorldState): RestReply {
  const { kind, status = 403, retryAfterS, resetInS = 600 } = fault
  const reset = String(Math.ceil(limitNow(world) / 1000) + resetInS)
  return restError(status, RATE_LIMIT_WORDS[kind === 'primary' ? 'primary' : 'secondary'], {
    ...(retryAfterS !== undefined && { 'retry-after': String(retryAfterS) }),
    ...(kind === 'primary' && {
      'x-ratelimit-limit': '5000',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': reset,
      'x-ratelimit-used': '5000',
      'x-ratelimit-resource': 'core',
    }),
  })
}

/** `cutAt`: only so many bytes of the announced length are sent. */
function send(response: ServerResponse, { status, body, text, headers }: RestReply, cutAt?: number): void {
  const content = text ?? (body === undefined ? '' : JSON.stringify(body))
  const bytes = typeof content === 'string' ? Buffer.from(content) : Buffer.from(content)
  const hasBody = status !== 304 && status !== 204
  response.writeHead(status, {
    ...(text === undefined && hasBody && { 'content-type': 'application/json; charset=utf-8' }),
    'x-github-request-id': 'SCRI:PTED:0:0:0',
    'cache-control': 'private, max-age=60, s-maxage=60',
    ...headers,
    ...(hasBody && { 'content-length': bytes.length }),
  })
  if (cutAt === undefined || cutAt >= bytes.length) return void response.end(hasBody ? bytes : undefined)
  response.write(bytes.subarray(0, cutAt), () => response.destroy())
}
