/**
 * `npm run bench:memory-quality -- [--data FILE]... [--everywhere] [--detail full]`: how many of
 * the messages that answer a question `search_messages` finds, beside plain FTS5.
 * Each set of conversations, the repository's own unless files are named, is
 * written with `write_message` into a store of its own, through the real tool in
 * workerd; then its questions are searched, each in its session if it names one,
 * or with `--everywhere` over all sessions. For each wording and kind of question
 * the table shows, among the first ten results, the share of the sessions and of the
 * messages (turns) that answer, ours and that of plain FTS5, the reciprocal rank of
 * the first answer, the time at the tool, the characters of an answer, and those up to
 * the end of the first answering message where one was found. The settings of an
 * embedder in the environment reach the store.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureBundle } from '../../mcp-server/src/local/bundle.ts'
import { startEmbeddedWorker, type EmbeddedWorker } from '../../mcp-server/src/local/embedded-worker.ts'
import { settingsOf } from '../../mcp-server/src/local/worker-settings.ts'
import { fileSet, OWN_SETS, type NamedSet } from './conversations.ts'
import { median, quantile, table } from './figures.ts'
import { shareOfSessions, type ConversationSet, type EvidenceQuestion } from './memory/conversation-set.ts'
import { PlainFts } from './plain-fts.ts'
import { mean, qualityOf } from './quality.ts'
import { callTool } from './tool-client.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const HEADER = [
  'set',
  'wording',
  'kind',
  'questions',
  'sessions',
  'plain',
  'turns',
  'plain',
  'MRR',
  'plain',
  'ms p50',
  'chars p50',
  'chars p95',
  'to evidence p50',
  'to evidence p95',
]

/** Time in ms between two looks at a store, and how many in a row must show the same size. */
const LOOK_MS = 500
const SAME_LOOKS = 4

/** Results that count. */
const DEPTH = 10

interface Measured {
  readonly wording: string
  readonly kind: string
  readonly ours: Found
  readonly plain: Found
  readonly ms: number
  /** UTF-16 units of the answer's JSON, and of the part up to the first evidence; the latter is undefined when none was found. */
  readonly chars: number
  readonly charsToEvidence: number | undefined
}

/** How much of the evidence is among the first ten messages of an answer. */
interface Found {
  /** Share of the sessions. */
  readonly sessions: number
  /** Share of the messages. */
  readonly turns: number
  readonly reciprocalRank: number
}

const { values } = parseArgs({
  options: {
    data: { type: 'string', multiple: true },
    everywhere: { type: 'boolean', default: false },
    detail: { type: 'string', default: 'compact' },
  },
})
const rows: (string | number)[][] = []
for (const one of values.data?.map(fileSet) ?? OWN_SETS) rows.push(...(await benchSet(one)))
console.log(table(HEADER, rows))

async function benchSet({ name, read }: NamedSet): Promise<(string | number)[][]> {
  const set = read()
  const plain = new PlainFts()
  for (const { id, session, text } of set.messages) plain.add([id], text, session)
  const sessionOf = new Map(set.messages.map(({ id, session }) => [id, session]))
  const state = mkdtempSync(join(tmpdir(), 'kotodama-bench-'))
  const worker = await startProduct(state)
  try {
    const endpoint = `${worker.origin}/mcp/memory`
    const ids = await writeAll(endpoint, set)
    await allEmbedded(endpoint)
    const measured: Measured[] = []
    for (const { session, ...question } of set.questions) {
      const one = { ...question, ...(session !== undefined && !values.everywhere && { session }) }
      const { found, ...read } = await ask(endpoint, ids, one)
      measured.push({
        wording: one.wording ?? '',
        kind: one.kind,
        ours: measure(found, one.evidence, sessionOf),
        plain: measure(plain.find(one.text, DEPTH, one.session).flat(), one.evidence, sessionOf),
        ...read,
      })
    }
    const wordings = [...Map.groupBy(measured, ({ wording }) => wording)]
    const ofAll = wordings.length > 1 ? [[name, 'all', 'all', ...figures(measured)]] : []
    return [
      ...ofAll,
      ...wordings.flatMap(([wording, alike]) =>
        byKind(alike).map(([kind, some]) => [name, wording, kind, ...figures(some)]),
      ),
    ]
  } finally {
    plain.close()
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
    bindings: { AUTH_MODE: 'local', ...settingsOf(process.env) },
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

/** Resolves when the index, which contains the vectors of messages, grows no more. */
async function allEmbedded(endpoint: string): Promise<void> {
  for (let [size, same] = [-1, 0]; same < SAME_LOOKS;) {
    const { snapshot_size: now } = (await callTool(endpoint, 'get_system_health', {})) as { snapshot_size: number }
    same = now === size ? same + 1 : 0
    size = now
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
  }
}

async function ask(
  endpoint: string,
  ids: ReadonlyMap<string, string>,
  { text, session, evidence }: EvidenceQuestion,
): Promise<{ found: string[] } & Pick<Measured, 'ms' | 'chars' | 'charsToEvidence'>> {
  const filters = session === undefined ? {} : { session_id: session }
  const start = performance.now()
  const { detail } = values
  const answer = await callTool(endpoint, 'search_messages', { query: text, limit: DEPTH, detail, ...filters })
  const ms = performance.now() - start
  const { results } = answer as { results: readonly { readonly message_id: string }[] }
  const found = results.map(({ message_id }) => ids.get(message_id) ?? '')
  const first = found.findIndex((id) => evidence.has(id))
  const charsToEvidence = first < 0 ? undefined : charsOf({ results: results.slice(0, first + 1) })
  return { found, ms, chars: charsOf(answer), charsToEvidence }
}

/** The tool's text is the JSON of its answer, so the length of the JSON is what a model reads. */
function charsOf(answer: unknown): number {
  return JSON.stringify(answer).length
}

function measure(
  found: readonly string[],
  evidence: ReadonlySet<string>,
  sessionOf: ReadonlyMap<string, string>,
): Found {
  const { reciprocalRank } = qualityOf(
    found.map((id) => [id]),
    evidence,
  )
  return {
    sessions: shareOfSessions(evidence, found, sessionOf),
    turns: found.filter((id) => evidence.has(id)).length / evidence.size,
    reciprocalRank,
  }
}

function figures(measured: readonly Measured[]): (string | number)[] {
  const both = (figure: (found: Found) => number, print: (value: number) => string) =>
    [measured.map(({ ours }) => ours), measured.map(({ plain }) => plain)].map((some) => print(mean(some.map(figure))))
  const percent = (value: number): string => (100 * value).toFixed(1)
  const toEvidence = measured.flatMap(({ charsToEvidence }) => charsToEvidence ?? [])
  const read = [measured.map(({ chars }) => chars), toEvidence].flatMap((chars) =>
    [median(chars), quantile(chars, 0.95)].map((count) => (Number.isNaN(count) ? '-' : count)),
  )
  return [
    measured.length,
    ...both(({ sessions }) => sessions, percent),
    ...both(({ turns }) => turns, percent),
    ...both(
      ({ reciprocalRank }) => reciprocalRank,
      (value) => value.toFixed(3),
    ),
    median(measured.map(({ ms }) => ms)).toFixed(1),
    ...read,
  ]
}
