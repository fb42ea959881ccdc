/**
 * Reading bodies back, by segments: windows and passages, never a body whole.
 */
import type { Viewer } from '../../access/viewer.ts'
import { SEGMENT_CHARS, SEGMENTS_PER_DOCUMENT } from '../limits.ts'
import { listed, numbersOf } from './read-documents.ts'
import { constant, sql } from '../sql/sql.ts'
import type { Query } from '../sql/sql.ts'
import { isVisible } from '../filters/visibility.ts'

const PER_DOCUMENT = constant(String(SEGMENTS_PER_DOCUMENT))

/** A run of a body, as it lies in one segment. `start` is its offset in the body, in UTF-16 units. */
export interface SegmentRow {
  readonly document: number
  readonly start: number
  readonly text: string
}

/** A stretch of one body, `[start, end)` in UTF-16 units. */
export interface BodyRange {
  readonly document: number
  readonly start: number
  readonly end: number
}

/** The segments that hold these stretches of bodies, of which there is at least one; in order of the text. */
export function segmentsOf(stretches: readonly BodyRange[]): Query<readonly SegmentRow[]> {
  const numbers = stretches.flatMap(({ document, start, end }) => {
    const [first, last] = [firstSegment(document, start), lastSegment(document, end)]
    return Array.from({ length: last - first + 1 }, (_, at) => first + at)
  })
  return {
    statement: sql`
      SELECT s.segment / ${PER_DOCUMENT} AS document, s.start, s.text
      FROM segments s WHERE s.segment IN (${listed(numbers)}) ORDER BY s.segment`,
    toValue: (rows) => rows as unknown as readonly SegmentRow[],
  }
}

/** The segments of these ids, as far as the viewer may see them, that hold `[start, end)` of each body. */
export function segmentsById(
  viewer: Viewer,
  vectorIds: readonly string[],
  start: number,
  end: number,
): Query<readonly SegmentRow[]> {
  return {
    statement: sql`
      SELECT d.document, s.start, s.text
      FROM documents d CROSS JOIN repositories r ON r.repository = d.repository
      CROSS JOIN segments s
        ON s.segment BETWEEN d.document * ${PER_DOCUMENT} + ${firstSegment(0, start)}
        AND d.document * ${PER_DOCUMENT} + ${lastSegment(0, end)}
      WHERE d.document IN (${numbersOf(vectorIds)}) AND d.deleted_at IS NULL AND ${isVisible(viewer)}
      ORDER BY s.segment`,
    toValue: (rows) => rows as unknown as readonly SegmentRow[],
  }
}

/**
 * UTF-8 bytes of the bodies of these ids, by document, of such as pass for whole
 * and have more than `minChars` UTF-16 units. SQLite knows lengths without
 * reading the text.
 */
export function bodyBytesById(
  viewer: Viewer,
  vectorIds: readonly string[],
  minChars: number,
): Query<ReadonlyMap<number, number>> {
  return {
    statement: sql`
      SELECT d.document, (
        SELECT sum(octet_length(s.text)) FROM segments s
        WHERE s.segment >= d.document * ${PER_DOCUMENT} AND s.segment < (d.document + 1) * ${PER_DOCUMENT}
      ) AS bytes
      FROM documents d CROSS JOIN repositories r ON r.repository = d.repository
      WHERE d.document IN (${numbersOf(vectorIds)}) AND d.source_truncated = 0 AND d.body_chars > ${minChars}
      AND d.deleted_at IS NULL AND ${isVisible(viewer)}`,
    toValue: (rows) => new Map(rows.map((row) => [row['document'] as number, row['bytes'] as number])),
  }
}

// A segment is full but for the unit it may leave to a surrogate pair, so a
// place in the body tells its segment to within one in the first 32,000.
function firstSegment(document: number, start: number): number {
  return document * SEGMENTS_PER_DOCUMENT + Math.min(Math.floor(start / SEGMENT_CHARS), SEGMENTS_PER_DOCUMENT - 1)
}

function lastSegment(document: number, end: number): number {
  return document * SEGMENTS_PER_DOCUMENT + Math.min(Math.floor(end / (SEGMENT_CHARS - 1)), SEGMENTS_PER_DOCUMENT - 1)
}
