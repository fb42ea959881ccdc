/** Builds the bench's Worker and runs it locally with a database in a folder. */
import { join, resolve } from 'node:path'
import { ensureBundle, type BundleOptions } from '../../mcp-server/src/local/bundle.ts'
import { startEmbeddedWorker } from '../../mcp-server/src/local/embedded-worker.ts'
import { settingsOf } from '../../mcp-server/src/local/worker-settings.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/** The token of the product's admin routes. */
export const ADMIN_TOKEN = 'bench-token-0123456789abcdef'

export interface BenchWorker {
  readonly origin: string
  /** Resolves to the answer's JSON; throws when the Worker fails. */
  post(path: string, body: string): Promise<unknown>
  /** Process id of the runtime. */
  readonly pid: number
  dispose(): Promise<void>
}

const INDEX_WORKER: BundleOptions = { entry: 'scripts/bench/worker.ts', folder: 'dist/bench' }

/** `settings` are set over those of the environment. */
export async function startBenchWorker(
  state: string,
  options = INDEX_WORKER,
  settings: Readonly<Record<string, string>> = {},
): Promise<BenchWorker> {
  const bundle = await ensureBundle(ROOT, options)
  if (!bundle.ok) throw new Error(bundle.failure.message)
  let pid = Number.NaN
  const started = await startEmbeddedWorker({
    script: bundle.value,
    migrations: join(ROOT, 'migrations'),
    state,
    port: 0,
    bindings: { AUTH_MODE: 'local', ADMIN_TOKEN, ...settingsOf(process.env), ...settings },
    onRuntime: (latest) => (pid = latest),
  })
  if (!started.ok) throw new Error(started.failure.message)
  const { origin, dispose } = started.value
  return {
    origin,
    pid,
    dispose,
    async post(path, body) {
      const response = await fetch(origin + path, { method: 'POST', body })
      if (!response.ok) throw new Error(`${path} answered ${response.status}: ${(await response.text()).slice(0, 300)}`)
      return response.json()
    },
  }
}
