/**
 * The operator's routes, as the list of what they answer. Whoever calls them
 * has already shown the admin token; results become responses at the door.
 */
import { ok, type Result } from '../../base/result.ts'
import { MAX_IMPORT_BODY_BYTES } from '../limits.ts'
import { getDocuments } from './list-documents-route.ts'
import type { AdminDeps, AdminHandler } from './admin-handler.ts'
import { postImport } from './import-route.ts'
import { postRebuild } from './rebuild-route.ts'
import { getStatus } from './status-route.ts'

export const ADMIN_ROUTES: readonly {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly handle: AdminHandler
  /** Absent for a route whose body is small. */
  readonly maxBodyBytes?: number
}[] = [
  { method: 'POST', path: '/admin/import', handle: postImport, maxBodyBytes: MAX_IMPORT_BODY_BYTES },
  { method: 'POST', path: '/admin/rebuild', handle: postRebuild },
  { method: 'GET', path: '/admin/status', handle: getStatus },
  { method: 'GET', path: '/admin/documents', handle: getDocuments },
  { method: 'POST', path: '/admin/maintenance', handle: postMaintenance },
]

/** Starts the scheduled run by hand. */
async function postMaintenance(_request: object, { runMaintenance }: AdminDeps): Promise<Result<object>> {
  const { processed: settled, retried: put_off, purged } = await runMaintenance()
  return ok({ settled, put_off, purged })
}
