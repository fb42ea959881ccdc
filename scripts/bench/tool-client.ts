/** Calls the product's tools over MCP as a host does: one POST for each call, without a session. */

const HEADERS = {
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2025-11-25',
}

/** Resolves to the tool's answer; throws when the tool refuses or the server fails. */
export async function callTool(endpoint: string, name: string, args: unknown): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })
  const response = await fetch(endpoint, { method: 'POST', headers: HEADERS, body })
  const text = await response.text()
  if (!response.ok) throw new Error(`${name} answered ${response.status}: ${text.slice(0, 300)}`)
  const { result } = readReply(text)
  const answer = result?.content?.[0]?.text
  if (answer === undefined || result?.isError === true) throw new Error(`${name} refused: ${text.slice(0, 300)}`)
  return JSON.parse(answer) as unknown
}

interface Reply {
  readonly result?: {
    readonly isError?: boolean
    readonly content?: readonly { readonly text?: string }[]
  }
}

/** A reply is plain JSON or the only event of a stream. */
function readReply(text: string): Reply {
  const event = /^data: (.*)$/m.exec(text)
  return JSON.parse(text.startsWith('{') ? text : (event?.[1] ?? '')) as Reply
}
