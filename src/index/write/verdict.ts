/**
 * Decides what becomes of one statement about a document. An import is obeyed unless it is
 * older. A webhook delivery may come late, twice or out of order, and a read may
 * have begun before something newer was delivered: where the order is not certain,
 * the thing is read again instead of written.
 */
import type { DocumentType, ReadKind } from '../../base/vocabulary.ts'
import { UPDATED_GIVEN } from '../documents/document-rows.ts'
import type { Identity } from '../../documents/document.ts'
import type { DeliveryId } from '../ingestion/deliveries.ts'
import type { Remembered } from './removal-memory.ts'

/** Where a page comes from: a read that began at a marker, or a webhook delivery. Imports have none. */
export type PageOrigin =
  | { readonly kind: 'read'; readonly marker: number }
  | ({ readonly kind: 'delivery' } & DeliveryId)

/** A row of the index, live or not, as far as a plan compares it. */
export interface KnownRow {
  readonly vector_id: string
  readonly document: number
  readonly version: number
  readonly content_hash: string
  readonly text_hash: string
  readonly author_key: string | null
  readonly number: number | null
  readonly created_at: number
  readonly updated_at: number
  readonly times_given: number
  readonly source_version: string | null
  readonly delivered: number | null
  readonly deleted_at: number | null
}

export type Verdict = 'write' | 'unchanged' | 'stale' | 'read_again'

interface TypeRule {
  /** How a document of the type is read again. */
  readonly read: ReadKind
  /**
   * `changes`: the source's time moves with every change. `creation`: payloads give
   * only the time at which it was made. `commits`: the time of a commit, which goes
   * back when history is rewritten.
   */
  readonly clock: 'changes' | 'creation' | 'commits'
}

const RULES: Record<DocumentType, TypeRule> = {
  issue: { read: 'thread', clock: 'changes' },
  pull_request: { read: 'thread', clock: 'changes' },
  issue_comment: { read: 'issue_comment', clock: 'changes' },
  pr_review: { read: 'pr_review', clock: 'creation' },
  pr_review_comment: { read: 'pr_review_comment', clock: 'changes' },
  release: { read: 'release', clock: 'changes' },
  doc: { read: 'docs', clock: 'commits' },
  wiki_doc: { read: 'wiki', clock: 'commits' },
  commit: { read: 'commits', clock: 'commits' },
  diff: { read: 'commits', clock: 'commits' },
}

/** How a document is read again. Reviews are read by the pull request's `number`. */
export function readOf(identity: Identity, number: number | undefined): { kind: ReadKind; key: string } {
  return { kind: RULES[identity.type].read, key: keyOf(identity, number) }
}

function keyOf(identity: Identity, number: number | undefined): string {
  switch (identity.type) {
    case 'issue':
    case 'pull_request':
      return String(identity.number)
    case 'pr_review':
      return String(number ?? '')
    case 'issue_comment':
    case 'pr_review_comment':
      return String(identity.commentId)
    case 'release':
      return identity.tagName
    default:
      return ''
  }
}

/** The state of the index that a statement is judged by. */
export interface Situation {
  readonly type: DocumentType
  readonly live: KnownRow | undefined
  /** The removal of the document, and of its thread, as far as they are remembered. */
  readonly removal: Remembered | undefined
  readonly threadRemoval: Remembered | undefined
}

interface PutStatement {
  readonly contentHash: string
  /** From the source. */
  readonly updatedAt: number | undefined
  /** The page removes the document before. */
  readonly removed: boolean
}

/** The verdict about a put. */
export function judgePut(put: PutStatement, situation: Situation, origin: PageOrigin | undefined): Verdict {
  if (origin === undefined) return judgeImport(put, situation)
  return origin.kind === 'read' ? judgeRead(put, situation, origin.marker) : judgeDelivery(put, situation)
}

function judgeImport({ contentHash, updatedAt, removed }: PutStatement, { live }: Situation): Verdict {
  if (live?.content_hash === contentHash) return 'unchanged'
  return live !== undefined && !removed && orderOf(updatedAt, live) === 'older' ? 'stale' : 'write'
}

function judgeDelivery({ contentHash, updatedAt }: PutStatement, situation: Situation): Verdict {
  const { type, live, removal, threadRemoval } = situation
  if (isBefore(updatedAt, removal)) return 'stale'
  if (removal !== undefined || threadRemoval !== undefined) return 'read_again'
  if (live === undefined) return 'write'
  if (live.content_hash === contentHash) return 'unchanged'
  const order = orderOf(updatedAt, live)
  if (order === 'newer' || order === 'unknown') return 'write'
  return order === 'older' && RULES[type].clock === 'changes' ? 'stale' : 'read_again'
}

function judgeRead({ contentHash, updatedAt, removed }: PutStatement, situation: Situation, marker: number): Verdict {
  const { type, live, removal, threadRemoval } = situation
  if (isBefore(updatedAt, removal)) return 'stale'
  if (isAfter(removal, marker) || isAfter(threadRemoval, marker)) return 'read_again'
  if (live === undefined) return 'write'
  if (live.content_hash === contentHash) return 'unchanged'
  if (removed || RULES[type].clock === 'commits') return 'write'
  const order = orderOf(updatedAt, live)
  if (order === 'older') return 'stale'
  return order !== 'newer' && (live.delivered ?? 0) > marker ? 'read_again' : 'write'
}

/** The verdict about a removal; `write` where it is obeyed or remembered. */
export function judgeRemoval(
  updatedAt: number | undefined,
  { live, removal }: Situation,
  origin: PageOrigin | undefined,
): Verdict {
  if (origin === undefined) return live === undefined ? 'unchanged' : 'write'
  if (live === undefined) {
    const isKnown = removal !== undefined && (updatedAt ?? 0) <= (removal.updatedAt ?? 0)
    return isKnown && origin.kind === 'read' ? 'unchanged' : 'write'
  }
  if (origin.kind === 'read' && (live.delivered ?? 0) > origin.marker) return 'read_again'
  if (updatedAt === undefined) return 'write'
  const order = orderOf(updatedAt, live)
  if (order === 'older') return 'stale'
  return order === 'same' && origin.kind === 'delivery' ? 'read_again' : 'write'
}

/** Compares times from the source only, never a time that the index set. */
function orderOf(updatedAt: number | undefined, row: KnownRow): 'older' | 'same' | 'newer' | 'unknown' {
  if (updatedAt === undefined || (row.times_given & UPDATED_GIVEN) === 0) return 'unknown'
  if (updatedAt === row.updated_at) return 'same'
  return updatedAt < row.updated_at ? 'older' : 'newer'
}

/** True for words from before the change with which the document was removed. */
function isBefore(updatedAt: number | undefined, removal: Remembered | undefined): boolean {
  return updatedAt !== undefined && removal?.updatedAt !== undefined && updatedAt < removal.updatedAt
}

function isAfter(removal: Remembered | undefined, marker: number): boolean {
  return removal !== undefined && removal.marker > marker
}
