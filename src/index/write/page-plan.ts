/**
 * Plans a page: compares its last statement about each document with the index,
 * and with what is remembered of removals. verdict.ts decides what becomes of each.
 * The plan keeps what it was based on, so that the write can verify it.
 */
import { toNameKey } from '../../base/repository-name.ts'
import { valueOf, type Document, type DocumentChange, type Identity } from '../../documents/document.ts'
import type { Index } from '../sql/index-database.ts'
import type { DocumentWrite } from '../documents/document-rows.ts'
import { authorKey, authorNames } from '../filters/author-names.ts'
import type { ReadRequest } from '../ingestion/pending-reads.ts'
import { packJson } from '../sql/json-rows.ts'
import { isThread, readCascade, type Cascade } from './cascade.ts'
import { readMemory, threadKey, type MemoryKey, type NewRemoval, type RemovalMemory } from './removal-memory.ts'
import type { ResolvedRepository } from './repositories.ts'
import { judgePut, judgeRemoval, readOf, type KnownRow, type PageOrigin } from './verdict.ts'
import { toStored, toStoredIdentity, type StoredDocument } from '../documents/stored-document.ts'
import { vectorIdOf } from '../documents/vector-id.ts'

/** Counts of documents: written, equal to the index's, older than the index's, removed. */
export interface PageSummary {
  readonly written: number
  readonly unchanged: number
  readonly stale: number
  readonly removed: number
  /** Reads that the page queued, because what it says is not certain. */
  readonly pending: number
  /** The delivery was committed before; nothing was done. */
  readonly duplicate?: true
}

/** The last statement of a page about one document: an optional removal, then an optional put. */
export interface Intent {
  readonly identity: Identity
  readonly repository: string
  readonly put?: StoredDocument
  readonly sourceVersion?: string
  /** The page removes it before the put, so the put applies even if it is older than the index's. */
  readonly removed: boolean
  /** When the source changed it last, as the removal says. */
  readonly removedAt?: number
}

/** What a plan was based on and what it writes. */
export interface PagePlan {
  /** Versions of the rows; 0 for a document without a row. */
  readonly versions: readonly (readonly [vectorId: string, version: number])[]
  /** What was remembered of the documents; empty for an import. */
  readonly memoryKeys: readonly MemoryKey[]
  readonly memory: RemovalMemory
  readonly cascade: Cascade
  readonly writes: readonly DocumentWrite[]
  /** Unchanged documents whose version at the source is another one. */
  readonly sourceVersions: readonly (readonly [vectorId: string, sourceVersion: string])[]
  /** Numbers of documents that are rewritten. */
  readonly rewritten: readonly number[]
  /** The `author_key` that rewritten documents have no longer. */
  readonly formerAuthors: readonly string[]
  /** Numbers of documents that are removed. */
  readonly removed: readonly number[]
  readonly remembered: readonly NewRemoval[]
  /** Ids of documents whose removal is forgotten. */
  readonly forgotten: readonly string[]
  readonly toReadAgain: readonly ReadRequest[]
  readonly summary: PageSummary
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
      const { updatedAt } = change.remove
      intents.set(key, {
        identity,
        repository,
        removed: true,
        ...(updatedAt !== undefined && { removedAt: updatedAt }),
      })
    } else if (before?.put === undefined || !isOlder(change.put, before.put.document)) {
      const { put, sourceVersion } = change
      const kept = { identity, repository, removed: before?.removed ?? false, put: toStored(put) }
      intents.set(key, { ...kept, ...(sourceVersion !== undefined && { sourceVersion }) })
    }
  }
  return [...intents.values()]
}

/** True if both have a time from their source and the first is older. */
function isOlder(one: Document, other: Document): boolean {
  return one.updatedAt !== undefined && other.updatedAt !== undefined && one.updatedAt < other.updatedAt
}

const NO_MEMORY: RemovalMemory = { byId: new Map(), byThread: new Map() }

interface PlacedIntent extends MemoryKey {
  readonly intent: Intent
}

