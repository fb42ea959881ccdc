/**
 * Writes a page in one transaction: documents, their words and edges, and the
 * cursor of its source. The transaction verifies the versions that the plan was
 * based on; if another writer changed them, the page is planned again.
 */
import { toNameKey } from '../../base/repository-name.ts'
import type { DocumentChange } from '../../documents/document.ts'
import { ok, refuse, type Result } from '../../base/result.ts'
import { cursorStatement, type SourceCursorMove } from '../documents/source-cursors.ts'
import type { Index } from '../sql/index-database.ts'
import { documentStatements, dropAuthorsStatements } from '../documents/document-rows.ts'
import { dropEdgesStatements, putEdgesStatements } from '../links/edges.ts'
import { isGuardFailure, versionGuards } from '../sql/guards.ts'
import { PAGE_ATTEMPTS } from '../limits.ts'
import { planPage, toIntents, type PagePlan, type PageSummary } from './page-plan.ts'
import { dropWordsStatements, putWordsStatements } from '../words/write-words.ts'
import { repositoryGuards, repositoryStatements, resolveRepositories, type ResolvedRepository } from './repositories.ts'
import { tombstoneStatements } from '../documents/tombstones.ts'

export interface IndexPage {
  readonly changes: readonly DocumentChange[]
  readonly cursor?: SourceCursorMove
}

/**
 * Puts a page whole or not at all. `nowMs` dates documents whose source gives no
 * time. Refuses with BUSY when other writers change the same rows in every try.
 */
export async function putPage(index: Index, page: IndexPage, nowMs: number): Promise<Result<PageSummary>> {
  const intents = toIntents(page.changes)
  const mentions = page.changes.map((change) => ('put' in change ? change.put : change.remove).repository)
  if (page.cursor !== undefined) mentions.push({ name: page.cursor.repository })
  const toCreate = repositoriesToCreate(page)
  for (let attempt = 0; attempt < PAGE_ATTEMPTS; attempt += 1) {
    if (attempt > 0) await pause(attempt)
    try {
      const repositories = await resolveRepositories(index, mentions)
      const plan = await planPage(index, intents, repositories, nowMs)
      const statements = pageStatements(index.database, page, { repositories, toCreate }, plan, nowMs)
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

interface PageRepositories {
  readonly repositories: ReadonlyMap<string, ResolvedRepository>
  /** Keys of the repositories that the page creates if they do not exist. */
  readonly toCreate: ReadonlySet<string>
}

/** A removal creates no repository. */
function repositoriesToCreate({ changes, cursor }: IndexPage): Set<string> {
  const names = changes.flatMap((change) => ('put' in change ? [change.put.repository.name] : []))
  if (cursor !== undefined) names.push(cursor.repository)
  return new Set(names.map(toNameKey))
}

/** The order matters: guards, repositories, drops, puts, the cursor. */
function pageStatements(
  database: D1Database,
  page: IndexPage,
  { repositories, toCreate }: PageRepositories,
  { versions, writes, rewritten, formerAuthors, removed }: PagePlan,
  nowMs: number,
): D1PreparedStatement[] {
  const derived = writes.map(({ stored, ...write }) => ({ ...write, document: stored.document }))
  return [
    ...repositoryGuards(database, repositories),
    ...versionGuards(database, versions),
    ...repositoryStatements(database, new Map([...repositories].filter(([key]) => toCreate.has(key)))),
    ...dropWordsStatements(database, [...removed, ...rewritten]),
    ...dropEdgesStatements(database, [...removed, ...rewritten]),
    ...tombstoneStatements(database, removed, nowMs),
    ...documentStatements(database, writes),
    ...dropAuthorsStatements(database, formerAuthors),
    ...putWordsStatements(database, derived),
    ...putEdgesStatements(database, derived),
    ...(page.cursor === undefined ? [] : [cursorStatement(database, page.cursor, nowMs)]),
  ]
}

/** Waits a random time, so that writers in conflict do not retry together. */
async function pause(attempt: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * attempt))
}
