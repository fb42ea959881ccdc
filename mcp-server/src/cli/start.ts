/**
 * `npm start`: one command from a clone to an answer. Owns the data folder,
 * serves the built Worker on loopback, and only then reads repositories behind
 * it. Ends cleanly on Ctrl-C, SIGTERM or SIGHUP; trouble with a repository never
 * stops the serving.
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Failure } from '../../../src/base/failure.ts'
import { refuse, type Result } from '../../../src/base/result.ts'
import { dataFolder } from '../local/data-folder.ts'
import { importCheckout } from '../import/import-checkout.ts'
import { ensureBundle } from '../local/bundle.ts'
import type { EmbeddedWorker } from '../local/embedded-worker.ts'
import { claimFolder, type Ownership } from '../local/ownership.ts'
import { connectLines } from './start/connect-hint.ts'
import { exampleOnce } from './start/example-question.ts'
import { keepIndexed } from './start/keep-indexed.ts'
import { modelBindings } from './start/model-bindings.ts'
import { parseStartOptions, USAGE, type StartOptions } from './start/start-options.ts'
import { progressLine, summaryLines, type ProgressLine } from './progress.ts'
import { workerLog } from './start/worker-log.ts'
import { typedPath } from '../local/typed-path.ts'

const ROOT = join(import.meta.dirname, '../../..')
const MAINTENANCE_EVERY_MS = 60_000
const LAST_PAGE_MS = 2_000
const SIGNAL_LAG_MS = 300

/** The Worker is told of a full disk as of any failure of its database; only its runtime's log knows. */
const disk = {
  full: new AbortController(),
  fill: (): void => disk.full.abort(),
  /** Aborts when the disk is found to be full from now on, so that nothing is posted in vain. */
  watch: (): AbortSignal => (disk.full = new AbortController()).signal,
}

async function main(): Promise<void> {
  const options = parseStartOptions(process.argv.slice(2))
  if (!options.ok) return complain({ hint: 'npm start -- --help lists the flags.', ...options.failure }, 2)
  if (options.value.help) return void console.log(USAGE)
  const stop = stopOnSignals()
  // Until it serves there is nothing to end in order; the lock goes with the process.
  const leave = (): never => process.exit()
  stop.signal.addEventListener('abort', leave)
  const output = progressLine(process.stderr)
  const folder = dataFolder(options.value.data)
  const owned = await claimFolder(folder, output.say)
  if (!owned.ok) return complain(owned.failure, 1)
  process.once('exit', owned.value.release)
  const served = await serve(folder, options.value.port, owned.value, output, stop)
  stop.signal.removeEventListener('abort', leave)
  if (!served.ok) {
    complain(served.failure, 1)
    return end(served)
  }
  await run(served.value, options.value, owned.value.secret, output, stop.signal)
  await end(served)
}

/** Starts the Worker on the folder and names its endpoint in the lock. */
async function serve(
  folder: string,
  port: number,
  owner: Ownership,
  output: ProgressLine,
  stop: AbortController,
): Promise<Result<EmbeddedWorker>> {
  const bundle = await ensureBundle(ROOT)
  if (!bundle.ok) return bundle
  // Loaded late, as it takes most of a second: --help and a second start have no use for it.
  const { startEmbeddedWorker } = await import('../local/embedded-worker.ts')
  const worker = await startEmbeddedWorker({
    script: bundle.value,
    migrations: join(ROOT, 'migrations'),
    state: join(folder, 'state'),
    port,
    bindings: { AUTH_MODE: 'local', ADMIN_TOKEN: owner.secret, ...modelBindings(process.env) },
    onRuntime: owner.ranRuntime,
    onEnd: () => void endedByItself(output, stop),
    onLog: workerLog(folder, output.say, disk.fill),
  })
  if (!worker.ok || owner.serves(endpointOf(worker.value))) return worker
  await worker.value.dispose()
  return refuse({ code: 'CONFLICT', message: `Another start has taken ${folder} meanwhile.` })
}

