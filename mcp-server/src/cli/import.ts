/**
 * `npm run import`: reads a git checkout, or a file of documents, into a running
 * server. Progress goes to stderr, the summary to stdout. Exit code 0 when all
 * is in (or --max-commits stopped it), 1 on failure, 2 on bad arguments, 130
 * when interrupted. The admin token is never printed.
 */
import { parseArgs } from 'node:util'
import type { Failure } from '../../../src/base/failure.ts'
import { dataFolder } from '../local/data-folder.ts'
import { findTarget, urlProblem, type Target } from '../local/find-target.ts'
import { importDocumentsFile } from '../import/documents-file.ts'
import { checkOptions, importCheckout } from '../import/import-checkout.ts'
import type { Counts, ImportOptions, Summary } from '../import/import-options.ts'
import { toProgressText } from './progress.ts'
import { typedPath } from '../local/typed-path.ts'

const HELP = `Reads a git checkout into the index of a running server (npm start).

  npm run import -- [--path DIR] [--repo owner/name] [--wiki DIR]
  npm run import -- --documents FILE

What is read
  --path DIR         a git checkout, or a folder without history   (default: .)
  --repo OWNER/NAME  file it under this name         (default: that of the origin
                     remote, else local/<folder>)
  --wiki DIR         a checkout of the project's wiki as well
  --since DATE       only commits from this date on, by committer date
  --max-commits N    stop after N commits; the next run goes on from there
  --all-files        diffs of lock files, vendored, minified, generated and
                     binary files too
  --documents FILE   instead of a checkout: documents, one JSON object a line

Where it goes
  --url URL          the server    (default: the one running on the data folder,
                     else http://127.0.0.1:8787)
  --data DIR         the data folder with the server's lock.json
                                   (default: {data})
  --help             this text

The admin token is KOTODAMA_ADMIN_TOKEN, else the one in lock.json.`

