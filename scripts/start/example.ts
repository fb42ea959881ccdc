/**
 * One real question and its real answer, asked over MCP as a host would ask it,
 * so that a newcomer sees that the server answers and what answers look like.
 */
import type { HybridAnswer } from '../../src/contracts/tools/search-answers.ts'
import { VERSION } from '../../src/contracts/version.ts'
import { readNewestSubject } from './checkout.ts'

const ASK_MS = 15_000
const SHOWN_ROWS = 3

export interface Example {
  isPrinted(): boolean
  /** Asks about the checkout at `path`, filed as `repo`. `atLast`: no more rows are coming, so a failure is told. */
  rowsCameIn(path: string, repo: string, atLast: boolean): void
}

/** Prints one example answer as soon as the index can give one, and never a second. */
export function exampleOnce(endpoint: string, say: (lines: string) => void): Example {
  let printed = false
  let asking: Promise<void> | undefined
  const ask = async (path: string, repo: string, atLast: boolean): Promise<void> => {
    if (printed) return
    try {
      const subject = await readNewestSubject(path)
      const answer = await askExample(endpoint, repo, subject ?? 'readme')
      if (answer !== undefined) say(`\n${answer}\n`)
      printed = answer !== undefined
    } catch (error) {
      if (atLast) say(`The example question failed: ${(error as Error).message}`)
    }
  }
  return {
    isPrinted: () => printed,
    rowsCameIn: (path, repo, atLast) => {
      // While rows still come, one question at a time is enough; the last one is always asked.
      if (asking !== undefined && !atLast) return
      const before = asking ?? Promise.resolve()
      const now = before.then(() => ask(path, repo, atLast))
      asking = now
      void now.finally(() => {
        if (asking === now) asking = undefined
      })
    },
  }
}

/** Question and answer ready to print; undefined while the index holds nothing that answers. Rejects when the call fails. */
async function askExample(endpoint: string, repo: string, query: string): Promise<string | undefined> {
  // Loaded late, so that it does not hold up the serving.
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
  const client = new Client({ name: 'kotodama-start', version: VERSION })
  try {
    await client.connect(new StreamableHTTPClientTransport(new URL(endpoint)), { timeout: ASK_MS })
    const call = { name: 'search', arguments: { query, repo } }
    const reply = await client.callTool(call, { timeout: ASK_MS })
    if (reply.isError === true) throw new Error(JSON.stringify(reply.content))
    const { results } = reply.structuredContent as HybridAnswer
    return results.length === 0 ? undefined : format(call.arguments, results)
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
