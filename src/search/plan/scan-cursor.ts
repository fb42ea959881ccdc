/**
 * The cursor of a scan: the last row of a page, the `since` of the scan, and a
 * fingerprint of its other parameters, so that it is refused in another scan.
 * Opaque to callers; it contains nothing that the rows did not show.
 */
import { invalid } from '../../base/failure.ts'
import { sha256 } from '../../base/hash.ts'
import { readOpaque, writeOpaque } from '../../base/opaque-token.ts'
import { ok, refuse } from '../../base/result.ts'
import type { Result } from '../../base/result.ts'
import { MAX_ID_CHARS } from '../../index/limits.ts'
import type { ListPosition } from '../../index/documents/list-documents.ts'

/** The largest distance of a `Date` from 1970, in milliseconds. */
const LAST_TIME = 8_640_000_000_000_000

interface ScanCursor extends ListPosition {
  /** The start of the window, fixed by the first page. */
  readonly since: number
}

/** `scan` is JSON that is equal for all pages of one scan. */
export function writeCursor(cursor: ScanCursor, scan: unknown): string {
  return writeOpaque([fingerprint(scan), cursor.since, cursor.time, cursor.vectorId])
}

export function parseCursor(text: string, scan: unknown): Result<ScanCursor> {
  const fields = readFields(text)
  if (!fields) return refuse(invalid('cursor', 'is not the next_cursor of a scan', 'Pass next_cursor unchanged.'))
  const [bound, since, time, vectorId] = fields
  if (bound !== fingerprint(scan)) {
    return refuse(
      invalid('cursor', 'belongs to a scan with other filters', 'Repeat the parameters of the page that it came from.'),
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
