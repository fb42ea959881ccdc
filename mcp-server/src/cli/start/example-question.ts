/**
 * One real question and its real answer, asked over MCP as a host would ask it,
 * so that a newcomer sees that the server answers and what answers look like.
 */
import type { HybridAnswer } from '../../../../src/contracts/tools/search-answers.ts'
import { VERSION } from '../../../../src/contracts/version.ts'
import { listNewestSubjects } from './checkout-head.ts'

const ASK_MS = 15_000
/** Commits whose subjects are asked, until the best row shows words of the question. */
const ASKED_COMMITS = 3
const MARK = /\*\*[^*]+\*\*/

export interface Example {
  /** Asks about the checkout at `path`, filed as `repo`. `atLast`: no more rows are coming, so a failure is told. */
  rowsCameIn(path: string, repo: string, atLast: boolean): void
  /** The reading of `path` ended and nothing of it is in the index. */
  hasNoRows(path: string): void
}

/** Prints one example answer as soon as the index can give one, and never a second; when none of `paths` has rows, that. */
export function exampleOnce(endpoint: string, paths: readonly string[], say: (lines: string) => void): Example {
  let printed = false
  const empty = new Set<string>()
  let asking: Promise<void> | undefined
  const ask = async (path: string, repo: string, atLast: boolean): Promise<void> => {
    if (printed) return
    try {
      const subjects = await listNewestSubjects(path, ASKED_COMMITS)
      const answer = await askExample(endpoint, repo, subjects.length === 0 ? ['readme'] : subjects)
      if (answer !== undefined) say(`\n${answer}\n`)
      printed = answer !== undefined
    } catch (error) {
      if (atLast) say(`The example question failed: ${(error as Error).message}`)
    }
  }
  return {
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
    hasNoRows: (path) => {
      if (empty.has(path)) return
      empty.add(path)
      const all = paths.every((one) => empty.has(one))
      if (all) say('Nothing is indexed yet, so there is no example answer to show.')
    },
  }
}

/**
 * A question and its answer, ready to print: the first whose best row shows words of the question, else the first
 * with any row. Undefined while the index holds nothing that answers. Rejects when a call fails.
 */
async function askExample(endpoint: string, repo: string, queries: readonly string[]): Promise<string | undefined> {
  // Loaded late, so that it does not hold up the serving.
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
  const client = new Client({ name: 'kotodama-start', version: VERSION })
  try {
    await client.connect(new StreamableHTTPClientTransport(new URL(endpoint)), { timeout: ASK_MS })
    let second: string | undefined
    for (const query of queries) {
      const call = { name: 'search', arguments: { query, repo } }
      const reply = await client.callTool(call, { timeout: ASK_MS })
      if (reply.isError === true) throw new Error(JSON.stringify(reply.content))
      const { results } = reply.structuredContent as HybridAnswer
      const [best] = results
      if (best === undefined) continue
      const answer = toExampleText(call.arguments, results)
      if (MARK.test(best.snippet ?? '')) return answer
      second ??= answer
    }
    return second
  } finally {
    await client.close()
  }
}

/** The question, and of its best row title, passage and place, each on a line. */
export function toExampleText(question: object, rows: HybridAnswer['results']): string {
  const [best] = rows
  if (best === undefined) return ''
  const { type, title, url, snippet } = best
  const passage = snippet === undefined ? [] : [`    ${snippet.replace(/\s+/g, ' ')}`]
  const place = url ?? ('doc_path' in best ? best.doc_path : 'file_path' in best ? best.file_path : undefined)
  const more = rows.length > 1 ? `, the best of ${rows.length}` : ''
  const lines = [`  ${title ?? type}`, ...passage, `    ${[type, place].filter(Boolean).join(', ')}${more}`]
  return [`Asked just now: search ${JSON.stringify(question)}`, ...lines].join('\n')
}
