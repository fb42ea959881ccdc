/**
 * Reads parts of bodies: windows of documents that are named by id, passages,
 * and heads. A body is stored in segments, and only the segments of the part
 * are read, never a body as a whole.
 */
import type { Viewer } from '../../access/viewer.ts'
import { documentOf } from '../../fts/chunk-number.ts'
import { ok } from '../../base/result.ts'
import type { Result } from '../../base/result.ts'
import { isVisible } from '../filters/visibility.ts'
import { MAX_BODY_BYTES, SEGMENT_CHARS, SEGMENTS_PER_DOCUMENT } from '../limits.ts'
import type { IndexReader } from '../reader.ts'
import { constant, runQueries, runQuery, sql } from '../sql/sql.ts'
import type { Query } from '../sql/sql.ts'
import { documentsById, numberList, numbersOf } from './read-documents.ts'
import type { DocumentRow } from './read-documents.ts'

const PER_DOCUMENT = constant(String(SEGMENTS_PER_DOCUMENT))

/** A part of one body, `[start, end)` in UTF-16 units. */
interface BodyRange {
  readonly document: number
  readonly start: number
  readonly end: number
}

/** The place of a chunk in its document's body, in UTF-16 units. */
export interface PassagePlace {
  readonly chunk: number
  readonly start: number
  readonly chars: number
}

/** A part of a body within one segment. `start` is its offset in the body, in UTF-16 units. */
interface SegmentRow {
  readonly document: number
  readonly start: number
  readonly text: string
}

/** A document and a window of its body. */
export interface BodyWindow {
  readonly document: DocumentRow
  /** Offset of the text in the body, in UTF-16 units. */
  readonly start: number
  readonly text: string
  /** The stored body is not the whole body of the source. */
  readonly isCut: boolean
}

/** UTF-16 units read around a window: a surrogate pair may begin before it or end after it. */
const AROUND_WINDOW = 2
/** UTF-8 bytes of the longest character: a body cut on a character boundary ends within so many bytes of the limit. */
const CHARACTER_BYTES = 4

/**
 * Up to `maxChars` units from `offset` of the body of each document that the
 * viewer may see, by id. Ids that are unknown, deleted or hidden are absent
 * alike. One round trip; UNAVAILABLE where it fails.
 */
export async function readWindows(
  reader: IndexReader,
  viewer: Viewer,
  vectorIds: readonly string[],
  { offset, maxChars }: { readonly offset: number; readonly maxChars: number },
): Promise<Result<ReadonlyMap<string, BodyWindow>>> {
  const read = await runQueries(reader, {
    documents: documentsById(viewer, vectorIds),
    segments: segmentsById(viewer, vectorIds, Math.max(0, offset - AROUND_WINDOW), offset + maxChars + AROUND_WINDOW),
    bytes: bodyBytesById(viewer, vectorIds, MAX_BODY_BYTES / CHARACTER_BYTES),
  })
  if (!read.ok) return read
  const { documents, bytes } = read.value
  const segments = Map.groupBy(read.value.segments, ({ document }) => document)
  const windows = documents.map((document): [string, BodyWindow] => {
    const { sourceTruncated, bodyChars } = document
    const window = windowOf(segments.get(document.document) ?? [], bodyChars, offset, maxChars)
    const isCut = sourceTruncated || (bytes.get(document.document) ?? 0) > MAX_BODY_BYTES - CHARACTER_BYTES
    return [document.vectorId, { document, ...window, isCut }]
  })
  return ok(new Map(windows))
}

/** The text of each chunk, by chunk. UNAVAILABLE where the read fails. */
export function readPassages(
  reader: IndexReader,
  places: readonly PassagePlace[],
): Promise<Result<ReadonlyMap<number, string>>> {
  return runQuery(reader, passagesOf(places))
}

/** The first `chars` units or more of each body, by document. UNAVAILABLE where the read fails. */
export function readHeads(
  reader: IndexReader,
  documents: readonly number[],
  chars: number,
): Promise<Result<ReadonlyMap<number, string>>> {
  return runQuery(reader, headsOf(documents, chars))
}

