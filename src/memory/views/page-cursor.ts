/**
 * Cursors of paged views. A cursor contains a position and a digest of the
 * position and its scope, so a cursor of another store, view or session is refused.
 */
import { invalid } from '../../base/failure.ts'
import { sha256 } from '../../base/hash.ts'
import { readOpaque, writeOpaque } from '../../base/opaque-token.ts'
import { ok, refuse, type Result } from '../../base/result.ts'

/** The values that all pages of one list have in common: key of the store, view, arguments. */
export type CursorScope = readonly (string | number | null)[]

type PagePosition = readonly (string | number)[]

export function writeCursor(scope: CursorScope, position: PagePosition): string {
  return writeOpaque([digest(scope, position), ...position])
}

/** Refuses with VALIDATION_ERROR a cursor that was not written for this scope. */
export function parseCursor(scope: CursorScope, cursor: string): Result<PagePosition> {
  const [given, ...position] = readOpaque(cursor) ?? []
  if (typeof given === 'string' && given === digest(scope, position as PagePosition))
    return ok(position as PagePosition)
  const hint = 'Pass nextCursor of the previous page unchanged, with the same view, session and times.'
  return refuse(invalid('cursor', 'does not belong to this list', hint))
}

function digest(scope: CursorScope, position: PagePosition): string {
  return sha256(JSON.stringify([scope, position])).slice(0, 16)
}
