/**
 * One real question and its real answer, asked over MCP as a host would ask it,
 * so that a newcomer sees that the server answers and what answers look like.
 */
import type { HybridAnswer } from '../../src/contracts/tools/search-answers.ts'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

const ASK_MS = 15_000
const SHOWN_ROWS = 3

/** Question and answer ready to print; undefined while the index holds nothing that answers. Rejects when the call fails. */
export async function askExample(endpoint: string, repo: string, query: string): Promise<string | undefined> {
  const client = new Client({ name: 'kotodama-start', version: '0.1.0' })
  try {
    await client.connect(new StreamableHTTPClientTransport(new URL(endpoint)), { timeout: ASK_MS })
    const call = { name: 'search', arguments: { query, repo } }
    const reply = await client.callTool(call, { timeout: ASK_MS })
    const answer = reply.structuredContent as HybridAnswer | undefined
    const rows = answer?.results ?? []
    return reply.isError === true || rows.length === 0 ? undefined : format(call.arguments, rows)
  } finally {
    await client.close()
  }
}

function format(question: object, rows: HybridAnswer['results']): string {
  const shown = rows.slice(0, SHOWN_ROWS).flatMap(({ type, title, url, snippet }, at) => {
    const lines = [`  ${at + 1}. ${type}  ${title}${url === undefined ? '' : `  ${url}`}`]
    return snippet === undefined ? lines : [...lines, `     ${snippet.replace(/\s+/g, ' ')}`]
  })
  const rest = rows.length > SHOWN_ROWS ? [`  and ${rows.length - SHOWN_ROWS} more`] : []
  return [`Asked just now: search ${JSON.stringify(question)}`, ...shown, ...rest].join('\n')
}
