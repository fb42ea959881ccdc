/**
 * `npm start`: takes the data folder, serves the built Worker on loopback, and
 * then indexes checkouts in the background. Ctrl-C, SIGTERM and SIGHUP end it in
 * order. A failure with one checkout never ends the serving.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { REPOSITORY_NAME } from '../../../src/base/repository-name.ts'
import { ok, refuse, type Result } from '../../../src/base/result.ts'
import { listConnections } from '../../../src/contracts/connect.ts'
import { dataFolder, typedPath } from '../local/data-folder.ts'
import type { EmbeddedWorker } from '../local/embedded-worker.ts'
import { DEFAULT_PORT } from '../local/find-target.ts'
import { claimFolder } from '../local/ownership.ts'
import { EXIT, parseWholeFlag, runCommand, wrongFlag, type CliCommand, type ExitCode } from './terminal/command.ts'
import { progressMeter, type Meter } from './terminal/progress-meter.ts'
import { DATA_FLAG } from './terminal/server-flags.ts'
import { githubSettings } from './start/github-settings.ts'
import { serveWorker, type Serving } from './start/serve-worker.ts'

const MAINTENANCE_EVERY_MS = 60_000
/** How long the end of the command waits for a page that is being sent. */
const LAST_PAGE_MS = 2_000

const FLAGS = {
  ...DATA_FLAG,
  port: {
    type: 'string',
    value: 'N',
    default: String(DEFAULT_PORT),
    help: 'the port to listen on; 0 takes any free one',
  },
  repo: {
    type: 'string',
    value: 'PATH',
    multiple: true,
    help: 'a checkout to index; may be given more than once (default: the current folder)',
  },
  github: {
    type: 'string',
    value: 'OWNER/NAME',
    multiple: true,
    help: 'a repository on GitHub to read, or several with commas between; may be given more than once',
  },
  'no-index': { type: 'boolean', help: 'serve the index as it is, and read nothing' },
} as const

interface StartOptions {
  /** The data folder, absolute. */
  readonly folder: string
  readonly port: number
  /** Folders of the checkouts to index, absolute. */
  readonly checkouts: readonly string[]
  /** Repositories on GitHub, `owner/name`, beside those of GITHUB_REPOSITORIES. */
  readonly repositories: readonly string[]
  /** Nothing is read but by the admin routes. */
  readonly readsNothing: boolean
}

export const START: CliCommand<typeof FLAGS, StartOptions> = {
  name: 'start',
  about:
    "Serves this machine's index and conversations over MCP on 127.0.0.1, and keeps the index filled from git. Ctrl-C ends it.",
  flags: FLAGS,
  notes: [
    'ALLOWED_ORIGINS and the settings EMBEDDER_*, RERANKER_* and GITHUB_* of the environment reach the server.',
    'GitHub is read with GITHUB_TOKEN, else with the token of the GitHub CLI (gh auth login), else without one: public repositories only, 60 requests an hour.',
  ],

  parse(values) {
    const port = parseWholeFlag('port', values.port, 0, 65_535)
    if (!port.ok) return port
    const repositories = parseRepositories(values.github)
    if (!repositories.ok) return repositories
    const readsNothing = values['no-index']
    const named = values.repo.map((path) => typedPath(path))
    const checkouts = named.length > 0 || repositories.value.length > 0 ? named : [process.cwd()]
    return ok({
      folder: dataFolder(values.data),
      port: port.value,
      checkouts: readsNothing ? [] : checkouts,
      repositories: repositories.value,
      readsNothing,
    })
  },

  async run(options) {
    try {
      return await start(options)
    } finally {
      // Sockets and timers of the runtime that are still open would keep the process alive. The exit code is set first.
      setImmediate(() => process.exit())
    }
  },
}

/** The names in the values of `--github`. */
function parseRepositories(values: readonly string[]): Result<readonly string[]> {
  const names = values.flatMap((value) => value.split(',')).map((name) => name.trim())
  const wrong = names.find((name) => !REPOSITORY_NAME.test(name))
  if (wrong !== undefined) return refuse(wrongFlag('github', `${JSON.stringify(wrong)} is not owner/name`))
  return ok(names)
}

