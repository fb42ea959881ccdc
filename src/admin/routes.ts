/**
 * The operator's routes, as the list of what they answer. Whoever calls them
 * has already shown the admin token; results become responses at the door.
 */
import { getDocuments } from './documents.ts'
import type { AdminHandler } from './handler.ts'
import { postImport } from './import.ts'
import { postRebuild } from './rebuild.ts'
import { getStatus } from './status.ts'

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
