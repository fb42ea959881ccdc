/**
 * Writes a page in one transaction: documents, their words and edges, what is
 * remembered of removals, pending reads, and the cursors that move with it. The
 * transaction verifies what the plan was based on; if another writer changed it,
 * the page is planned again.
 */
import { ok, refuse, type Result } from '../../base/result.ts'
import type { DocumentChange } from '../../documents/document.ts'
import { documentStatements, dropAuthorsStatements } from '../documents/document-rows.ts'
import { cursorStatement, type SourceCursorMove } from '../documents/source-cursors.ts'
import { tombstoneStatements } from '../documents/tombstones.ts'
import { deliveryStatements, wasDelivered } from '../ingestion/deliveries.ts'
import { holdsLease, leaseGuard, type RunLease } from '../ingestion/leases.ts'
import { advanceMarkerStatement } from '../sql/markers.ts'
import { finishStatements, queueStatements, type QueuedRead, type ReadRequest } from '../ingestion/pending-reads.ts'
import { surfaceStatement, type SurfaceMove } from '../ingestion/surface-reads.ts'
import { PAGE_ATTEMPTS } from '../limits.ts'
import { dropEdgesStatements, putEdgesStatements } from '../links/edges.ts'
import { isGuardFailure, versionGuards } from '../sql/guards.ts'
import type { Index } from '../sql/index-database.ts'
import { statementsFor } from '../sql/json-rows.ts'
import { dropWordsStatements, putWordsStatements } from '../words/write-words.ts'
import { placePage, type PagePlace } from './page-place.ts'
import { planPage, toIntents, type PagePlan, type PageSummary } from './page-plan.ts'
import { forgetRemovalStatements, memoryGuards, rememberStatements } from './removal-memory.ts'
import type { PageOrigin } from './verdict.ts'

export interface IndexPage {
  readonly changes: readonly DocumentChange[]
  /** Of an import. */
  readonly cursor?: SourceCursorMove
  /** Absent for an import. Repositories of a page with an origin must be in the index. */
  readonly origin?: PageOrigin
  readonly surface?: SurfaceMove
  /** Reads to queue. */
  readonly pending?: readonly ReadRequest[]
  /** Reads that this page finishes, unless they were queued again. */
  readonly fetched?: readonly QueuedRead[]
  /** The page is refused if another process has taken it. */
  readonly lease?: RunLease
}

const NOTHING: PageSummary = { written: 0, unchanged: 0, stale: 0, removed: 0, pending: 0 }

/**
 * Puts a page whole or not at all. `nowMs` dates documents whose source gives no
 * time. Refuses with BUSY when the lease is lost, or when other writers change the
 * same rows in every try; with NOT_FOUND when a repository of a page with an
 * origin is not in the index. With `dryRemoved` it plans and counts only: the set
 * holds what earlier pages would have removed, so that nothing counts twice.
 */
export async function putPage(
  index: Index,
  page: IndexPage,
  nowMs: number,
  { dryRemoved }: { readonly dryRemoved?: Set<number> | undefined } = {},
): Promise<Result<PageSummary>> {
  const { origin, lease } = page
  const intents = toIntents(page.changes)
  for (let attempt = 0; attempt < PAGE_ATTEMPTS; attempt += 1) {
    if (attempt > 0) await pause(attempt)
    if (origin?.kind === 'delivery' && (await wasDelivered(index, origin))) return ok({ ...NOTHING, duplicate: true })
    if (lease !== undefined && !(await holdsLease(index, lease))) return refuse(LEASE_LOST)
    try {
      const place = await placePage(index, page)
      if (!place.ok) return place
      const plan = await planPage(index, intents, place.value.repositories, { origin, nowMs })
      if (dryRemoved !== undefined) return ok(countOnce(plan, dryRemoved))
      const statements = pageStatements(index.database, page, place.value, plan, nowMs)
      if (statements.length > 0) await index.database.batch(statements)
      return ok(plan.summary)
    } catch (error) {
      if (!isGuardFailure(error)) throw error
    }
  }
  return refuse({
    code: 'BUSY',
    message: 'Other writers keep changing the same documents; this page was not written.',
    retryAfterMs: 1_000,
  })
}

/** The summary of a page that is not written; adds the documents that it would have removed. */
function countOnce({ summary, removed }: PagePlan, dryRemoved: Set<number>): PageSummary {
  const before = dryRemoved.size
  for (const document of removed) dryRemoved.add(document)
  return { ...summary, removed: dryRemoved.size - before }
}

const LEASE_LOST = {
  code: 'BUSY',
  message: 'Another run has taken over; this page was not written.',
  retryAfterMs: 1_000,
} as const

/** The order matters: guards, repositories, the marker, drops, puts, and what moves with them. */
function pageStatements(
  database: D1Database,
  page: IndexPage,
  place: PagePlace,
  plan: PagePlan,
  nowMs: number,
): D1PreparedStatement[] {
  const { writes, rewritten, removed } = plan
  const moves = moveStatements(database, page, plan, nowMs)
  if (page.origin !== undefined && writes.length + removed.length + moves.length === 0) return []
  const derived = writes.map(({ stored, vectorId, createdAt, updatedAt }) => ({
    vectorId,
    createdAt,
    updatedAt,
    document: stored.document,
  }))
  return [
    ...(page.lease === undefined ? [] : [leaseGuard(database, page.lease)]),
    ...place.guards,
    ...versionGuards(database, plan.versions),
    ...memoryGuards(database, plan.memoryKeys, plan.memory),
    ...plan.cascade.guards,
    ...place.statements,
    ...(advancesMarker(page, plan) ? [advanceMarkerStatement(database)] : []),
    ...dropWordsStatements(database, [...removed, ...rewritten]),
    ...dropEdgesStatements(database, [...removed, ...rewritten]),
    ...tombstoneStatements(database, removed, nowMs),
    ...documentStatements(database, writes),
    ...dropAuthorsStatements(database, plan.formerAuthors),
    ...putWordsStatements(database, derived),
    ...putEdgesStatements(database, derived),
    ...moves,
  ]
}

function advancesMarker({ origin, pending = [] }: IndexPage, { writes, remembered, toReadAgain }: PagePlan): boolean {
  const delivered = origin?.kind === 'delivery' ? writes.length : 0
  return delivered + remembered.length + toReadAgain.length + pending.length > 0
}

/** Statements that go with the documents: cursors, the memory of removals, pending reads, the delivery. */
function moveStatements(
  database: D1Database,
  { cursor, surface, origin, pending = [], fetched = [] }: IndexPage,
  { sourceVersions, remembered, forgotten, toReadAgain }: PagePlan,
  nowMs: number,
): D1PreparedStatement[] {
  return [
    ...(cursor === undefined ? [] : [cursorStatement(database, cursor, nowMs)]),
    ...statementsFor(
      database,
      `UPDATE documents SET source_version = e.value ->> 1 FROM json_each(?1) e WHERE vector_id = e.value ->> 0`,
      sourceVersions,
    ),
    ...forgetRemovalStatements(database, forgotten),
    ...rememberStatements(database, remembered, nowMs),
    ...finishStatements(database, fetched),
    ...queueStatements(database, [...toReadAgain, ...pending], nowMs),
    ...(surface === undefined ? [] : [surfaceStatement(database, surface, nowMs)]),
    ...(origin?.kind === 'delivery' ? deliveryStatements(database, origin, nowMs) : []),
  ]
}

/** Waits a random time, so that writers in conflict do not retry together. */
async function pause(attempt: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt))
}
