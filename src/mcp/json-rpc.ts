/**
 * Reads the body of a POST to an MCP path: one JSON-RPC message. It refuses, in
 * the protocol's shape, what can't be a message at all, and drops null where
 * the protocol has an optional member; the SDK validates the rest.
 */
import { isDeeperThan, isRecord } from '../base/json-value.ts'
import { MAX_MESSAGE_DEPTH } from './limits.ts'

const PARSE_ERROR = -32_700
const INVALID_REQUEST = -32_600
const INVALID_PARAMS = -32_602

type ReadMessage =
  | { readonly ok: true; readonly message: unknown }
  | { readonly ok: false; readonly code: number; readonly problem: string; readonly id: RequestId | null }

type RequestId = string | number

/** `text` is undefined for a body that is not UTF-8. */
export function readMessage(text: string | undefined): ReadMessage {
  if (text === undefined) return refuseMessage(PARSE_ERROR, 'Parse error: the body is not UTF-8.')
  let message: unknown
  try {
    message = JSON.parse(text)
  } catch {
    return refuseMessage(PARSE_ERROR, 'Parse error: the body is not valid JSON.')
  }
  if (Array.isArray(message)) {
    return refuseMessage(INVALID_REQUEST, 'Batches are not accepted: send one message in each request.')
  }
  if (isDeeperThan(message, MAX_MESSAGE_DEPTH)) {
    return refuseMessage(INVALID_REQUEST, `The message is nested more than ${MAX_MESSAGE_DEPTH} levels deep.`)
  }
  return isRecord(message) ? readParams(message) : { ok: true, message }
}

function refuseMessage(code: number, problem: string, id?: unknown): ReadMessage {
  return { ok: false, code, problem, id: typeof id === 'string' || typeof id === 'number' ? id : null }
}

/** Some hosts send null for absent members; the SDK accepts only absence, and names a wrong cursor an internal error. */
function readParams(message: Record<string, unknown>): ReadMessage {
  const { params, ...rest } = message
  if (params === null) return { ok: true, message: rest }
  if (!isRecord(params)) return { ok: true, message }
  const { cursor, _meta, ...others } = params
  if (rest['method'] === 'tools/list' && cursor != null && typeof cursor !== 'string') {
    return refuseMessage(INVALID_PARAMS, 'Invalid params: cursor is not a text.', rest['id'])
  }
  const given = {
    ...others,
    ...(cursor != null && { cursor }),
    ...(_meta != null && { _meta: isRecord(_meta) ? withoutNullToken(_meta) : _meta }),
  }
  return { ok: true, message: { ...rest, params: given } }
}

function withoutNullToken({ progressToken, ...others }: Record<string, unknown>): Record<string, unknown> {
  return progressToken == null ? others : { ...others, progressToken }
}

/** The refusal of a whole request in the protocol's shape. Its id is null where the message was not read. */
export function toRpcRefusal(status: number, code: number, message: string, id: RequestId | null = null): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id }, { status })
}
