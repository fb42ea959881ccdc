/**
 * Prints one question and its answer, sent over MCP as a host would send it, so
 * that a new user sees that the server answers and in which form.
 */
import type { HybridAnswer } from '../../../../src/contracts/tools/search-answers.ts'
import { VERSION } from '../../../../src/contracts/version.ts'
import { listNewestSubjects } from './checkout-queries.ts'

const CALL_MS = 15_000
/** Commits whose subjects are tried, until the best row shows words of the question. */
const TRIED_COMMITS = 3
const HIGHLIGHT = /\*\*[^*]+\*\*/

export interface Example {
  /** Asks about the checkout at `path`, stored as `repo`. `isLast`: no more rows follow, so a failure is printed. */
  rowsCameIn(path: string, repo: string, isLast: boolean): void
  /** The import of `path` ended and the index has no row of it. */
  hasNoRows(path: string): void
}

/** Prints one example answer, as soon as the index can give one. Prints that there is none when no path has rows. */
export function exampleOnce(endpoint: string, paths: readonly string[], say: (lines: string) => void): Example {
  let printed = false
  const empty = new Set<string>()
  let running: Promise<void> | undefined
  const ask = async (path: string, repo: string, isLast: boolean): Promise<void> => {
    if (printed) return
    try {
      const subjects = await listNewestSubjects(path, TRIED_COMMITS)
      const answer = await askExample(endpoint, repo, subjects.length === 0 ? ['readme'] : subjects)
      if (answer !== undefined) say(`\n${answer}\n`)
      printed = answer !== undefined
    } catch (error) {
      if (isLast) say(`The example question failed: ${(error as Error).message}`)
    }
  }
  return {
    rowsCameIn: (path, repo, isLast) => {
      // While rows still come in, one question at a time is enough. The last one is always sent.
      if (running !== undefined && !isLast) return
      const before = running ?? Promise.resolve()
      const now = before.then(() => ask(path, repo, isLast))
      running = now
      void now.finally(() => {
        if (running === now) running = undefined
      })
    },
    hasNoRows: (path) => {
      if (empty.has(path)) return
      empty.add(path)
      const all = paths.every((one) => empty.has(one))
      if (all) say('Nothing is indexed yet, so there is no example answer to show.')
    },
  }
}

/**
 * A question and its answer, ready to print: the first one whose best row shows
 * words of the question, else the first one with a row. Undefined while no
 * question finds a row. Rejects when a call fails.
 */
async function askExample(endpoint: string, repo: string, queries: readonly string[]): Promise<string | undefined> {
  // Loaded late, so that it does not delay the serving.
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
  const client = new Client({ name: 'kotodama-start', version: VERSION })
  try {
    await client.connect(new StreamableHTTPClientTransport(new URL(endpoint)), { timeout: CALL_MS })
    let fallback: string | undefined
    for (const query of queries) {
      const call = { name: 'search', arguments: { query, repo } }
      const reply = await client.callTool(call, { timeout: CALL_MS })
      if (reply.isError === true) throw new Error(JSON.stringify(reply.content))
      const { results } = reply.structuredContent as HybridAnswer
      const [best] = results
      if (best === undefined) continue
      const answer = toExampleText(call.arguments, results)
      if (HIGHLIGHT.test(best.snippet ?? '')) return answer
      fallback ??= answer
    }
    return fallback
  } finally {
    await client.close()
  }
}

/** The question, and the title, the passage and the place of its best row, each on a line. */
function toExampleText(question: object, rows: HybridAnswer['results']): string {
  const [best] = rows
  if (best === undefined) return ''
  const { type, title, url, snippet, doc_path: page, file_path: file, files = [] } = best
  const passage = snippet === undefined ? [] : [`    ${snippet.replace(/\s+/g, ' ')}`]
  const place = url ?? page ?? file ?? files[0]?.path
  const more = rows.length > 1 ? `, the best of ${rows.length}` : ''
  const lines = [`  ${title ?? type}`, ...passage, `    ${[type, place].filter(Boolean).join(', ')}${more}`]
  return [`Example: search ${JSON.stringify(question)}`, ...lines].join('\n')
}
