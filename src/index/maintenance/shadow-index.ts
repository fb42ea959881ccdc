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
import { owes } from './pending.ts'
import { versionGuards } from '../sql/guards.ts'
import { putFtsStatements } from '../words/put-words.ts'
import type { ReadBack } from '../documents/read-stored.ts'

/** The row of `words_filled` that stands for the making itself. */
const MAKING = 0

/** Live documents that the fresh table holds not at all, or not as they are. */
const UNFILLED = `documents d LEFT JOIN words_filled f ON f.document = d.document
  WHERE d.deleted_at IS NULL AND (f.version IS NOT d.version OR f.mark IS NOT d.words_mark)`

/** Documents in the fresh table that are gone. */
const STALE = `words_filled f LEFT JOIN documents d ON d.document = f.document AND d.deleted_at IS NULL
  WHERE f.document <> ${MAKING} AND d.document IS NULL`

export async function readDrift({ database }: Index): Promise<Drift> {
  const row = await database
    .prepare('SELECT (SELECT hex(substr(block, 1, 9)) FROM words_data WHERE id = 1) AS head, chunks FROM corpus')
    .first<{ head: string | null; chunks: number }>()
  return { inserted: insertedRows(row?.head ?? ''), live: row?.chunks ?? 0 }
}

/** Where the making stands: `asked` by the operator, for `drift`, or not under way. */
export async function readMaking({ database }: Index): Promise<'asked' | 'drift' | undefined> {
  const mark = await database.prepare(`SELECT mark FROM words_filled WHERE document = ${MAKING}`).first<number>('mark')
  if (mark === null) return undefined
  return mark === 1 ? 'asked' : 'drift'
}

const CREATE_FRESH = `CREATE VIRTUAL TABLE fresh_words USING fts5 (
  k, t, p, b, x, f, content = '', contentless_delete = 1, tokenize = 'ascii')`

/** Forgets what was filled in so far. */
export function emptyFreshStatements(database: D1Database): D1PreparedStatement[] {
  const sqls = ['DROP TABLE fresh_words', CREATE_FRESH, 'DELETE FROM words_filled']
  return sqls.map((sql) => database.prepare(sql))
}

export function beginStatement(database: D1Database, why: 'asked' | 'drift'): D1PreparedStatement {
  return database
    .prepare(
      `INSERT INTO words_filled (document, version, mark) VALUES (${MAKING}, 0, ?1)
       ON CONFLICT (document) DO UPDATE SET mark = max(mark, excluded.mark)`,
    )
    .bind(why === 'asked' ? 1 : 0)
}

/** How many live documents the fresh table lacks. */
export async function countUnfilled({ database }: Index): Promise<number> {
  return (await database.prepare(`SELECT count(*) AS lacking FROM ${UNFILLED}`).first<number>('lacking')) ?? 0
}

/** Numbers of documents to fill in, in order, after a number. */
export async function listUnfilled({ database }: Index, after: number, limit: number): Promise<number[]> {
  const { results } = await database
    .prepare(`SELECT d.document FROM ${UNFILLED} AND d.document > ?1 ORDER BY d.document LIMIT ?2`)
    .bind(after, limit)
    .all<{ document: number }>()
  return results.map(({ document }) => document)
}

/** Fills one document in, as it was read; fails on a guard if it has changed since. */
export async function fillFresh({ database }: Index, document: number, read: ReadBack): Promise<void> {
  await database.batch([
    ...versionGuards(database, [[read.vectorId, read.version]]),
    dropFreshStatement(database, document),
    ...putFtsStatements(database, 'fresh_words', [read]),
    database
      .prepare(
        `INSERT OR REPLACE INTO words_filled (document, version, mark)
         SELECT document, version, words_mark FROM documents WHERE document = ?1`,
      )
      .bind(document),
  ])
}

function dropFreshStatement(database: D1Database, document: number): D1PreparedStatement {
  return database
    .prepare(`DELETE FROM fresh_words WHERE rowid >= ?1 AND rowid < ?2`)
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
      dropFreshStatement(database, document),
      database.prepare('DELETE FROM words_filled WHERE document = ?1').bind(document),
    ]),
  )
  return results.length
}

/** Puts the fresh table in the place of the old one; fails on a guard unless it holds every live document as it is. */
export async function swapFresh({ database }: Index): Promise<void> {
  const guards = [
    `SELECT 0 FROM ${UNFILLED} LIMIT 1`,
    `SELECT 0 FROM ${STALE} LIMIT 1`,
    `SELECT 0 FROM documents WHERE ${owes('words')} LIMIT 1`,
  ]
  const sqls = [
    ...guards.map((guard) => `INSERT INTO guards (holds) ${guard}`),
    'DROP TABLE words',
    'ALTER TABLE fresh_words RENAME TO words',
    CREATE_FRESH,
    'DELETE FROM words_filled',
  ]
  await database.batch(sqls.map((sql) => database.prepare(sql)))
}
