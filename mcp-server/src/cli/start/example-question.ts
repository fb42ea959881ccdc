/**
 * Prints one question and its answer, sent over MCP as a host would send it, so
 * that a new user sees that the server answers and in which form.
 */
import type { HybridAnswer } from '../../../../src/contracts/tools/search-answers.ts'
import { VERSION } from '../../../../src/contracts/version.ts'

const CALL_MS = 15_000
const HIGHLIGHT = /\*\*[^*]+\*\*/

/** Something whose rows come in: a checkout, or a repository on GitHub. */
export interface ExampleSource {
  /** Different for each source. */
  readonly key: string
  /** Its name in the index. */
  readonly repo: string
  /** Questions to try in this order, until the best row shows words of one. */
  listQuestions(): Promise<readonly string[]>
}

export interface Example {
  /** Asks about the source. `isLast`: no more rows follow, so a failure is printed. */
  rowsCameIn(source: ExampleSource, isLast: boolean): void
  /** All of this source was read, and the index has no row of it. */
  hasNoRows(key: string): void
}

/** Prints one example answer, as soon as the index can give one. Prints that there is none when no source has rows. */
export function exampleOnce(endpoint: string, keys: readonly string[], say: (lines: string) => void): Example {
  let printed = false
  const empty = new Set<string>()
  let running: Promise<void> | undefined
  const ask = async ({ repo, listQuestions }: ExampleSource, isLast: boolean): Promise<void> => {
    if (printed) return
    try {
      const questions = await listQuestions()
      const answer = await askExample(endpoint, repo, questions.length === 0 ? ['readme'] : questions)
      if (answer !== undefined) say(`\n${answer}\n`)
      printed = answer !== undefined
    } catch (error) {
      if (isLast) say(`The example question failed: ${(error as Error).message}`)
    }
  }
  return {
    rowsCameIn: (source, isLast) => {
      // While rows still come in, one question at a time is enough. The last one is always sent.
      if (printed || (running !== undefined && !isLast)) return
      const before = running ?? Promise.resolve()
      const now = before.then(() => ask(source, isLast))
      running = now
      void now.finally(() => {
        if (running === now) running = undefined
      })
    },
    hasNoRows: (key) => {
      if (empty.has(key)) return
      empty.add(key)
      const all = keys.every((one) => empty.has(one))
      if (all) say('Nothing is indexed yet, so there is no example answer to show.')
    },
  }
}

/** Calls `search` once, as a host would. Rejects when the call fails. */
export async function callSearch<Answer>(endpoint: string, args: Readonly<Record<string, unknown>>): Promise<Answer> {
  // Loaded late, so that it does not delay the serving.
  const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
  const client = new Client({ name: 'kotodama-start', version: VERSION })
  try {
    await client.connect(new StreamableHTTPClientTransport(new URL(endpoint)), { timeout: CALL_MS })
    const reply = await client.callTool({ name: 'search', arguments: { ...args } }, { timeout: CALL_MS })
    if (reply.isError === true) throw new Error(JSON.stringify(reply.content))
    return reply.structuredContent as Answer
  } finally {
    await client.close()
  }
}

/**
 * A question and its answer, ready to print: the first one whose best row shows
 * words of the question, else the first one with a row. Undefined while no
 * question finds a row. Rejects when a call fails.
 */
async function askExample(endpoint: string, repo: string, queries: readonly string[]): Promise<string | undefined> {
  let fallback: string | undefined
  for (const query of queries) {
    const question = { query, repo }
    const { results } = await callSearch<HybridAnswer>(endpoint, question)
    const [best] = results
    if (best === undefined) continue
    const answer = toExampleText(question, results)
    if (HIGHLIGHT.test(best.snippet ?? '')) return answer
    fallback ??= answer
  }
  return fallback
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
