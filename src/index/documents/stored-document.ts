/**
 * A document as the index stores it: sanitized, cut to the size of a row, and
 * hashed. Every document passes through here before it is hashed, analysed or
 * written.
 */
import { pathOf, type Document, type Identity } from '../../documents/document.ts'
import { FIELD_COLUMNS } from '../../documents/fields.ts'
import { MAX_LONG_TEXT_CHARS } from '../../documents/limits.ts'
import { sha256 } from '../../base/hash.ts'
import { charBoundary, cutToBytes, cutToChars } from '../../base/text-cut.ts'
import { sanitize } from '../../text/sanitize.ts'
import { MAX_BODY_BYTES, SEGMENT_CHARS } from '../limits.ts'

/** A part of a body; `start` counts UTF-16 units. A border never splits a surrogate pair. */
export interface Segment {
  readonly start: number
  readonly text: string
}

/** The document as the index returns it, and hashes that show whether it changed. */
export interface StoredDocument {
  readonly document: Document
  /** Hash of everything except the repository. Rows are rewritten when it changes. */
  readonly contentHash: string
  /** Hash of the texts alone. Vectors are made again, and a time that the index gave moves, when it changes. */
  readonly textHash: string
}

const LONG_TEXTS = new Set<string>(FIELD_COLUMNS.flatMap(({ kind, property }) => (kind === 'longText' ? property : [])))

export function toStored({ body: givenBody, repository, ...given }: Document): StoredDocument {
  const cleanBody = sanitize(givenBody)
  // A cut may leave half of a sequence at the end, which is cleaned too.
  const body = sanitize(cutToBytes(cleanBody, MAX_BODY_BYTES))
  const { fields, isCut } = cleanFields(given)
  const truncated = isCut || body.length < cleanBody.length
  const content = { ...fields, body, ...(truncated && { sourceTruncated: true }) }
  const document: Document = { ...content, repository }
  const texts = [document.title, document.message, pathOf(document), document.diffHunk, body]
  return {
    document,
    contentHash: sha256(canonicalJson(content)),
    textHash: sha256(JSON.stringify(texts.map((text) => text ?? null))),
  }
}

/** The fields sanitized, long texts cut to their limit; a text that is empty then is absent. */
function cleanFields<Fields extends object>(given: Fields): { fields: Fields; isCut: boolean } {
  const fields: Record<string, unknown> = {}
  let isCut = false
  for (const [property, value] of Object.entries(given)) {
    const clean = sanitized(value)
    const kept = LONG_TEXTS.has(property) ? sanitize(cutToChars(clean as string, MAX_LONG_TEXT_CHARS)) : clean
    isCut ||= kept !== clean
    if (kept !== '') fields[property] = kept
  }
  return { fields: fields as Fields, isCut }
}

/** The identity as it is stored. A removal finds its row only by this one. */
export function toStoredIdentity(identity: Identity): Identity {
  return sanitized(identity) as Identity
}

/** The body in segments, in order; none for an empty body. */
export function toSegments(body: string): Segment[] {
  const segments: Segment[] = []
  for (let start = 0; start < body.length;) {
    const end = charBoundary(body, Math.min(start + SEGMENT_CHARS, body.length))
    segments.push({ start, text: body.slice(start, end) })
    start = end
  }
  return segments
}

/** A copy with every string sanitized. */
function sanitized(value: unknown): unknown {
  if (typeof value === 'string') return sanitize(value)
  if (Array.isArray(value)) return value.map(sanitized)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, sanitized(inner)]))
}

/** JSON with the keys of every object in order, so that the hash does not depend on the order of construction. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