/** Compares the intents with the rows of the index. */
export async function planPage(
  index: Index,
  intents: readonly Intent[],
  repositories: ReadonlyMap<string, ResolvedRepository>,
  { origin, nowMs }: { readonly origin: PageOrigin | undefined; readonly nowMs: number },
): Promise<PagePlan> {
  const placed = intents.map((intent) => place(intent, repositories.get(intent.repository)!.repoId))
  const known = await readKnown(
    index,
    placed.map(({ vectorId }) => vectorId),
  )
  const memoryKeys = origin === undefined ? [] : placed
  const memory = origin === undefined ? NO_MEMORY : await readMemory(index, memoryKeys)
  const versions = placed.map(({ vectorId }) => [vectorId, known.get(vectorId)?.version ?? 0] as const)
  const writes: DocumentWrite[] = []
  const sourceVersions: [string, string][] = []
  const rewritten: number[] = []
  const formerAuthors: string[] = []
  const removals: PlacedIntent[] = []
  const toReadAgain: ReadRequest[] = []
  let [unchanged, stale] = [0, 0]
  for (const one of placed) {
    const { intent, repoId, vectorId, number } = one
    const row = known.get(vectorId)
    const live = row?.deleted_at === null ? row : undefined
    const removal = memory.byId.get(vectorId)
    const threadRemoval = number === undefined ? undefined : memory.byThread.get(threadKey(repoId, number))
    const situation = { type: intent.identity.type, live, removal, threadRemoval }
    const { put, sourceVersion } = intent
    if (put === undefined) {
      const verdict = judgeRemoval(intent.removedAt, situation, origin)
      if (verdict === 'write') removals.push(one)
      if (verdict === 'stale') stale += 1
      if (verdict === 'read_again') toReadAgain.push({ repoId, ...readOf(intent.identity, live?.number ?? number) })
      continue
    }
    const statement = { contentHash: put.contentHash, updatedAt: put.document.updatedAt, removed: intent.removed }
    const verdict = judgePut(statement, situation, origin)
    if (verdict === 'unchanged') {
      unchanged += 1
      if (sourceVersion !== undefined && sourceVersion !== live?.source_version) {
        sourceVersions.push([vectorId, sourceVersion])
      }
    } else if (verdict === 'stale') {
      stale += 1
    } else if (verdict === 'read_again') {
      toReadAgain.push({ repoId, ...readOf(intent.identity, number) })
      if (threadRemoval !== undefined) toReadAgain.push({ repoId, kind: 'thread', key: String(number) })
    } else {
      const isDelivered = origin?.kind === 'delivery'
      writes.push({ vectorId, repoId, stored: put, sourceVersion, isDelivered, ...timesOf(put, live, nowMs) })
      if (row === undefined) continue
      rewritten.push(row.document)
      if (row.author_key !== null && row.author_key !== authorKey(authorNames(put.document))) {
        formerAuthors.push(row.author_key)
      }
    }
  }
  const wholes = origin === undefined ? [] : removals.map(({ repoId, intent: { identity } }) => ({ repoId, identity }))
  const cascade = await readCascade(index, wholes)
  const puts = new Set(placed.flatMap(({ intent, vectorId }) => (intent.put === undefined ? [] : [vectorId])))
  const removed = new Set([
    ...removals.flatMap(({ vectorId }) =>
      known.get(vectorId)?.deleted_at === null ? [known.get(vectorId)!.document] : [],
    ),
    ...cascade.parts.flatMap(({ vectorId, document }) => (puts.has(vectorId) ? [] : [document])),
  ])
  const reads = distinct(toReadAgain)
  return {
    versions,
    memoryKeys,
    memory,
    cascade,
    writes,
    sourceVersions,
    rewritten,
    formerAuthors,
    removed: [...removed],
    remembered: removals.filter(({ repoId }) => repoId > 0).map(toNewRemoval),
    forgotten: writes.flatMap(({ vectorId }) => (origin === undefined || memory.byId.has(vectorId) ? [vectorId] : [])),
    toReadAgain: reads,
    summary: { written: writes.length, unchanged, stale, removed: removed.size, pending: reads.length },
  }
}

/** With the number of the thread that it belongs to, if it is not one itself. */
function place(intent: Intent, repoId: number): PlacedIntent {
  const { identity, put } = intent
  const number = put === undefined || isThread(identity) ? undefined : valueOf(put.document, 'number')
  return { intent, repoId, vectorId: vectorIdOf(identity, repoId), number }
}

function toNewRemoval({ intent: { identity, removedAt }, repoId, vectorId }: PlacedIntent): NewRemoval {
  const number = isThread(identity) && 'number' in identity ? identity.number : undefined
  return { vectorId, repoId, number, updatedAt: removedAt }
}

function distinct(reads: readonly ReadRequest[]): ReadRequest[] {
  return [...new Map(reads.map((read) => [JSON.stringify([read.repoId, read.kind, read.key]), read])).values()]
}

async function readKnown(index: Index, vectorIds: readonly string[]): Promise<Map<string, KnownRow>> {
  const known = new Map<string, KnownRow>()
  for (const json of packJson(vectorIds)) {
    const { results } = await index.database
      .prepare(
        `SELECT d.vector_id, document, version, content_hash, text_hash, author_key, number, created_at, updated_at,
           times_given, source_version, delivered, deleted_at
         FROM json_each(?1) e JOIN documents d ON d.vector_id = e.value`,
      )
      .bind(json)
      .all<KnownRow>()
    for (const row of results) known.set(row.vector_id, row)
  }
  return known
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
