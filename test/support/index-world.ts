/** The index of a test file: filling it, emptying it, reading it whole, and checking its invariants. */
import { env } from 'cloudflare:workers'
import type { Document } from '../../src/documents/document.ts'
import { LIST_FIELDS } from '../../src/documents/fields.ts'
import { readStored } from '../../src/index/documents/read-stored.ts'
import type { SourceCursorMove } from '../../src/index/documents/source-cursors.ts'
import type { Index } from '../../src/index/sql/index-database.ts'
import type { ImportCounts } from '../../src/contracts/admin/import-contract.ts'
import { importPage } from '../../src/ingest/import-page.ts'
import { toNdjson, type Line } from './lines.ts'

export const index: Index = { database: env.DB }

/** The time of imports, searches and maintenance runs unless a test gives another. */
export const NOW = Date.UTC(2026, 10, 30, 12)

/** Imports the lines as one page; throws if it is refused. */
export async function put(lines: readonly Line[], nowMs = NOW, cursor?: SourceCursorMove): Promise<ImportCounts> {
  const result = await importPage(index, toNdjson(lines), cursor, nowMs)
  if (!result.ok) throw new Error(result.failure.message)
  return result.value
}

/** Empties the index, repositories and numbers included. */
export async function clearIndex(): Promise<void> {
  const tables = [
    'repositories',
    'repository_names',
    'documents',
    'segments',
    ...LIST_FIELDS.map(({ property }) => property),
    'author_names',
    'edges',
    'shadow_documents',
    'cursors',
    'retries',
    'vectors',
    'free_slots',
    'sketches',
    'vector_state',
    'configured_names',
    'surface_reads',
    'removals',
    'pending_reads',
    'deliveries',
    'leases',
    'github_limits',
    'common_terms',
  ]
  await env.DB.batch([
    env.DB.prepare('DELETE FROM words WHERE rowid IN (SELECT chunk FROM chunks)'),
    env.DB.prepare('DELETE FROM chunks'),
    env.DB.prepare('DELETE FROM shadow_words WHERE rowid >= 0'),
    ...tables.map((table) => env.DB.prepare(`DELETE FROM ${table}`)),
    env.DB.prepare('UPDATE ingestion SET marker = 0'),
    env.DB.prepare('UPDATE corpus SET chunks = 0, length = 0, counted_chunks = 0, counted_rows = 0'),
  ])
}

/** Every live document as it is read back, in the order of the numbers. */
export async function allDocuments(): Promise<Document[]> {
  const { results } = await env.DB.prepare(
    'SELECT document FROM documents WHERE deleted_at IS NULL ORDER BY document',
  ).all<{ document: number }>()
  const read = await Promise.all(results.map(({ document }) => readStored(index, document)))
  return read.map((one) => one!.document)
}

/** The invariants of the tables that are broken. After a transaction there must be none. */
export async function brokenInvariants(): Promise<string[]> {
  const checks: [string, string][] = [
    ['corpus counts the chunks', 'SELECT 1 FROM corpus WHERE chunks <> (SELECT count(*) FROM chunks)'],
    ['corpus sums the lengths', 'SELECT 1 FROM corpus WHERE length <> (SELECT coalesce(sum(length), 0) FROM chunks)'],
    [
      'every chunk belongs to a live document',
      'SELECT 1 FROM chunks WHERE chunk / 8192 NOT IN (SELECT document FROM documents WHERE deleted_at IS NULL)',
    ],
    [
      'every live document has chunks, or its words are pending',
      `SELECT 1 FROM documents WHERE deleted_at IS NULL AND words_version > 0
       AND document NOT IN (SELECT chunk / 8192 FROM chunks)`,
    ],
    [
      'every chunk has an FTS row, and every FTS row a chunk',
      `SELECT 1 WHERE (SELECT group_concat(chunk) FROM (SELECT chunk FROM chunks ORDER BY chunk))
       IS NOT (SELECT group_concat(id) FROM (SELECT id FROM words_docsize ORDER BY id))`,
    ],
    [
      'every edge belongs to a live document',
      'SELECT 1 FROM edges WHERE edge / 512 NOT IN (SELECT document FROM documents WHERE deleted_at IS NULL)',
    ],
    [
      'every live document has an anchor, or its edges are pending',
      'SELECT 1 FROM documents WHERE deleted_at IS NULL AND edges_version > 0 AND anchor IS NULL',
    ],
    ...LIST_FIELDS.map(({ property }): [string, string] => [
      `every row of ${property} belongs to a document`,
      `SELECT 1 FROM ${property} WHERE document NOT IN (SELECT document FROM documents)`,
    ]),
    ['the table of guards is empty', 'SELECT 1 FROM guards'],
    [
      'every vector belongs to a document',
      'SELECT 1 FROM vectors WHERE chunk / 8192 NOT IN (SELECT document FROM documents)',
    ],
    [
      'every slot is either used or free',
      `SELECT 1 WHERE (SELECT count(DISTINCT slot) FROM (SELECT slot FROM vectors UNION ALL SELECT slot FROM free_slots))
       IS NOT (SELECT coalesce(max(slot), -1) + 1 FROM (SELECT slot FROM vectors UNION ALL SELECT slot FROM free_slots))`,
    ],
    [
      'the packs contain one record for every slot',
      `SELECT 1 WHERE (SELECT coalesce(sum(length(sketches)), 0) FROM sketches) / 188
       IS NOT (SELECT count(*) FROM vectors) + (SELECT count(*) FROM free_slots)`,
    ],
    [
      'every name refers to a repository',
      'SELECT 1 FROM repository_names WHERE repository NOT IN (SELECT repository FROM repositories)',
    ],
  ]
  const results = await env.DB.batch(checks.map(([, sql]) => env.DB.prepare(sql)))
  await env.DB.prepare(`INSERT INTO words (words) VALUES ('integrity-check')`).run()
  return checks.filter((_, at) => results[at]!.results.length > 0).map(([invariant]) => invariant)
}
