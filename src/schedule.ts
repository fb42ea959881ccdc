/**
 * What the clock starts, once a minute: settling owed work. It needs no mode of
 * access, for nobody asks and nobody is answered.
 */
import type { Env } from './settings/env.ts'
import { runMaintenance } from './app.ts'

/** Rejects when the index does not answer, so that the platform counts the run as failed. */
export async function runSchedule(env: Env): Promise<void> {
  await runMaintenance(env)
}
