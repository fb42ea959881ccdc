/**
 * Reads the body of a POST to /mcp: one JSON-RPC message. What can never be a
 * message is refused here as the protocol words it; whether it is a good one
 * is for the SDK to say.
 */

/** Levels of nesting a message may have; a deeper one is an attack, not a call. */
const MAX_DEPTH = 64

export const PARSE_ERROR = -32_700
export const INVALID_REQUEST = -32_600

export type ReadMessage =
  | { readonly ok: true; readonly message: unknown }
  | { readonly ok: false; readonly code: number; readonly problem: string }

/** `text` is undefined for a body that was not UTF-8. */
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
  if (isDeeperThan(message, MAX_DEPTH)) {
    return { ok: false, code: INVALID_REQUEST, problem: `The message is nested more than ${MAX_DEPTH} levels deep.` }
  }
  return { ok: true, message }
}

/** Level by level, so that depth costs no stack. */
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

/** A refusal of the whole request in the protocol's shape; it has no id to answer to. */
export function toRpcRefusal(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status })
}
