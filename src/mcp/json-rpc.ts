/**
 * Reads the body of a POST to an MCP path: one JSON-RPC message. It refuses, in
 * the protocol's shape, what can't be a message at all; the SDK validates the
 * rest.
 */
import { MAX_MESSAGE_DEPTH } from './limits.ts'

const PARSE_ERROR = -32_700
const INVALID_REQUEST = -32_600

type ReadMessage =
  | { readonly ok: true; readonly message: unknown }
  | { readonly ok: false; readonly code: number; readonly problem: string }

/** `text` is undefined for a body that is not UTF-8. */
export function readMessage(text: string | undefined): ReadMessage {
  if (text === undefined) return { ok: false, code: PARSE_ERROR, problem: 'Parse error: the body is not UTF-8.' }
  let message: unknown
  try {
    message = JSON.parse(text)
  } catch {
    return { ok: false, code: PARSE_ERROR, problem: 'Parse error: the body is not valid JSON.' }
  }
  if (Array.isArray(message)) {
    return { ok: false, code: INVALID_REQUEST, problem: 'Batches are not accepted: send one message in each request.' }
  }
  if (isDeeperThan(message, MAX_MESSAGE_DEPTH)) {
    const problem = `The message is nested more than ${MAX_MESSAGE_DEPTH} levels deep.`
    return { ok: false, code: INVALID_REQUEST, problem }
  }
  return { ok: true, message }
}

/** Walks level by level, so that a deep value costs no stack. */
function isDeeperThan(value: unknown, levels: number): boolean {
  let level = [value].filter(isContainer)
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === levels) return true
    level = level.flatMap((container) => Object.values(container).filter(isContainer))
  }
  return false
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** The refusal of a whole request in the protocol's shape. Its id is null, because the message was not read. */
export function toRpcRefusal(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status })
}
