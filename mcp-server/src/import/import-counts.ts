/** The counts of several pages added up. */
import type { ImportCounts } from '../../../src/contracts/admin/import-contract.ts'

export const NO_COUNTS: ImportCounts = { written: 0, unchanged: 0, stale: 0, removed: 0 }

export function addCounts(a: ImportCounts, b: ImportCounts): ImportCounts {
  return {
    written: a.written + b.written,
    unchanged: a.unchanged + b.unchanged,
    stale: a.stale + b.stale,
    removed: a.removed + b.removed,
  }
}
