/** Every route of the admin API, in the order of docs/admin-api.md. A new route is one line here. */
import type { AdminContract } from './admin-contract.ts'
import { backfillContract } from './backfill-contract.ts'
import { documentsContract } from './documents-contract.ts'
import { dropContract } from './drop-contract.ts'
import { exportContract } from './export-contract.ts'
import { importContract } from './import-contract.ts'
import { maintenanceContract } from './maintenance-contract.ts'
import { pollContract } from './poll-contract.ts'
import { rebuildContract } from './rebuild-contract.ts'
import { reconcileContract } from './reconcile-contract.ts'
import { statusContract } from './status-contract.ts'

export const ADMIN_CONTRACTS: readonly AdminContract[] = [
  statusContract,
  pollContract,
  reconcileContract,
  backfillContract,
  dropContract,
  importContract,
  exportContract,
  documentsContract,
  maintenanceContract,
  rebuildContract,
]
