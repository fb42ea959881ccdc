/**
 * The shadow index: a second word index, filled document by document and swapped
 * in by one transaction. FTS5 counts every row that was ever inserted, so its
 * averages drift as rows are rewritten; a new table counts correctly. Until the
 * swap the old table answers queries. Pages write to the old table only, and a
 * document that a page changed is filled in again.
 */
import { CHUNKS_PER_DOCUMENT } from '../../fts/chunk-number.ts'
import { insertedRows, SELECT_AVERAGES_HEAD, type RowCounts } from '../../fts/average-drift.ts'
import type { Index } from '../sql/index-database.ts'
import { isPending } from './pending.ts'
import { versionGuards } from '../sql/guards.ts'
import { putFtsStatements } from '../words/write-words.ts'
import type { VersionedDocument } from '../documents/read-stored.ts'

/** The row of `shadow_documents` that exists while the shadow index is being filled. */
const REBUILD_ROW = 0

/** Live documents that the shadow index lacks, or has in another version. */
const NOT_IN_SHADOW = `documents d LEFT JOIN shadow_documents s ON s.document = d.document
  WHERE d.deleted_at IS NULL AND (s.version IS NOT d.version OR s.words_version IS NOT d.words_version)`

/** Documents in the shadow index that are no longer live. */
const ORPHANS = `shadow_documents s LEFT JOIN documents d ON d.document = s.document AND d.deleted_at IS NULL
  WHERE s.document <> ${REBUILD_ROW} AND d.document IS NULL`

export async function readRowCounts({ database }: Index): Promise<RowCounts> {
  const row = await database
    .prepare(`SELECT (${SELECT_AVERAGES_HEAD} FROM words_data WHERE id = 1) AS head, chunks FROM corpus`)
    .first<{ head: string | null; chunks: number }>()
  return { inserted: insertedRows(row?.head ?? ''), live: row?.chunks ?? 0 }
}

/** Why the shadow index is filled: the operator requested it, or the averages have drifted. */
export type RebuildReason = 'requested' | 'drift'

/** Undefined while the shadow index is not being filled. */
export async function readRebuildReason({ database }: Index): Promise<RebuildReason | undefined> {
  const requested = await database
    .prepare(`SELECT words_version FROM shadow_documents WHERE document = ${REBUILD_ROW}`)
    .first<number>('words_version')
  if (requested === null) return undefined
  return requested === 1 ? 'requested' : 'drift'
}

const CREATE_SHADOW = `CREATE VIRTUAL TABLE shadow_words USING fts5 (
  k, t, p, b, x, f, content = '', contentless_delete = 1, tokenize = 'ascii')`

/** Empties the shadow index and ends the rebuild of it. */
export function emptyShadowStatements(database: D1Database): D1PreparedStatement[] {
  const sqls = ['DROP TABLE shadow_words', CREATE_SHADOW, 'DELETE FROM shadow_documents']
  return sqls.map((sql) => database.prepare(sql))
}

/** Begins to fill the shadow index, or continues; a requested rebuild stays requested. */
export function beginShadowStatement(database: D1Database, reason: RebuildReason): D1PreparedStatement {
  return database
    .prepare(
      `INSERT INTO shadow_documents (document, version, words_version) VALUES (${REBUILD_ROW}, 0, ?1)
       ON CONFLICT (document) DO UPDATE SET words_version = max(words_version, excluded.words_version)`,
    )
    .bind(reason === 'requested' ? 1 : 0)
}

/** The number of documents to fill in. */
export async function countMissing({ database }: Index): Promise<number> {
  return (await database.prepare(`SELECT count(*) AS missing FROM ${NOT_IN_SHADOW}`).first<number>('missing')) ?? 0
}

/** Numbers of documents to fill in, in order, after a number. */
export async function listMissing({ database }: Index, after: number, limit: number): Promise<number[]> {
  const { results } = await database
    .prepare(`SELECT d.document FROM ${NOT_IN_SHADOW} AND d.document > ?1 ORDER BY d.document LIMIT ?2`)
    .bind(after, limit)
    .all<{ document: number }>()
  return results.map(({ document }) => document)
}

/** Fills in one document as it was read. Throws a guard failure if it has changed since. */
export async function fillShadow({ database }: Index, document: number, read: VersionedDocument): Promise<void> {
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

/** Drops up to `limit` documents that are no longer live from the shadow index; returns how many. */
export async function dropOrphans({ database }: Index, limit: number): Promise<number> {
  const { results } = await database
    .prepare(`SELECT s.document FROM ${ORPHANS} LIMIT ?1`)
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

/** Replaces the word index by its shadow. Throws a guard failure unless that has exactly the live documents, each as it is. */
export async function swapShadow({ database }: Index): Promise<void> {
  const guards = [
    `SELECT 0 FROM ${NOT_IN_SHADOW} LIMIT 1`,
    `SELECT 0 FROM ${ORPHANS} LIMIT 1`,
    `SELECT 0 FROM documents WHERE ${isPending('words')} LIMIT 1`,
  ]
  const sqls = [
    ...guards.map((guard) => `INSERT INTO guards (holds) ${guard}`),
    'DROP TABLE words',
    'ALTER TABLE shadow_words RENAME TO words',
    CREATE_SHADOW,
    'DELETE FROM shadow_documents',
    // The rows that the table was given are counted from its beginning.
    'UPDATE corpus SET counted_chunks = 0, counted_rows = 0',
  ]
  await database.batch(sqls.map((sql) => database.prepare(sql)))
}
