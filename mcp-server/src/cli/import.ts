/**
 * `npm run import`: reads a git checkout, or a file of documents, into a running
 * server. Progress goes to stderr, the result to stdout. Ctrl-C ends it between
 * two pages; a second one ends it at once.
 */
import { ok, refuse, type Result } from '../../../src/base/result.ts'
import { importDocumentsFile } from '../import/documents-file.ts'
import { importCheckout } from '../import/import-checkout.ts'
import { checkScope, type ImportProgress, type ImportScope } from '../import/import-options.ts'
import { typedPath } from '../local/data-folder.ts'
import { findTarget, type ServerChoice, type Target } from '../local/find-target.ts'
import {
  EXIT,
  parseWholeFlag,
  runCommand,
  wrongFlag,
  type CliCommand,
  type ExitCode,
  type FlagValues,
} from './terminal/command.ts'
import { toCountsText, toProgressText, toSummaryLines } from './terminal/import-texts.ts'
import { progressMeter } from './terminal/progress-meter.ts'
import { parseServerFlags, SERVER_FLAGS, TOKEN_NOTE } from './terminal/server-flags.ts'

const FLAGS = {
  path: { type: 'string', value: 'DIR', help: 'a git checkout, or a folder without history (default: .)' },
  repo: {
    type: 'string',
    value: 'OWNER/NAME',
    help: 'the name to store it under (default: that of the origin remote, else local/<folder>)',
  },
  wiki: { type: 'string', value: 'DIR', help: "a checkout of the project's wiki, in addition" },
  since: { type: 'string', value: 'DATE', help: 'only commits from this date on, by committer date' },
  'max-commits': { type: 'string', value: 'N', help: 'stop after N commits; the next run continues there' },
  'all-files': {
    type: 'boolean',
    help: 'include the diffs of lock files, vendored, minified, generated and binary files',
  },
  documents: { type: 'string', value: 'FILE', help: 'instead of a checkout: documents, one JSON object a line' },
  ...SERVER_FLAGS,
} as const

type Values = FlagValues<typeof FLAGS>

/** Flags that make no sense beside --documents. */
const CHECKOUT_FLAGS = ['path', 'repo', 'wiki', 'since', 'max-commits', 'all-files'] as const

type ImportCall = { readonly server: ServerChoice } & (
  | { readonly documents: string }
  | { readonly path: string; readonly wiki: string | undefined; readonly scope: ImportScope }
)

export const IMPORT: CliCommand<typeof FLAGS, ImportCall> = {
  name: 'import',
  about: 'Reads a git checkout, or a file of documents, into the index of a running server.',
  flags: FLAGS,
  notes: ['Ctrl-C ends it between two pages, with exit code 130; the next run continues.', TOKEN_NOTE],

  parse(values) {
    const server = parseServerFlags(values)
    if (!server.ok) return server
    if (values.documents !== undefined) {
      const wrong = CHECKOUT_FLAGS.find((name) => values[name] !== undefined && values[name] !== false)
      if (wrong !== undefined) return refuse(wrongFlag('documents', `cannot be combined with --${wrong}`))
      return ok({ server: server.value, documents: values.documents })
    }
    const scope = parseScope(values)
    if (!scope.ok) return scope
    return ok({ server: server.value, path: values.path ?? '.', wiki: values.wiki, scope: scope.value })
  },

  async run(call) {
    const target = findTarget(call.server)
    if (!target.ok) return target
    const interrupted = new AbortController()
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interrupted.abort())
    const destination = { ...target.value, signal: interrupted.signal }
    if ('documents' in call) return importFile(call.documents, destination)
    const paths = { path: typedPath(call.path), ...(call.wiki === undefined ? {} : { wiki: typedPath(call.wiki) }) }
    return importFolder({ ...paths, ...call.scope }, destination)
  },
}

function parseScope(values: Values): Result<ImportScope> {
  const { repo, since, 'max-commits': commits, 'all-files': allFiles } = values
  const maxCommits = commits === undefined ? undefined : parseWholeFlag('max-commits', commits, 0)
  if (maxCommits?.ok === false) return maxCommits
  const scope: ImportScope = {
    ...(repo === undefined ? {} : { repo }),
    ...(since === undefined ? {} : { since }),
    ...(maxCommits === undefined ? {} : { maxCommits: maxCommits.value }),
    allFiles,
  }
  const checked = checkScope(scope)
  if (checked.ok) return ok(scope)
  return refuse({ ...checked.failure, message: `--${checked.failure.message}` })
}

interface Destination extends Target {
  readonly signal: AbortSignal
}

async function importFolder(
  source: ImportScope & { readonly path: string; readonly wiki?: string },
  destination: Destination,
): Promise<Result<ExitCode>> {
  const meter = progressMeter()
  const onProgress = (progress: ImportProgress): void => meter.show(toProgressText(progress))
  const summary = await importCheckout({ ...destination, ...source, onProgress })
  meter.end()
  for (const line of toSummaryLines(summary)) console.log(line)
  if (summary.failure !== undefined) return refuse(summary.failure)
  return ok(summary.outcome === 'aborted' ? EXIT.interrupted : EXIT.done)
}

async function importFile(typed: string, destination: Destination): Promise<Result<ExitCode>> {
  const meter = progressMeter()
  const onLines = (lines: number): void => meter.show(`${lines} lines`)
  const summary = await importDocumentsFile({ ...destination, file: typedPath(typed), onLines })
  meter.end()
  const { lines, pages, counts, failure } = summary
  console.log(`${typed}: ${lines} lines in ${pages} pages: ${toCountsText(counts)}`)
  if (summary.aborted) console.log('Interrupted; the pages above are stored.')
  if (failure === undefined) return ok(summary.aborted ? EXIT.interrupted : EXIT.done)
  if (failure.line === undefined) return refuse(failure)
  const message = `${typed}:${failure.line}: ${failure.message}`
  const kept = 'The page of this line was refused as a whole; the pages before it are stored.'
  return refuse({ ...failure, message, hint: failure.hint === undefined ? kept : `${kept}\n${failure.hint}` })
}

if (import.meta.main) await runCommand(IMPORT)
