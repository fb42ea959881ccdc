/**
 * Starts the Worker on an owned data folder and names its endpoint in the
 * folder's lock. Watches it afterwards: its log, its end, and the disk.
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ok, refuse, type Result } from '../../../../src/base/result.ts'
import { readSettings } from '../../../../src/contracts/settings/read-settings.ts'
import { ensureBundle } from '../../local/bundle.ts'
import type { EmbeddedWorker } from '../../local/embedded-worker.ts'
import { settingsOf } from '../../local/worker-settings.ts'
import type { Ownership } from '../../local/ownership.ts'
import type { Meter } from '../terminal/progress-meter.ts'
import { workerLog } from './worker-log.ts'

/** The project's folder. */
const ROOT = join(import.meta.dirname, '../../../..')
const SIGNAL_LAG_MS = 300

const INDEX_EMPTIED =
  'The index was made by an earlier version, with a schema that this version cannot read: it starts empty and is filled again. Messages are kept.'

interface ServeOptions {
  /** The data folder. */
  readonly folder: string
  readonly port: number
  readonly owner: Ownership
  readonly meter: Meter
  /** Aborted when the runtime ends by itself. */
  readonly stop: AbortController
}

export interface Serving {
  readonly worker: EmbeddedWorker
  /** True when the runtime has ended by itself. */
  hasFailed(): boolean
  /** A signal that aborts when the log shows a full disk from now on. Only the log knows: a caller sees a failure of the database. */
  watchDisk(): AbortSignal
}

/** Refuses a wrong setting of the environment, which the Worker would answer every request with. */
export async function serveWorker({ folder, port, owner, meter, stop }: ServeOptions): Promise<Result<Serving>> {
  const bindings = { ...settingsOf(process.env), AUTH_MODE: 'local', ADMIN_TOKEN: owner.secret }
  const settings = readSettings(bindings)
  if (!settings.ok) return settings
  const bundle = await ensureBundle(ROOT)
  if (!bundle.ok) return bundle
  // Loaded late, because it takes most of a second: a start that is refused before does not need it.
  const { startEmbeddedWorker } = await import('../../local/embedded-worker.ts')
  let diskFull = new AbortController()
  let failed = false
  const worker = await startEmbeddedWorker({
    script: bundle.value,
    migrations: join(ROOT, 'migrations'),
    state: join(folder, 'state'),
    port,
    bindings,
    onIndexEmptied: () => meter.say(INDEX_EMPTIED),
    onRuntime: owner.ranRuntime,
    onEnd: async () => {
      // Ctrl-C reaches the runtime as well as this process, in either order. Without a signal it is a failure.
      await sleep(SIGNAL_LAG_MS)
      if (stop.signal.aborted) return
      meter.say('The runtime of the Worker ended unexpectedly. Start again; the index is kept.')
      failed = true
      stop.abort()
    },
    onLog: workerLog(folder, meter.say, () => diskFull.abort()),
  })
  if (!worker.ok) return worker
  if (!owner.serves(`${worker.value.origin}/mcp`)) {
    await worker.value.dispose()
    return refuse({ code: 'CONFLICT', message: `Another start has taken ${folder} meanwhile.` })
  }
  return ok({
    worker: worker.value,
    hasFailed: () => failed,
    watchDisk: () => (diskFull = new AbortController()).signal,
  })
}
