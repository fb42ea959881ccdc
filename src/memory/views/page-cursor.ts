/**
 * Where a walk through history or sessions goes on. A cursor holds a position
 * and a seal over it, the store, the view and whatever else the walk is bound
 * to, so it goes on in no other walk.
 */
import { invalid } from '../../base/failure.ts'
import { sha256 } from '../../base/hash.ts'
import { readOpaque, writeOpaque } from '../../base/opaque-token.ts'
import { ok, refuse, type Result } from '../../base/result.ts'

/** What every page of one walk has in common: the store's key, the view, its arguments. */
export type CursorScope = readonly (string | number | null)[]

export type PagePosition = readonly (string | number)[]

export function writeCursor(walk: CursorScope, position: PagePosition): string {
  return writeOpaque([digest(walk, position), ...position])
}

export function parseCursor(walk: CursorScope, cursor: string): Result<PagePosition> {
  const [given, ...position] = readOpaque(cursor) ?? []
  if (typeof given === 'string' && given === digest(walk, position as PagePosition)) return ok(position as PagePosition)
  const problem = 'is not one that this walk gave'
  return refuse(invalid('cursor', problem, 'Give nextCursor back as it came, with the same view, session and times.'))
}

function digest(walk: CursorScope, position: PagePosition): string {
  return sha256(JSON.stringify([walk, position])).slice(0, 16)
}