const OPTIONS = {
  path: { type: 'string' },
  repo: { type: 'string' },
  wiki: { type: 'string' },
  since: { type: 'string' },
  'max-commits': { type: 'string' },
  'all-files': { type: 'boolean' },
  documents: { type: 'string' },
  url: { type: 'string' },
  data: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

const OF_A_CHECKOUT = ['path', 'repo', 'wiki', 'since', 'max-commits', 'all-files'] as const

type Values = ReturnType<typeof readArguments>

function readArguments(args: readonly string[]) {
  return parseArgs({ args: [...args], options: OPTIONS, strict: true, allowPositionals: false }).values
}

async function main(args: readonly string[]): Promise<number> {
  let values: Values
  try {
    values = readArguments(args)
  } catch (error) {
    return refuseArguments((error as Error).message)
  }
  if (values.help === true) {
    console.log(HELP.replace('{data}', dataFolder()))
    return 0
  }
  const wrong = OF_A_CHECKOUT.find((name) => values.documents !== undefined && values[name] !== undefined)
  if (wrong !== undefined) return refuseArguments(`--documents is read without --${wrong}`)
  const maxCommits = values['max-commits']
  if (maxCommits !== undefined && !/^\d{1,9}$/.test(maxCommits)) {
    return refuseArguments(`--max-commits takes a whole number, not ${JSON.stringify(maxCommits)}`)
  }
  const problem = urlProblem(values.url)
  if (problem !== undefined) return refuseArguments(problem)
  const checked = checkOptions(limitsOf(values))
  if (!checked.ok) return refuseArguments(`--${checked.failure.message}`)
  return run(values)
}

/** What is asked of the import besides where it reads. */
function limitsOf(values: Values): Pick<ImportOptions, 'repo' | 'since' | 'maxCommits' | 'allFiles'> {
  return {
    ...(values.repo === undefined ? {} : { repo: values.repo }),
    ...(values.since === undefined ? {} : { since: values.since }),
    ...(values['max-commits'] === undefined ? {} : { maxCommits: Number(values['max-commits']) }),
    ...(values['all-files'] === undefined ? {} : { allFiles: values['all-files'] }),
  }
}

async function run(values: Values): Promise<number> {
  const found = findTarget(dataFolder(values.data), values.url)
  if (!found.ok) return refuse(found.failure)
  const interrupted = new AbortController()
  // A second Ctrl-C ends the process at once: what is posted is in, the rest is read again.
  process.once('SIGINT', () => interrupted.abort())
  process.once('SIGTERM', () => interrupted.abort())
  const target = { ...found.value, signal: interrupted.signal }
  return values.documents === undefined ? runCheckout(values, target) : runFile(values.documents, target)
}

interface AbortableTarget extends Target {
  readonly signal: AbortSignal
}

async function runCheckout(values: Values, target: AbortableTarget): Promise<number> {
  const meter = progressMeter()
  const summary = await importCheckout({
    ...target,
    path: typedPath(values.path ?? '.'),
    ...(values.wiki === undefined ? {} : { wiki: typedPath(values.wiki) }),
    ...limitsOf(values),
    onProgress: (progress) => meter.show(toProgressText(progress)),
  })
  meter.end()
  for (const line of toSummaryLines(summary)) console.log(line)
  if (summary.failure !== undefined) return refuse(summary.failure)
  return summary.outcome === 'aborted' ? 130 : 0
}

async function runFile(file: string, target: AbortableTarget): Promise<number> {
  const meter = progressMeter()
  const summary = await importDocumentsFile({
    ...target,
    file: typedPath(file),
    onLines: (lines) => meter.show(`${lines} lines`),
  })
  meter.end()
  console.log(`${file}: ${summary.lines} lines in ${summary.pages} pages: ${toCountsText(summary.counts)}`)
  if (summary.aborted) console.log('Interrupted; the pages above are in.')
  const { failure } = summary
  if (failure === undefined) return summary.aborted ? 130 : 0
  const where = failure.line === undefined ? '' : `${file}:${failure.line}: `
  const kept = failure.line === undefined ? [] : ['Its page was refused whole; the pages before it are in.']
  return refuse({ ...failure, message: `${where}${failure.message}` }, kept)
}

function toSummaryLines(summary: Summary): string[] {
  const { repo, outcome, counts, commits, done, total, elapsedMs, notes, pages } = summary
  if (repo === undefined) return []
  const ended = {
    unchanged: 'nothing new',
    complete: total === 0 ? 'nothing to read' : 'all is in',
    partial: `stopped by --max-commits at ${done} of ${total}; run it again to go on`,
    aborted: `interrupted at ${done} of ${total}; run it again to go on`,
    failed: pages === 0 ? 'failed before anything was posted' : `failed at ${done} of ${total}; what was posted is in`,
  }[outcome]
  const seconds = (elapsedMs / 1000).toFixed(1)
  return [`${repo}: ${ended}`, `${toCountsText(counts)}, ${commits} commits, ${seconds} s`, ...notes]
}

function toCountsText({ written, unchanged, stale, removed }: Counts): string {
  const older = stale > 0 ? `, ${stale} older than the index` : ''
  return `${written} written, ${unchanged} unchanged, ${removed} removed${older}`
}

function refuse({ message, hint }: Failure, more: readonly string[] = []): number {
  for (const line of [message, ...more, ...(hint === undefined ? [] : [hint])]) console.error(line)
  return 1
}

function refuseArguments(problem: string): number {
  console.error(`${problem}\nnpm run import -- --help shows what there is.`)
  return 2
}

/** One line rewritten in place on a terminal, else a line every few seconds. */
function progressMeter(): { show(line: string): void; end(): void } {
  const terminal = process.stderr.isTTY
  const everyMs = terminal ? 100 : 5_000
  let shownAt = terminal ? 0 : performance.now()
  return {
    show(line) {
      if (performance.now() - shownAt < everyMs) return
      shownAt = performance.now()
      process.stderr.write(terminal ? `\r\x1b[K${line.slice(0, (process.stderr.columns ?? 80) - 1)}` : `${line}\n`)
    },
    end() {
      if (terminal) process.stderr.write('\r\x1b[K')
    },
  }
}

process.exitCode = await main(process.argv.slice(2))
