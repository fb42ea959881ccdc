/**
 * `GET /health`: the version that serves, and whether its index answers with the
 * schema that this version needs. It reports nothing else, because it is public.
 */
import { ok } from '../base/result.ts'
import { SCHEMA_VERSION, VERSION } from '../contracts/version.ts'
import { readSchemaVersion } from '../index/sql/index-database.ts'
import { respond } from './errors.ts'
import type { App, RouteRequest } from './route.ts'

interface Health {
  readonly status: 'ok' | 'degraded'
  readonly version: string
  /** The schema of the database; null when it does not answer. */
  readonly schema: number | null
}

export async function answerHealth(_request: RouteRequest, { index, log }: App): Promise<Response> {
  const schema = await readSchemaVersion(index).catch((error: unknown) => {
    log.error('health', { evidence: String(error) })
    return null
  })
  const health: Health = { status: schema === SCHEMA_VERSION ? 'ok' : 'degraded', version: VERSION, schema }
  return respond(ok(health))
}
