/**
 * `POST /admin/rebuild`: makes everything derived again, a bounded part of it
 * in each call. `dry_run=true` only counts, `resume=true` only goes on.
 */
import { invalid } from '../../base/failure.ts'
import { consoleLog } from '../../base/log.ts'
import { ok, refuse, type Result } from '../../base/result.ts'
import { rebuild } from '../../ingest/rebuild-run.ts'
import type { RouteRequest } from '../route.ts'
import type { AdminDeps } from './admin-handler.ts'

const PARAMETERS = ['dry_run', 'resume']

export async function postRebuild(
  { url }: Pick<RouteRequest, 'url'>,
  { index, vectors, now }: AdminDeps,
): Promise<Result<object>> {
  const query = url.searchParams
  for (const [name, value] of query) {
    if (!PARAMETERS.includes(name)) {
      return refuse(invalid(name.slice(0, 64), `not a parameter of a rebuild; accepted: ${PARAMETERS.join(', ')}`))
    }
    if (value !== 'true' && value !== 'false') return refuse(invalid(name, 'must be true or false'))
  }
  const dryRun = query.get('dry_run') === 'true'
  const { documents, done, ...left } = await rebuild(
    { index, vectors, now, log: consoleLog },
    { dryRun, resume: query.get('resume') === 'true' },
  )
  return ok({ dry_run: dryRun, done, documents, left })
}