/** Ctrl-C reaches the runtime as well as this process, in either order; only without it is this an accident. */
async function endedByItself(output: ProgressLine, stop: AbortController): Promise<void> {
  await sleep(SIGNAL_LAG_MS)
  if (stop.signal.aborted) return
  output.say('The runtime of the Worker ended unexpectedly. Start again; what was indexed is kept.')
  process.exitCode = 1
  stop.abort()
}

/** Prints how to connect, then schedules and indexes until the signal. */
async function run(
  worker: EmbeddedWorker,
  options: StartOptions,
  secret: string,
  output: ProgressLine,
  signal: AbortSignal,
): Promise<void> {
  const endpoint = endpointOf(worker)
  console.log(`Kotodama serves at ${endpoint}\n\n${connectLines(endpoint)}\n`)
  console.log('Ctrl-C ends it.\n')
  const stopSettling = keepSettling(worker, output)
  const paths =
    options.repositories.length === 0 ? [process.cwd()] : options.repositories.map((path) => typedPath(path))
  const indexing = options.index ? index(worker, paths, secret, output, signal) : undefined
  await new Promise<void>((done) => signal.addEventListener('abort', () => done(), { once: true }))
  stopSettling()
  // A page under way may end; one that hangs is repeated by the next start.
  await Promise.race([indexing, sleep(LAST_PAGE_MS)])
}

async function index(
  worker: EmbeddedWorker,
  repositories: readonly string[],
  adminToken: string,
  output: ProgressLine,
  signal: AbortSignal,
): Promise<void> {
  const example = exampleOnce(endpointOf(worker), repositories, output.say)
  let current: string | undefined
  await keepIndexed({
    repositories,
    endpoint: worker.origin,
    adminToken,
    importCheckout: async (import_) => {
      current = import_.path
      const full = disk.watch()
      const summary = await importCheckout({ ...import_, signal: AbortSignal.any([signal, full]) })
      if (!full.aborted || signal.aborted || summary.outcome === 'complete') return summary
      return { ...summary, outcome: 'failed', failure: { code: 'IO_ERROR', message: 'the disk is full.' } }
    },
    onProgress: (progress) => {
      output.update(progress)
      // Commits come newest first, so the first page of them holds the one that is asked for.
      const rowsAreIn = progress.phase === 'commits' && progress.done > 0
      if (rowsAreIn && current !== undefined) example.rowsCameIn(current, progress.repo, false)
    },
    onSummary: (path, summary) => {
      for (const line of summaryLines(path, summary)) output.say(line)
      if (summary.repo !== undefined && summary.done > 0) example.rowsCameIn(path, summary.repo, true)
      else example.hasNoRows(path)
    },
    signal,
  })
}

/** Settles what is owed now and every minute; a failure is told once and the next minute comes all the same. */
function keepSettling(worker: EmbeddedWorker, output: ProgressLine): () => void {
  let told: string | undefined
  const tick = (): void => {
    worker.runMaintenance().then(
      () => (told = undefined),
      (error: unknown) => {
        const line = `Owed work failed: ${String(error)}`
        if (line !== told) output.say(line)
        told = line
      },
    )
  }
  tick()
  const timer = setInterval(tick, MAINTENANCE_EVERY_MS)
  return () => clearInterval(timer)
}

function stopOnSignals(): AbortController {
  const stop = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => stop.abort())
  return stop
}

async function end(served: Result<EmbeddedWorker>): Promise<void> {
  if (served.ok) await served.value.dispose()
  // Sockets and timers of the runtime that are still open must not hold the process.
  process.exit()
}

function complain({ message, hint }: Failure, exitCode: number): void {
  console.error(hint === undefined ? message : `${message}\n${hint}`)
  process.exitCode = exitCode
}

function endpointOf(worker: EmbeddedWorker): string {
  return `${worker.origin}/mcp`
}

await main()
