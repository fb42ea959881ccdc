/**
 * Plans a page: compares its last statement about each document with the index.
 * An older document changes nothing, an unchanged one is recognised by its hash.
 * The plan keeps the version of every document, so that the write can verify it.
 */
import { toNameKey } from '../../base/repository-name.ts'
import type { DocumentChange, Document, Identity } from '../../documents/document.ts'
import type { Index } from '../sql/index-database.ts'
import { UPDATED_GIVEN, type DocumentWrite } from '../documents/document-rows.ts'
import { authorKey, authorNames } from '../filters/author-names.ts'
import { packJson } from '../sql/json-rows.ts'
import type { ResolvedRepository } from './repositories.ts'
import { toStored, toStoredIdentity, type StoredDocument } from '../documents/stored-document.ts'
import { vectorIdOf } from '../documents/vector-id.ts'

/** Counts of documents: written, equal to the index's, older than the index's, removed. */
export interface PageSummary {
  readonly written: number
  readonly unchanged: number
  readonly stale: number
  readonly removed: number
}

/** The last statement of a page about one document: an optional removal, then an optional put. */
export interface Intent {
  readonly identity: Identity
  readonly repository: string
  readonly put?: StoredDocument
  /** The page removes it before the put, so the put applies even if it is older than the index's. */
  readonly removed: boolean
}

export interface PagePlan {
  /** Versions that the plan is based on; 0 for a document without a row. */
  readonly versions: readonly (readonly [vectorId: string, version: number])[]
  readonly writes: readonly DocumentWrite[]
  /** Numbers of documents that are rewritten. */
  readonly rewritten: readonly number[]
  /** The `author_key` that rewritten documents have no longer. */
  readonly formerAuthors: readonly string[]
  /** Numbers of documents that are removed. */
  readonly removed: readonly number[]
  readonly summary: PageSummary
}

interface KnownRow {
  readonly vector_id: string
  readonly document: number
  readonly version: number
  readonly content_hash: string
  readonly text_hash: string
  readonly author_key: string | null
  readonly created_at: number
  readonly updated_at: number
  readonly times_given: number
  readonly deleted_at: number | null
}

/** Reduces the changes of a page, in order, to one intent for each document. */
export function toIntents(changes: readonly DocumentChange[]): Intent[] {
  const intents = new Map<string, Intent>()
  for (const change of changes) {
    const subject = 'put' in change ? change.put : change.remove
    const repository = toNameKey(subject.repository.name)
    const identity = toStoredIdentity(subject.identity)
    const key = `${repository}\0${vectorIdOf(identity, 0)}`
    const before = intents.get(key)
    if ('remove' in change) {
      intents.set(key, { identity, repository, removed: true })
    } else if (before?.put === undefined || !isOlder(change.put, before.put.document)) {
      intents.set(key, { identity, repository, removed: before?.removed ?? false, put: toStored(change.put) })
    }
  }
  return [...intents.values()]
}

/** True if both have a time from their source and the first is older. */
function isOlder(one: Document, other: Document): boolean {
  return one.updatedAt !== undefined && other.updatedAt !== undefined && one.updatedAt < other.updatedAt
}

/** Compares the intents with the rows of the index. */
export async function planPage(
  index: Index,
  intents: readonly Intent[],
  repositories: ReadonlyMap<string, ResolvedRepository>,
  nowMs: number,
): Promise<PagePlan> {
  const placed = intents.map((intent) => {
    const { repoId } = repositories.get(intent.repository)!
    return { intent, repoId, vectorId: vectorIdOf(intent.identity, repoId) }
  })
  const known = await readKnown(
    index,
    placed.map(({ vectorId }) => vectorId),
  )
  const versions: [string, number][] = []
  const writes: DocumentWrite[] = []
  const rewritten: number[] = []
  const formerAuthors: string[] = []
  const removed: number[] = []
  let [unchanged, stale] = [0, 0]
  for (const { intent, repoId, vectorId } of placed) {
    const row = known.get(vectorId)
    const live = row?.deleted_at === null ? row : undefined
    const { put } = intent
    versions.push([vectorId, row?.version ?? 0])
    if (put === undefined) {
      if (live !== undefined) removed.push(live.document)
    } else if (live?.content_hash === put.contentHash) {
      unchanged += 1
    } else if (live !== undefined && !intent.removed && isStale(put.document, live)) {
      stale += 1
    } else {
      writes.push({ vectorId, repoId, stored: put, ...timesOf(put, live, nowMs) })
      if (row === undefined) continue
      rewritten.push(row.document)
      if (row.author_key !== null && row.author_key !== authorKey(authorNames(put.document))) {
        formerAuthors.push(row.author_key)
      }
    }
  }
  const summary = { written: writes.length, unchanged, stale, removed: removed.length }
  return { versions, writes, rewritten, formerAuthors, removed, summary }
}

async function readKnown(index: Index, vectorIds: readonly string[]): Promise<Map<string, KnownRow>> {
  const known = new Map<string, KnownRow>()
  for (const json of packJson(vectorIds)) {
    const { results } = await index.database
      .prepare(
        `SELECT d.vector_id, document, version, content_hash, text_hash, author_key, created_at, updated_at,
           times_given, deleted_at
         FROM json_each(?1) e JOIN documents d ON d.vector_id = e.value`,
      )
      .bind(json)
      .all<KnownRow>()
    for (const row of results) known.set(row.vector_id, row)
  }
  return known
}

/** Compares times from the source only, never a time that the index set. */
function isStale(document: Document, row: KnownRow): boolean {
  return (
    document.updatedAt !== undefined && (row.times_given & UPDATED_GIVEN) !== 0 && document.updatedAt < row.updated_at
  )
}

/** A time that the source does not give is the time of the import; `updatedAt` moves when the text changes. */
function timesOf(
  put: StoredDocument,
  row: KnownRow | undefined,
  nowMs: number,
): { createdAt: number; updatedAt: number } {
  const { createdAt, updatedAt } = put.document
  const sameText = row !== undefined && row.text_hash === put.textHash
  return {
    createdAt: createdAt ?? row?.created_at ?? updatedAt ?? nowMs,
    updatedAt: updatedAt ?? (sameText ? row.updated_at : nowMs),
  }
}
