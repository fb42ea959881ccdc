/** Answers `POST /admin/maintenance`. */
import { ok, type Result } from '../../base/result.ts'
import type { MaintenanceAnswer } from '../../contracts/admin/maintenance-contract.ts'
import type { AdminDeps } from './admin-route.ts'

export async function postMaintenance(
  _query: object,
  { runMaintenance }: AdminDeps,
): Promise<Result<MaintenanceAnswer>> {
  const { processed, retried, purged, fetched } = await runMaintenance(true)
  return ok({ settled: processed, put_off: retried, purged, fetched })
}
