/**
 * A document as the index keeps it: cleaned, cut to what a row may hold, and
 * hashed. Everything the index writes goes through here, so no text reaches a
 * table, a hash or the word index uncleaned.
 */
import { pathOf, type Document, type Identity } from '../../documents/document.ts'
import { sha256 } from '../../base/hash.ts'
import { charBoundary, cutToBytes, cutToChars } from '../../base/text-cut.ts'
import { sanitize } from '../../text/sanitize.ts'
import { MAX_ASIDE_CHARS, MAX_BODY_BYTES, SEGMENT_CHARS } from '../limits.ts'

/** A piece of a body: `start` and length in UTF-16 units; borders never split a surrogate pair. */
export interface Segment {
  readonly start: number
  readonly text: string
}

/** The document as it will come back, and the hashes that tell whether it changed. */
export interface Stored {
  readonly document: Document
  /** Over everything the source said but the repository's name. */
  readonly contentHash: string
  /** Over the text alone: what words, vectors and edges are made from. */
  readonly textHash: string
}

export function toStored({ body: givenBody, message: givenMessage, diffHunk: givenHunk, ...given }: Document): Stored {
  const wholeBody = sanitize(givenBody)
  const body = cutToBytes(wholeBody, MAX_BODY_BYTES)
  const message = cutAside(givenMessage)
  const diffHunk = cutAside(givenHunk)
  const cut = body.length < wholeBody.length || message.cut || diffHunk.cut
  const document: Document = {
    ...(cleaned(given) as typeof given),
    repository: given.repository,
    body,
    ...(message.text === '' ? {} : { message: message.text }),
    ...(diffHunk.text === '' ? {} : { diffHunk: diffHunk.text }),
    ...(cut && { sourceTruncated: true }),
  }
  const { repository: _, ...said } = document
  const text = [document.title, document.message, pathOf(document), document.diffHunk, document.body]
  return {
    document,
    contentHash: sha256(canonicalJson(said)),
    textHash: sha256(JSON.stringify(text.map((part) => part ?? null))),
  }
}

/** The identity as it is stored; removals must be cleaned the same way to find their row. */
export function toStoredIdentity(identity: Identity): Identity {
  return cleaned(identity) as Identity
}

/** A body in segments; an empty body has none. */
export function toSegments(body: string): Segment[] {
  const segments: Segment[] = []
  for (let start = 0; start < body.length;) {
    const end = charBoundary(body, Math.min(start + SEGMENT_CHARS, body.length))
    segments.push({ start, text: body.slice(start, end) })
    start = end
  }
  return segments
}

function cutAside(text: string | undefined): { text: string; cut: boolean } {
  const clean = sanitize(text ?? '')
  const kept = cutToChars(clean, MAX_ASIDE_CHARS)
  return { text: kept, cut: kept.length < clean.length }
}

/** Every string within, cleaned; keys and other values as they are. */
function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return sanitize(value)
  if (Array.isArray(value)) return value.map(cleaned)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, cleaned(inner)]))
}

/** JSON with the keys of every object in order, so that the hash does not depend on who built it. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
