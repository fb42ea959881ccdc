/**
 * The cursor of a scan: where its last page ended, the window it began with,
 * and a fingerprint of everything else, so that it cannot go on in another
 * scan. Opaque to callers; it holds nothing that the rows did not show.
 */
import { invalid } from '../../base/failure.ts'
import { sha256 } from '../../base/hash.ts'
import { readOpaque, writeOpaque } from '../../base/opaque-token.ts'
import { ok, refuse } from '../../base/result.ts'
import type { Result } from '../../base/result.ts'
import { MAX_ID_CHARS } from '../../index/limits.ts'
import type { ListPosition } from '../../index/documents/list-documents.ts'

/** Times end here on both sides of 1970, in milliseconds: beyond it there is no date to print. */
const LAST_TIME = 8_640_000_000_000_000

export interface ScanCursor extends ListPosition {
  /** Begin of the window, pinned on the first page. */
  readonly since: number
}

/** `scan` is whatever two pages of one scan have in common. */
export function writeCursor(cursor: ScanCursor, scan: unknown): string {
  return writeOpaque([fingerprint(scan), cursor.since, cursor.time, cursor.vectorId])
}

export function parseCursor(text: string, scan: unknown): Result<ScanCursor> {
  const fields = readFields(text)
  if (!fields) return refuse(invalid('cursor', 'is not one that a scan gave', 'Give next_cursor back as it came.'))
  const [bound, since, time, vectorId] = fields
  if (bound !== fingerprint(scan)) {
    return refuse(
      invalid('cursor', 'belongs to a scan with other filters', 'Repeat the parameters of the page it came from.'),
    )
  }
  return ok({ since, time, vectorId })
}

function fingerprint(scan: unknown): string {
  return sha256(JSON.stringify(scan)).slice(0, 16)
}

function readFields(text: string): [string, number, number, string] | undefined {
  const fields = readOpaque(text)
  if (fields?.length !== 4) return undefined
  const [bound, since, time, vectorId] = fields
  const sound =
    typeof bound === 'string' &&
    isTime(since) &&
    isTime(time) &&
    typeof vectorId === 'string' &&
    vectorId.length <= MAX_ID_CHARS
  return sound ? (fields as [string, number, number, string]) : undefined
}

function isTime(value: unknown): boolean {
  return Number.isSafeInteger(value) && Math.abs(value as number) <= LAST_TIME
}