/** The text of each chunk, by chunk. */
export function passagesOf(places: readonly PassagePlace[]): Query<ReadonlyMap<number, string>> {
  const toRange = ({ chunk, start, chars }: PassagePlace): BodyRange => ({
    document: documentOf(chunk),
    start,
    end: start + chars,
  })
  return {
    ...segmentsOf(places.map(toRange)),
    toValue: (rows) => {
      const segments = Map.groupBy(rows as unknown as readonly SegmentRow[], ({ document }) => document)
      return new Map(
        places.map((place) => {
          const { document, start, end } = toRange(place)
          const texts = (segments.get(document) ?? []).map((segment) =>
            segment.text.slice(Math.max(0, start - segment.start), Math.max(0, end - segment.start)),
          )
          return [place.chunk, texts.join('')]
        }),
      )
    },
  }
}

/** The segments from the start of each body that contain its first `chars` units, joined, by document. */
export function headsOf(documents: readonly number[], chars: number): Query<ReadonlyMap<number, string>> {
  return {
    ...segmentsOf(documents.map((document) => ({ document, start: 0, end: chars }))),
    toValue: (rows) => joined(rows as unknown as readonly SegmentRow[]),
  }
}

/** The statement that reads the segments of these ranges, in order of the text; none without a range. */
function segmentsOf(ranges: readonly BodyRange[]): Pick<Query<unknown>, 'statement'> {
  if (ranges.length === 0) return {}
  const numbers = ranges.flatMap(({ document, start, end }) => {
    const [first, last] = [firstSegment(document, start), lastSegment(document, end)]
    return Array.from({ length: last - first + 1 }, (_, at) => first + at)
  })
  return {
    statement: sql`
      SELECT s.segment / ${PER_DOCUMENT} AS document, s.start, s.text
      FROM segments s WHERE s.segment IN (${numberList([...new Set(numbers)])}) ORDER BY s.segment`,
  }
}

function joined(segments: readonly SegmentRow[]): ReadonlyMap<number, string> {
  const texts = new Map<number, string>()
  for (const { document, text } of segments) texts.set(document, (texts.get(document) ?? '') + text)
  return texts
}

/** The segments of these ids that contain `[start, end)` of each body, as far as the viewer may see them. */
function segmentsById(
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
 * UTF-8 bytes of the bodies of these ids, by document, of those that the source
 * did not truncate and that have more than `minChars` UTF-16 units. SQLite
 * knows lengths without reading the text.
 */
function bodyBytesById(
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

// A segment is full but for the unit that it may leave to a surrogate pair, so an
// offset in the body determines its segment to within one in the first 32,000.
function firstSegment(document: number, start: number): number {
  return document * SEGMENTS_PER_DOCUMENT + Math.min(Math.floor(start / SEGMENT_CHARS), SEGMENTS_PER_DOCUMENT - 1)
}

function lastSegment(document: number, end: number): number {
  return document * SEGMENTS_PER_DOCUMENT + Math.min(Math.floor(end / (SEGMENT_CHARS - 1)), SEGMENTS_PER_DOCUMENT - 1)
}

/**
 * Up to `maxChars` units of a body from `offset`. Both ends keep surrogate pairs
 * whole: the start moves back, and so does the end, unless the window would then
 * be empty: a caller that reads window after window must reach the end.
 */
function windowOf(
  segments: readonly SegmentRow[],
  bodyChars: number,
  offset: number,
  maxChars: number,
): Pick<BodyWindow, 'start' | 'text'> {
  const base = segments[0]?.start ?? 0
  const text = segments.map((segment) => segment.text).join('')
  const from = Math.min(offset, bodyChars)
  const start = splitsPair(text, from - base) ? from - 1 : from
  let end = Math.min(start + maxChars, bodyChars)
  if (splitsPair(text, end - base)) end += end - 1 > start ? -1 : 1
  return { start, text: text.slice(Math.max(0, start - base), Math.max(0, end - base)) }
}

/** True where a cut before unit `at` would fall inside a surrogate pair. */
function splitsPair(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return false
  return isIn(text.charCodeAt(at - 1), 0xd800) && isIn(text.charCodeAt(at), 0xdc00)
}

/** High surrogates fill the 1,024 units from 0xD800, low ones those from 0xDC00. */
function isIn(unit: number, first: number): boolean {
  return unit >= first && unit < first + 0x400
}
