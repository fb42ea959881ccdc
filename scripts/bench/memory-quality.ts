/**
 * `npm run bench:memory-quality -- [--data FILE]... [--everywhere] [--detail full]`:
 * how many of the messages that answer a question `search_messages` finds. Each set of conversations, the
 * repository's own two unless files are named, is written with `write_message`
 * into a store of its own, through the real tool in workerd; then its questions
 * are searched, each in its session, or with `--everywhere` over all sessions. The
 * table shows the share of the answering messages among the first ten, the
 * reciprocal rank of the first, the time at the tool, the characters of an answer,
 * and those up to the end of the first answering message where one was found, for
 * each wording and kind of question.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureBundle } from '../../mcp-server/src/local/bundle.ts'
import { startEmbeddedWorker, type EmbeddedWorker } from '../../mcp-server/src/local/embedded-worker.ts'
import { OWN_SETS, readConversations, type ConversationSet, type EvidenceQuestion } from './conversations.ts'
import { median, quantile, table } from './figures.ts'
import { mean, qualityOf } from './quality.ts'
import { callTool } from './tool-client.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const HEADER = [
  'set',
  'wording',
  'kind',
  'questions',
  'found of evidence',
  'MRR',
  'ms p50',
  'chars p50',
  'chars p95',
  'to evidence p50',
  'to evidence p95',
]

/** Results that count. */
const DEPTH = 10

interface Measured {
  readonly wording: string
  readonly kind: string
  /** Share of the evidence among the results. */
  readonly share: number
  readonly reciprocalRank: number
  readonly ms: number
  /** UTF-16 units of the answer's JSON, and of the part up to the first evidence; the latter is undefined when none was found. */
  readonly chars: number
  readonly charsToEvidence: number | undefined
}

const { values } = parseArgs({
  options: {
    data: { type: 'string', multiple: true },
    everywhere: { type: 'boolean', default: false },
    detail: { type: 'string', default: 'compact' },
  },
})
const rows: (string | number)[][] = []
for (const file of values.data ?? OWN_SETS) rows.push(...(await benchSet(file)))
console.log(table(HEADER, rows))

async function benchSet(file: string): Promise<(string | number)[][]> {
  const set = readConversations(file)
  const state = mkdtempSync(join(tmpdir(), 'kotodama-bench-'))
  const worker = await startProduct(state)
  try {
    const endpoint = `${worker.origin}/mcp/memory`
    const ids = await writeAll(endpoint, set)
    const measured: Measured[] = []
    for (const question of set.questions) measured.push(await ask(endpoint, ids, question))
    const name = file.replace(/^.*\//, '').replace(/\.json$/, '')
    return [...Map.groupBy(measured, ({ wording }) => wording)].flatMap(([wording, alike]) =>
      byKind(alike).map(([kind, some]) => [name, wording, kind, ...figures(some)]),
    )
  } finally {
    await worker.dispose()
    rmSync(state, { recursive: true, force: true })
  }
}

/** All of them first, if they are of several kinds. */
function byKind(measured: readonly Measured[]): (readonly [kind: string, some: readonly Measured[]])[] {
  const kinds = [...Map.groupBy(measured, ({ kind }) => kind)]
  return kinds.length > 1 ? [['all', measured], ...kinds] : kinds
}

async function startProduct(state: string): Promise<EmbeddedWorker> {
  const bundle = await ensureBundle(ROOT)
  if (!bundle.ok) throw new Error(bundle.failure.message)
  const started = await startEmbeddedWorker({
    script: bundle.value,
    migrations: join(ROOT, 'migrations'),
    state,
    port: 0,
    bindings: { AUTH_MODE: 'local' },
  })
  if (!started.ok) throw new Error(started.failure.message)
  return started.value
}

/** The set's ids by those the store gave. */
async function writeAll(endpoint: string, { messages }: ConversationSet): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  for (const { id, session, role, text } of messages) {
    const written = await callTool(endpoint, 'write_message', { session_id: session, role, content: text })
    ids.set((written as { message: { message_id: string } }).message.message_id, id)
  }
  return ids
}

async function ask(endpoint: string, ids: ReadonlyMap<string, string>, question: EvidenceQuestion): Promise<Measured> {
  const { text, wording = '', kind, session, evidence } = question
  const filters = session !== undefined && !values.everywhere ? { session_id: session } : {}
  const start = performance.now()
  const { detail } = values
  const answer = await callTool(endpoint, 'search_messages', { query: text, limit: DEPTH, detail, ...filters })
  const ms = performance.now() - start
  const { results } = answer as { results: readonly { readonly message_id: string }[] }
  const found = results.map(({ message_id }) => ids.get(message_id) ?? '')
  const { reciprocalRank } = qualityOf(
    found.map((id) => [id]),
    evidence,
  )
  const first = found.findIndex((id) => evidence.has(id))
  const share = found.filter((id) => evidence.has(id)).length / evidence.size
  return {
    wording,
    kind,
    share,
    reciprocalRank,
    ms,
    chars: charsOf(answer),
    charsToEvidence: first < 0 ? undefined : charsOf({ results: results.slice(0, first + 1) }),
  }
}

/** The tool's text is the JSON of its answer, so the length of the JSON is what a model reads. */
function charsOf(answer: unknown): number {
  return JSON.stringify(answer).length
}

function figures(measured: readonly Measured[]): (string | number)[] {
  const percent = (100 * mean(measured.map(({ share }) => share))).toFixed(1)
  const reciprocal = mean(measured.map(({ reciprocalRank }) => reciprocalRank)).toFixed(3)
  const ms = median(measured.map((one) => one.ms)).toFixed(1)
  const toEvidence = measured.flatMap(({ charsToEvidence }) => charsToEvidence ?? [])
  const read = [measured.map(({ chars }) => chars), toEvidence].flatMap((chars) =>
    [median(chars), quantile(chars, 0.95)].map((count) => (Number.isNaN(count) ? '-' : count)),
  )
  return [measured.length, `${percent} %`, reciprocal, ms, ...read]
}
