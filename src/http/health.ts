/**
 * `GET /health`: which version serves, and whether its index answers with the
 * schema this version is written for. Nothing else, for anyone may ask.
 */
import type { Log } from '../base/log.ts'
import { SCHEMA_VERSION, VERSION } from '../contracts/version.ts'
import type { Index } from '../index/sql/index-database.ts'
import { readSchemaVersion } from '../index/sql/schema-version.ts'

export interface Health {
  readonly status: 'ok' | 'degraded'
  readonly version: string
  /** The schema the database has; null when it does not answer. */
  readonly schema: number | null
}

export async function readHealth(index: Index, log: Log): Promise<Health> {
  const schema = await readSchemaVersion(index).catch((error: unknown) => {
    log.error('health', { evidence: String(error) })
    return null
  })
  return { status: schema === SCHEMA_VERSION ? 'ok' : 'degraded', version: VERSION, schema }
}
