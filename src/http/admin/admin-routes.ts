/**
 * The operator's routes, as the list of what they answer. Whoever calls them
 * has already shown the admin token; results become responses at the door.
 */
import { getDocuments } from './list-documents-route.ts'
import type { AdminHandler } from './admin-handler.ts'
import { postImport } from './import-route.ts'
import { postRebuild } from './rebuild-route.ts'
import { getStatus } from './status-route.ts'

export const ADMIN_ROUTES: readonly {
  readonly method: string
  readonly path: string
  readonly handle: AdminHandler
}[] = [
  { method: 'POST', path: '/admin/import', handle: postImport },
  { method: 'POST', path: '/admin/rebuild', handle: postRebuild },
  { method: 'GET', path: '/admin/status', handle: getStatus },
  { method: 'GET', path: '/admin/documents', handle: getDocuments },
]
