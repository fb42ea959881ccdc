/**
 * The word index made anew in a table beside it, step by step, and put in its
 * place at once. FTS5 counts every row that was ever inserted, so its averages
 * drift as rows are rewritten; only a fresh table counts right. Until the swap
 * the old table answers, and no page needs to know of the fresh one: what a
 * page changed meanwhile is filled in again.
 */
import { CHUNKS_PER_DOCUMENT } from '../../fts/chunk-number.ts'
import { insertedRows, type Drift } from '../../fts/average-drift.ts'
import type { Index } from '../sql/index-database.ts'
import { isPending } from './pending.ts'
import { versionGuards } from '../sql/guards.ts'
import { putFtsStatements } from '../words/write-words.ts'
import type { ReadBack } from '../documents/read-stored.ts'

/** The row of `shadow_documents` that stands for the making itself. */
const REBUILD_ROW = 0

/** Live documents that the fresh table holds not at all, or not as they are. */
const MISSING = `documents d LEFT JOIN shadow_documents f ON f.document = d.document
  WHERE d.deleted_at IS NULL AND (f.version IS NOT d.version OR f.words_version IS NOT d.words_version)`

/** Documents in the fresh table that are gone. */
const STALE = `shadow_documents f LEFT JOIN documents d ON d.document = f.document AND d.deleted_at IS NULL
  WHERE f.document <> ${REBUILD_ROW} AND d.document IS NULL`

export async function readDrift({ database }: Index): Promise<Drift> {
  const row = await database
    .prepare('SELECT (SELECT hex(substr(block, 1, 9)) FROM words_data WHERE id = 1) AS head, chunks FROM corpus')
    .first<{ head: string | null; chunks: number }>()
  return { inserted: insertedRows(row?.head ?? ''), live: row?.chunks ?? 0 }
}

/** Where the making stands: `asked` by the operator, for `drift`, or not under way. */
export async function readRebuildState({ database }: Index): Promise<'asked' | 'drift' | undefined> {
  const requested = await database
    .prepare(`SELECT words_version FROM shadow_documents WHERE document = ${REBUILD_ROW}`)
    .first<number>('words_version')
  if (requested === null) return undefined
  return requested === 1 ? 'asked' : 'drift'
}

const CREATE_SHADOW = `CREATE VIRTUAL TABLE shadow_words USING fts5 (
  k, t, p, b, x, f, content = '', contentless_delete = 1, tokenize = 'ascii')`

/** Forgets what was filled in so far. */
export function emptyShadowStatements(database: D1Database): D1PreparedStatement[] {
  const sqls = ['DROP TABLE shadow_words', CREATE_SHADOW, 'DELETE FROM shadow_documents']
  return sqls.map((sql) => database.prepare(sql))
}

export function beginStatement(database: D1Database, why: 'asked' | 'drift'): D1PreparedStatement {
  return database
    .prepare(
      `INSERT INTO shadow_documents (document, version, words_version) VALUES (${REBUILD_ROW}, 0, ?1)
       ON CONFLICT (document) DO UPDATE SET words_version = max(words_version, excluded.words_version)`,
    )
    .bind(why === 'asked' ? 1 : 0)
}

/** How many live documents the fresh table lacks. */
export async function countMissing({ database }: Index): Promise<number> {
  return (await database.prepare(`SELECT count(*) AS lacking FROM ${MISSING}`).first<number>('lacking')) ?? 0
}

/** Numbers of documents to fill in, in order, after a number. */
export async function listMissing({ database }: Index, after: number, limit: number): Promise<number[]> {
  const { results } = await database
    .prepare(`SELECT d.document FROM ${MISSING} AND d.document > ?1 ORDER BY d.document LIMIT ?2`)
    .bind(after, limit)
    .all<{ document: number }>()
  return results.map(({ document }) => document)
}

/** Fills one document in, as it was read; fails on a guard if it has changed since. */
export async function fillShadow({ database }: Index, document: number, read: ReadBack): Promise<void> {
  await database.batch([
    ...versionGuards(database, [[read.vectorId, read.version]]),
    dropShadowStatement(database, document),
    ...putFtsStatements(database, 'shadow_words', [read]),
    database
      .prepare(
        `INSERT OR REPLACE INTO shadow_documents (document, version, words_version)
         SELECT document, version, words_version FROM documents WHERE document = ?1`,
      )
      .bind(document),
  ])
}

function dropShadowStatement(database: D1Database, document: number): D1PreparedStatement {
  return database
    .prepare(`DELETE FROM shadow_words WHERE rowid >= ?1 AND rowid < ?2`)
    .bind(document * CHUNKS_PER_DOCUMENT, (document + 1) * CHUNKS_PER_DOCUMENT)
}

/** Takes up to `limit` documents that are gone out of the fresh table; returns how many. */
export async function dropStale({ database }: Index, limit: number): Promise<number> {
  const { results } = await database
    .prepare(`SELECT f.document FROM ${STALE} LIMIT ?1`)
    .bind(limit)
    .all<{ document: number }>()
  if (results.length === 0) return 0
  await database.batch(
    results.flatMap(({ document }) => [
      dropShadowStatement(database, document),
      database.prepare('DELETE FROM shadow_documents WHERE document = ?1').bind(document),
    ]),
  )
  return results.length
}

/** Puts the fresh table in the place of the old one; fails on a guard unless it holds every live document as it is. */
export async function swapShadow({ database }: Index): Promise<void> {
  const guards = [
    `SELECT 0 FROM ${MISSING} LIMIT 1`,
    `SELECT 0 FROM ${STALE} LIMIT 1`,
    `SELECT 0 FROM documents WHERE ${isPending('words')} LIMIT 1`,
  ]
  const sqls = [
    ...guards.map((guard) => `INSERT INTO guards (holds) ${guard}`),
    'DROP TABLE words',
    'ALTER TABLE shadow_words RENAME TO words',
    CREATE_SHADOW,
    'DELETE FROM shadow_documents',
  ]
  await database.batch(sqls.map((sql) => database.prepare(sql)))
}
