/** The list of admin routes. http/routes.ts puts each behind the admin token and turns its result into a response. */
import { backfillContract } from '../../contracts/admin/backfill-contract.ts'
import { documentsContract } from '../../contracts/admin/documents-contract.ts'
import { dropContract } from '../../contracts/admin/drop-contract.ts'
import { exportContract } from '../../contracts/admin/export-contract.ts'
import { importContract } from '../../contracts/admin/import-contract.ts'
import { maintenanceContract } from '../../contracts/admin/maintenance-contract.ts'
import { pollContract } from '../../contracts/admin/poll-contract.ts'
import { rebuildContract } from '../../contracts/admin/rebuild-contract.ts'
import { reconcileContract } from '../../contracts/admin/reconcile-contract.ts'
import { statusContract } from '../../contracts/admin/status-contract.ts'
import { MAX_IMPORT_BODY_BYTES } from '../limits.ts'
import { adminRoute, adminStream, type AdminRoute } from './admin-route.ts'
import { postBackfill } from './backfill-route.ts'
import { listDocuments } from './documents-route.ts'
import { deleteRepository } from './drop-route.ts'
import { exportIndex } from './export-route.ts'
import { postImport } from './import-route.ts'
import { postMaintenance } from './maintenance-route.ts'
import { postRebuild } from './rebuild-route.ts'
import { readStatus } from './status-route.ts'
import { postPoll, postReconcile } from './walk-routes.ts'

export const ADMIN_ROUTES: readonly AdminRoute[] = [
  adminRoute(importContract, postImport, MAX_IMPORT_BODY_BYTES),
  adminRoute(rebuildContract, postRebuild),
  adminRoute(maintenanceContract, postMaintenance),
  adminRoute(statusContract, readStatus),
  adminRoute(documentsContract, listDocuments),
  adminRoute(pollContract, postPoll),
  adminRoute(reconcileContract, postReconcile),
  adminStream(exportContract, exportIndex),
  adminRoute(dropContract, deleteRepository),
  adminRoute(backfillContract, postBackfill),
]