async function start({ folder, port, checkouts, repositories, readsNothing }: StartOptions): Promise<Result<ExitCode>> {
  const stop = stopOnSignals()
  // Before it serves there is nothing to end in order; the lock goes with the process.
  const leave = (): never => process.exit()
  stop.signal.addEventListener('abort', leave)
  const meter = progressMeter()
  const owner = await claimFolder(folder, meter.say)
  if (!owner.ok) return owner
  process.once('exit', owner.value.release)
  const github = await githubSettings(repositories, process.env)
  const environment = { ...process.env, ...github.settings }
  const serving = await serveWorker({ folder, port, environment, owner: owner.value, meter, stop })
  stop.signal.removeEventListener('abort', leave)
  if (!serving.ok) return serving
  const { worker } = serving.value
  console.log(`Kotodama serves at ${worker.origin}/mcp\n\n${toConnectText(`${worker.origin}/mcp`)}\n`)
  console.log('Ctrl-C ends it.\n')
  const reading = readsNothing ? [] : github.repositories
  const background = { checkouts, repositories: reading, owner: github.owner, adminToken: owner.value.secret, meter }
  await runUntil(stop.signal, serving.value, background)
  await worker.dispose()
  return ok(serving.value.hasFailed() ? EXIT.failed : EXIT.done)
}

/** How to connect each MCP client, as lines to paste. */
export function toConnectText(endpoint: string): string {
  return listConnections(endpoint)
    .map(({ client, place, paste }) => {
      const text = typeof paste === 'string' ? paste : JSON.stringify(paste)
      return `${client}. ${place}:\n  ${text}`
    })
    .join('\n\n')
}

interface Background {
  readonly checkouts: readonly string[]
  /** On GitHub. */
  readonly repositories: readonly string[]
  /** Whose requests to GitHub these are, in words. */
  readonly owner: string
  readonly adminToken: string
  readonly meter: Meter
}

/** Runs maintenance and indexing until the signal aborts. */
async function runUntil(signal: AbortSignal, serving: Serving, background: Background): Promise<void> {
  const stopMaintenance = keepMaintained(serving.worker, background.meter)
  const indexing = indexInBackground(signal, serving, background)
  await new Promise<void>((done) => signal.addEventListener('abort', () => done(), { once: true }))
  stopMaintenance()
  // The next start sends a page again that is not stored by then.
  await Promise.race([indexing, sleep(LAST_PAGE_MS)])
}

/** The parts are loaded late, so that they do not delay the serving. */
async function indexInBackground(signal: AbortSignal, serving: Serving, background: Background): Promise<void> {
  const { checkouts, repositories, owner, adminToken, meter } = background
  const { worker, watchDisk } = serving
  const { origin } = worker
  if (checkouts.length + repositories.length === 0) return
  const { exampleOnce } = await import('./start/example-question.ts')
  const example = exampleOnce(`${origin}/mcp`, [...checkouts, ...repositories], meter.say)
  const common = { origin, adminToken, meter, example, signal }
  const readings: Promise<void>[] = []
  if (checkouts.length > 0) {
    const { indexCheckouts } = await import('./start/index-checkouts.ts')
    readings.push(indexCheckouts({ ...common, checkouts, watchDisk }))
  }
  if (repositories.length > 0) {
    const { keepGitHubRead } = await import('./start/keep-github-read.ts')
    readings.push(keepGitHubRead({ ...common, repositories, owner }))
  }
  await Promise.all(readings)
}

/** One maintenance run now and one every minute. A failure is printed once, until a run succeeds. */
function keepMaintained(worker: EmbeddedWorker, meter: Meter): () => void {
  let printed: string | undefined
  const tick = async (): Promise<void> => {
    const ran = await worker.runMaintenance()
    const problem = ran.ok ? undefined : `Maintenance failed: ${ran.failure.message}`
    if (problem !== undefined && problem !== printed) meter.say(problem)
    printed = problem
  }
  void tick()
  const timer = setInterval(tick, MAINTENANCE_EVERY_MS)
  return () => clearInterval(timer)
}

function stopOnSignals(): AbortController {
  const stop = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stop.abort())
  return stop
}

if (import.meta.main) await runCommand(START)
