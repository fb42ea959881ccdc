/**
 * What the clock starts, once a minute: settling owed work. It needs no mode of
 * access, for nobody asks and nobody is answered.
 */
import { consoleLog } from '../base/log.ts'
import { pump } from '../ingest/pump.ts'
import { readEmbedder } from './embedder-settings.ts'
import type { Env } from './env.ts'
import { toEmbedder } from './wire.ts'

/** Rejects when the index does not answer, so that the platform counts the run as failed. */
export async function runSchedule(env: Env): Promise<void> {
  const settings = readEmbedder(env)
  if (!settings.ok) consoleLog.error('embedder_settings', { message: settings.failure.message })
  const embedder = toEmbedder(settings.ok ? settings.value : undefined)
  const summary = await pump({ index: { database: env.DB }, now: Date.now, log: consoleLog, embedder })
  if (summary.settled + summary.putOff + summary.purged > 0) consoleLog.info('pump', { ...summary })
}
