/**
 * Runs the built Worker on this machine: workerd through Miniflare, on loopback,
 * with its databases in a folder. Needs no account and no network, and writes
 * nothing to stdout. The caller owns the folder first (ownership.ts), because two
 * Workers on one database would contradict each other.
 */
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare'
import type { Failure } from '../../../src/base/failure.ts'
import { ok, refuse, type Result } from '../../../src/base/result.ts'
import type { MaintenanceAnswer } from '../../../src/contracts/admin/maintenance-contract.ts'
import { AdminClient } from '../admin-client.ts'
import { makeFolder } from './make-folder.ts'
import { migrate, type Migrated } from './migrate.ts'
import { watchRuntimes } from './runtime-process.ts'

/** As in wrangler.toml, which a test compares. */
export const COMPATIBILITY = { date: '2026-11-01', flags: ['nodejs_compat'] }
/** Binding -> database name, as in wrangler.toml. */
export const D1_DATABASES = { DB: 'kotodama' }
/** Binding -> class, as in wrangler.toml. */
export const DURABLE_OBJECTS = { MESSAGES: { className: 'MessageStore', useSQLite: true } }

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
const READY_MS = 30_000
const DISPOSE_MS = 5_000

export interface EmbeddedOptions {
  /** The bundled Worker (bundle.ts). */
  readonly script: string
  /** Folder of *.sql files. */
  readonly migrations: string
  /** Folder of the database; made (0700) when missing. */
  readonly state: string
  /** 0: any free port. */
  readonly port: number
  /** Variables and secrets of the Worker. */
  readonly bindings: Readonly<Record<string, string>>
  /** Called when the database was of an earlier schema line, so that the index starts empty. */
  readonly onIndexEmptied?: () => void
  /** Receives the pid of each runtime process as it starts. */
  readonly onRuntime?: (pid: number) => void
  /** Called once when the serving runtime ends without `dispose`. */
  readonly onEnd?: () => void
  /** Receives each line that the Worker or its runtime logs. */
  readonly onLog?: (level: string, message: string) => void
}

export interface EmbeddedWorker {
  /** For instance http://127.0.0.1:8787, without a slash at the end. */
  readonly origin: string
  /** One maintenance run, as a deployed Worker's clock starts it every minute. Needs the binding ADMIN_TOKEN. */
  runMaintenance(): Promise<Result<MaintenanceAnswer>>
  /** Ends the runtime within seconds. Safe to call twice. */
  dispose(): Promise<void>
}

/**
 * Migrates the index database, and only then listens. The runtime ends with this
 * process's `exit` event; a process that a signal may end must handle that
 * signal, or the runtime outlives it.
 */
export async function startEmbeddedWorker(options: EmbeddedOptions): Promise<Result<EmbeddedWorker>> {
  let serving: number | undefined
  let latest: number | undefined
  const stopWatching = watchRuntimes(
    (pid) => {
      latest = pid
      options.onRuntime?.(pid)
    },
    (pid) => {
      if (pid === serving) options.onEnd?.()
    },
  )
  try {
    const migrated = await migrateState(options)
    if (!migrated.ok) return migrated
    if (migrated.value.emptied) options.onIndexEmptied?.()
    const served = await serve(options)
    if (!served.ok) return served
    serving = latest
    const dispose = (): Promise<void> => {
      serving = undefined
      return served.value.dispose()
    }
    return ok({ ...served.value, dispose })
  } finally {
    stopWatching()
  }
}

/** In a runtime of its own without the Worker, so that no request meets a half-migrated schema. */
async function migrateState(options: EmbeddedOptions): Promise<Result<Migrated>> {
  let runtime: Miniflare | undefined
  try {
    makeFolder(options.state)
    runtime = makeRuntime({
      ...common(options),
      port: 0,
      modules: true,
      script: 'export default { fetch: () => new Response(null, { status: 503 }) }',
    })
    const database = await within(READY_MS, runtime.getD1Database('DB'))
    return await migrate(database, options.migrations)
  } catch (error) {
    const message = `The database in ${options.state} cannot be opened: ${(error as Error).message}`
    return refuse({ code: 'IO_ERROR', message })
  } finally {
    await end(runtime)
  }
}

