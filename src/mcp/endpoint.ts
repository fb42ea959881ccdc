/**
 * POST to an MCP path: one message in, one answer out, nothing kept. The SDK's
 * handler serves both eras from a fresh server; around it stands what the
 * product promises beyond it. Who may come here, and how large a body may be,
 * has been settled before.
 */
import type { McpServer } from '@modelcontextprotocol/server'
import { createMcpHandler } from 'agents/mcp/server'
import type { Log } from '../base/log.ts'
import { parseUtf8 } from '../base/utf8.ts'
import { toJsonResponse, wantsJsonOnly, withBothAccepted } from './negotiate.ts'
import { Splicer } from './splice.ts'
import { readMessage, toRpcRefusal } from './json-rpc.ts'

/** A stream of change notices, which has no single answer to take out. */
const LISTEN = 'subscriptions/listen'

/** Makes the server of one request. It is given the arguments of a call as they were sent. */
export type BuildServer = (given: unknown, outbox: Splicer) => McpServer

export async function answerMcp(request: Request, build: BuildServer, log: Log): Promise<Response> {
  const text = parseUtf8(await request.arrayBuffer())
  const read = readMessage(text.ok ? text.value : undefined)
  if (!read.ok) return toRpcRefusal(400, read.code, read.problem)
  const { method, given, message } = toCall(read.message)
  const outbox = new Splicer()
  const jsonOnly = wantsJsonOnly(request.headers)
  const handler = createMcpHandler(() => build(given, outbox), {
    route: new URL(request.url).pathname,
    // Origins and their headers are the router's business, before and after this.
    corsOptions: false,
    allowedOriginHostnames: '*',
    onerror: (error) => log.info('mcp_refused', { problem: error.message.slice(0, 200) }),
  })
  const forwarded = new Request(request.url, {
    method: 'POST',
    headers: jsonOnly ? withBothAccepted(request.headers) : request.headers,
    signal: request.signal,
  })
  const response = await handler.fetch(forwarded, { parsedBody: message })
  return outbox.deliver(jsonOnly && method !== LISTEN ? await toJsonResponse(response) : response)
}

/** The message as the SDK takes it, with an object in place of arguments that are none, and those apart. */
function toCall(message: unknown): { readonly method?: unknown; readonly given?: unknown; readonly message: unknown } {
  if (!isRecord(message)) return { message }
  const { method, params } = message
  if (method !== 'tools/call' || !isRecord(params)) return { method, message }
  const given = params['arguments']
  if (given === undefined || isRecord(given)) return { method, given, message }
  return { method, given, message: { ...message, params: { ...params, arguments: {} } } }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
