/**
 * Reads one item of a list again by its key. Each read is one request; what it
 * leaves to do comes back as further reads, whose keys say what is next:
 * `12 absent` after a 404 for 12.
 */
import type { GitHubResult } from '../../github/github.ts'
import { proveItem, type ComparedList } from './lists/range-lap.ts'
import type { PendingRead, ReadAgain, SurfaceContext } from './surface.ts'

/** A reader of the pending reads of one kind. */
export type AgainReader = (context: SurfaceContext, key: string) => Promise<GitHubResult<ReadAgain>>

export const NOTHING: ReadAgain = { changes: [] }

/** The end of a key after a 404. No name of a tag contains a blank. */
const ABSENT = ' absent'

/** The key without that end, and whether it had it. */
export function splitAbsent(key: string): { readonly bare: string; readonly isSuspect: boolean } {
  const isSuspect = key.endsWith(ABSENT)
  return { bare: isSuspect ? key.slice(0, -ABSENT.length) : key, isSuspect }
}

export function pendingAbsent(kind: PendingRead['kind'], bare: string): ReadAgain {
  return { changes: [], pending: [{ kind, key: `${bare}${ABSENT}` }] }
}

/** Undefined for a key that is no positive number. */
export function toNumber(text: string | undefined): number | undefined {
  return /^[1-9]\d{0,14}$/.test(text ?? '') ? Number(text) : undefined
}

/** Reads an item whose pending reads are of the same kind as its surface. */
export function readAgainBy<Payload>(kind: PendingRead['kind'], list: ComparedList<Payload>): AgainReader {
  return async (context, key) => {
    const { bare, isSuspect } = splitAbsent(key)
    const id = toNumber(bare)
    if (id === undefined) return { ok: true, value: NOTHING }
    const proven = await proveItem(list, context, id, isSuspect)
    if (!proven.ok) return proven
    return { ok: true, value: proven.value === 'unproven' ? pendingAbsent(kind, bare) : { changes: [proven.value] } }
  }
}