async function serve(options: EmbeddedOptions): Promise<Result<EmbeddedWorker>> {
  const runtime = makeRuntime({
    ...common(options),
    port: options.port,
    modulesRoot: dirname(options.script),
    modules: modulesOf(options.script),
    durableObjects: DURABLE_OBJECTS,
    bindings: { ...options.bindings },
  })
  try {
    const url = await within(READY_MS, runtime.ready)
    const adminToken = options.bindings['ADMIN_TOKEN'] ?? ''
    const client = new AdminClient({ endpoint: url.origin, adminToken, retryPausesMs: [] })
    return ok({
      origin: url.origin,
      // Over HTTP like any client. Miniflare's own way to a Worker's handlers blocks this process until the runtime
      // answers, and the runtime blocks while this process does not take its log.
      runMaintenance: () => client.runMaintenance(),
      dispose: () => end(runtime),
    })
  } catch (error) {
    await end(runtime)
    return refuse(startFailure(error as Error & { code?: string }, options.port))
  }
}

/** The script, and the data that its bundler put beside it. */
function modulesOf(script: string): { type: 'ESModule' | 'Data'; path: string }[] {
  const data = readdirSync(dirname(script)).filter((name) => name.endsWith('.bin'))
  return [
    { type: 'ESModule', path: script },
    ...data.map((name) => ({ type: 'Data' as const, path: join(dirname(script), name) })),
  ]
}

/** Without Miniflare's signal handlers, which would end this process at the first signal: the caller decides when it ends. */
function makeRuntime(options: Parameters<typeof convertV4MiniflareOptions>[0]): Miniflare {
  const before = SIGNALS.map((signal) => process.listeners(signal))
  const runtime = new Miniflare(convertV4MiniflareOptions(options))
  SIGNALS.forEach((signal, at) => {
    for (const listener of process.listeners(signal)) {
      if (before[at]?.includes(listener) !== true) process.removeListener(signal, listener)
    }
  })
  return runtime
}

function common(options: EmbeddedOptions) {
  return {
    host: '127.0.0.1',
    compatibilityDate: COMPATIBILITY.date,
    compatibilityFlags: COMPATIBILITY.flags,
    d1Databases: D1_DATABASES,
    resourcePersistencePath: options.state,
    // Without this Miniflare fetches a sample of Cloudflare's request data.
    cf: false,
    log: new QuietLog(options.onLog),
    logRequests: false,
    handleStructuredLogs: ({ level, message }: { level: string; message: string }) => options.onLog?.(level, message),
  }
}

/** Never rejects: Miniflare refuses to be disposed of after a failed start, when nothing is left to end. */
async function end(runtime: Miniflare | undefined): Promise<void> {
  await within(DISPOSE_MS, Promise.resolve(runtime?.dispose())).catch(() => undefined)
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${ms / 1000} s`)), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

function startFailure(error: Error & { code?: string }, port: number): Failure {
  if (error.code === 'ERR_ADDRESS_IN_USE') {
    return {
      code: 'CONFLICT',
      message: `Port ${port} is taken by another program.`,
      hint: 'Choose another with --port N, or --port 0 for any free one.',
    }
  }
  return { code: 'UNAVAILABLE', message: `The Worker did not start: ${error.message}` }
}

/** Sends Miniflare's own lines to `onLog`, because stdout may be a protocol channel. */
class QuietLog extends Log {
  readonly #onLog: EmbeddedOptions['onLog']

  constructor(onLog: EmbeddedOptions['onLog']) {
    super(LogLevel.WARN)
    this.#onLog = onLog
  }

  protected override log(message: string): void {
    this.#onLog?.('warn', message)
  }
}
