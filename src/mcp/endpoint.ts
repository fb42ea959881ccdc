/**
 * Answers a POST to an MCP path: one message, one answer, no state in between.
 * The SDK's handler serves clients of both protocol eras from a new server per
 * request. Host, origin, access and the size of the body were checked before.
 */
import type { McpServer } from '@modelcontextprotocol/server'
import { createMcpHandler } from 'agents/mcp/server'
import type { Log } from '../base/log.ts'
import { isRecord } from '../base/json-value.ts'
import { parseUtf8 } from '../base/utf8.ts'
import { readMessage, toRpcRefusal } from './json-rpc.ts'
import { toJsonResponse, wantsJsonOnly, withBothAccepted } from './negotiate.ts'
import { Splicer } from './splice.ts'

/** This method opens a stream of notifications, which has no single answer to take out. */
const LISTEN = 'subscriptions/listen'

/** A POST whose body was read. */
interface McpRequest {
  readonly url: URL
  readonly headers: Headers
  readonly body: ArrayBuffer
  readonly signal: AbortSignal
}

/** The parts of a request that its server needs. */
export interface McpCall {
  /** The arguments of a tool call as they were sent: the SDK rejects what is not an object in its own words. */
  readonly given: unknown
  readonly splicer: Splicer
}

export type BuildServer = (call: McpCall) => McpServer

export async function answerMcp(request: McpRequest, build: BuildServer, log: Log): Promise<Response> {
  const text = parseUtf8(request.body)
  const read = readMessage(text.ok ? text.value : undefined)
  if (!read.ok) return toRpcRefusal(400, read.code, read.problem, read.id)
  const { method, given, message } = splitMessage(read.message)
  const splicer = new Splicer()
  const jsonOnly = wantsJsonOnly(request.headers)
  const handler = createMcpHandler(() => build({ given, splicer }), {
    route: request.url.pathname,
    // The HTTP door checks origins and sets the CORS headers, for all paths alike.
    corsOptions: false,
    allowedOriginHostnames: '*',
    onerror: (error) => log.info('mcp_refused', { problem: error.message.slice(0, 200) }),
  })
  // The handler takes the message parsed; of the request it reads method, URL, headers and signal.
  const forwarded = new Request(request.url, {
    method: 'POST',
    headers: jsonOnly ? withBothAccepted(request.headers) : request.headers,
    signal: request.signal,
  })
  const response = await handler.fetch(forwarded, { parsedBody: message })
  return splicer.deliver(jsonOnly && method !== LISTEN ? await toJsonResponse(response) : response)
}

interface SplitMessage {
  readonly method?: unknown
  readonly given?: unknown
  readonly message: unknown
}

/** The arguments of a tool call, and the message for the SDK: arguments that are no object are replaced by an empty one. */
function splitMessage(message: unknown): SplitMessage {
  if (!isRecord(message)) return { message }
  const { method, params } = message
  if (method !== 'tools/call' || !isRecord(params)) return { method, message }
  const given = params['arguments']
  if (given === undefined || isRecord(given)) return { method, given, message }
  return { method, given, message: { ...message, params: { ...params, arguments: {} } } }
}
