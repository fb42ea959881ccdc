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
import { judgePut, judgeRemoval, readOf, type KnownRow, type PageOrigin, type Situation } from './verdict.ts'
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

/** A plan writes this, and was based on this. */
export interface PagePlan {
  /** Versions of the rows; 0 for a document without a row. */
  readonly versions: readonly (readonly [vectorId: string, version: number])[]
  /** The documents whose removals were looked up; empty for an import. */
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

/** The verdicts about the intents of a page, added up. */
interface Verdicts {
  readonly writes: DocumentWrite[]
  readonly sourceVersions: [vectorId: string, sourceVersion: string][]
  readonly rewritten: number[]
  readonly formerAuthors: string[]
  readonly removals: PlacedIntent[]
  readonly toReadAgain: ReadRequest[]
  unchanged: number
  stale: number
}

/** An intent with the rows and the memory that it is judged by. */
interface Case {
  readonly one: PlacedIntent
  readonly row: KnownRow | undefined
  readonly situation: Situation
}

interface PlanOptions {
  readonly origin: PageOrigin | undefined
  readonly nowMs: number
}

/** Compares the intents with the rows of the index. */
export async function planPage(
  index: Index,
  intents: readonly Intent[],
  repositories: ReadonlyMap<string, ResolvedRepository>,
  options: PlanOptions,
): Promise<PagePlan> {
  const { origin } = options
  const placed = intents.map((intent) => place(intent, repositories.get(intent.repository)!.repoId))
  const known = await readKnown(
    index,
    placed.map(({ vectorId }) => vectorId),
  )
  const memoryKeys = origin === undefined ? [] : placed
  const memory = origin === undefined ? NO_MEMORY : await readMemory(index, memoryKeys)
  const verdicts: Verdicts = {
    writes: [],
    sourceVersions: [],
    rewritten: [],
    formerAuthors: [],
    removals: [],
    toReadAgain: [],
    unchanged: 0,
    stale: 0,
  }
  for (const one of placed) {
    const situated = situate(one, known.get(one.vectorId), memory)
    if (one.intent.put === undefined) planRemoval(verdicts, situated, origin)
    else planPut(verdicts, situated, one.intent.put, options)
  }
  const { writes, sourceVersions, rewritten, formerAuthors, removals, unchanged, stale } = verdicts
  const wholes = origin === undefined ? [] : removals.map(({ repoId, intent: { identity } }) => ({ repoId, identity }))
  const cascade = await readCascade(index, wholes)
  const puts = new Set(placed.flatMap(({ intent, vectorId }) => (intent.put === undefined ? [] : [vectorId])))
  const rows = removals.flatMap(({ vectorId }) => known.get(vectorId) ?? [])
  const removed = new Set([
    ...rows.filter((row) => row.deleted_at === null).map(({ document }) => document),
    ...cascade.parts.filter(({ vectorId }) => !puts.has(vectorId)).map(({ document }) => document),
  ])
  const toReadAgain = distinct(verdicts.toReadAgain)
  return {
    versions: placed.map(({ vectorId }) => [vectorId, known.get(vectorId)?.version ?? 0] as const),
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
    toReadAgain,
    summary: { written: writes.length, unchanged, stale, removed: removed.size, pending: toReadAgain.length },
  }
}

function situate(one: PlacedIntent, row: KnownRow | undefined, { byId, byThread }: RemovalMemory): Case {
  const { intent, repoId, vectorId, number } = one
  const situation = {
    type: intent.identity.type,
    live: row?.deleted_at === null ? row : undefined,
    removal: byId.get(vectorId),
    threadRemoval: number === undefined ? undefined : byThread.get(threadKey(repoId, number)),
  }
  return { one, row, situation }
}

function planRemoval(verdicts: Verdicts, { one, situation }: Case, origin: PageOrigin | undefined): void {
  const { intent, repoId, number } = one
  const verdict = judgeRemoval(intent.removedAt, situation, origin)
  if (verdict === 'write') verdicts.removals.push(one)
  if (verdict === 'stale') verdicts.stale += 1
  if (verdict === 'read_again') {
    verdicts.toReadAgain.push({ repoId, ...readOf(intent.identity, situation.live?.number ?? number) })
  }
}

function planPut(
  verdicts: Verdicts,
  { one, row, situation }: Case,
  put: StoredDocument,
  { origin, nowMs }: PlanOptions,
): void {
  const { intent, repoId, vectorId, number } = one
  const { sourceVersion } = intent
  const { live } = situation
  const { contentHash, document } = put
  const verdict = judgePut({ contentHash, updatedAt: document.updatedAt, removed: intent.removed }, situation, origin)
  if (verdict === 'stale') verdicts.stale += 1
  if (verdict === 'unchanged') {
    verdicts.unchanged += 1
    const isMoved = sourceVersion !== undefined && sourceVersion !== live?.source_version
    if (isMoved) verdicts.sourceVersions.push([vectorId, sourceVersion])
  }
  if (verdict === 'read_again') {
    verdicts.toReadAgain.push({ repoId, ...readOf(intent.identity, number) })
    if (situation.threadRemoval) verdicts.toReadAgain.push({ repoId, kind: 'thread', key: String(number) })
  }
  if (verdict !== 'write') return
  const isDelivered = origin?.kind === 'delivery'
  verdicts.writes.push({ vectorId, repoId, stored: put, sourceVersion, isDelivered, ...timesOf(put, live, nowMs) })
  if (row === undefined) return
  verdicts.rewritten.push(row.document)
  if (row.author_key !== null && row.author_key !== authorKey(authorNames(document))) {
    verdicts.formerAuthors.push(row.author_key)
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
