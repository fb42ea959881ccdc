/**
 * Putting documents into the word index: their chunk rows, FTS rows and the
 * mark that says by which analysis. The FTS row carries the filter tokens, so
 * a change of a label rewrites it even where the text is the same.
 */
import { CHUNKS_PER_DOCUMENT } from '../../fts/chunk-number.ts'
import { pathOf, type Document } from '../../documents/document.ts'
import { sha256Int48 } from '../../base/hash.ts'
import { documentTokens } from '../filters/filter-tokens.ts'
import { packJson, statementsFor } from '../sql/json-rows.ts'
import { ANALYSIS_VERSION, toWordRows, type WordRow } from './word-rows.ts'

/** A document to put: found by its `vector_id` in the same transaction. */
export interface WordsWrite {
  readonly vectorId: string
  readonly document: Document
  readonly createdAt: number
  readonly updatedAt: number
}

const BY_VECTOR_ID = 'FROM json_each(?1) e JOIN documents d ON d.vector_id = e.value ->> 0'
const CHUNK = `d.document * ${CHUNKS_PER_DOCUMENT} + (e.value ->> 1)`

export function putWordsStatements(database: D1Database, writes: readonly WordsWrite[]): D1PreparedStatement[] {
  if (writes.length === 0) return []
  const chunkRows: (string | number | null)[][] = []
  const ftsRows: FtsRow[] = []
  let length = 0
  for (const { vectorId, document, createdAt, updatedAt } of writes) {
    const tokens = documentTokens(document, createdAt, updatedAt).join(' ')
    const toFts = ftsRowOf(vectorId, tokens)
    const entity = entityOf(document, vectorId)
    const commit = document.identity.type === 'diff' ? document.identity.commitSha.toLowerCase() : null
    for (const [sequence, row] of toWordRows(document).entries()) {
      chunkRows.push([vectorId, sequence, row.start, row.chars, entity, row.length, row.terms, row.pathTerms, commit])
      ftsRows.push(toFts(row, sequence))
      length += row.length
    }
  }
  return [
    ...statementsFor(
      database,
      `INSERT INTO chunks (chunk, type, start, chars, entity, created_at, updated_at, length, terms, path_terms,
         commit_sha)
       SELECT ${CHUNK}, d.type, e.value ->> 2, e.value ->> 3, d.repository || ':' || (e.value ->> 4),
         d.created_at, d.updated_at, e.value ->> 5, e.value ->> 6, e.value ->> 7, e.value ->> 8 ${BY_VECTOR_ID}`,
      chunkRows,
    ),
    ...ftsStatements(database, 'words', ftsRows),
    database.prepare('UPDATE corpus SET chunks = chunks + ?1, length = length + ?2').bind(chunkRows.length, length),
    ...packJson(writes.map(({ vectorId }) => vectorId)).map((json) =>
      database
        .prepare('UPDATE documents SET words_version = ?2 WHERE vector_id IN (SELECT value FROM json_each(?1))')
        .bind(json, ANALYSIS_VERSION),
    ),
  ]
}

type FtsRow = readonly (string | number)[]

/** The FTS rows alone, into the table in use or the one being made beside it. */
export function putFtsStatements(
  database: D1Database,
  table: 'words' | 'shadow_words',
  writes: readonly WordsWrite[],
): D1PreparedStatement[] {
  const rows = writes.flatMap(({ vectorId, document, createdAt, updatedAt }) => {
    const tokens = documentTokens(document, createdAt, updatedAt).join(' ')
    return toWordRows(document).map(ftsRowOf(vectorId, tokens))
  })
  return ftsStatements(database, table, rows)
}

function ftsRowOf(vectorId: string, tokens: string): (row: WordRow, sequence: number) => FtsRow {
  return ({ columns: { k, t, p, b, x } }, sequence) => [vectorId, sequence, k, t, p, b, x, tokens]
}

function ftsStatements(
  database: D1Database,
  table: 'words' | 'shadow_words',
  rows: readonly FtsRow[],
): D1PreparedStatement[] {
  return statementsFor(
    database,
    `INSERT INTO ${table} (rowid, k, t, p, b, x, f)
     SELECT ${CHUNK}, e.value ->> 2, e.value ->> 3, e.value ->> 4, e.value ->> 5, e.value ->> 6,
       'r' || d.repository || ' ' || (e.value ->> 7) ${BY_VECTOR_ID}`,
    rows,
  )
}

/**
 * What the document is about, within its repository: a file for a document and
 * its diffs, a thread for an issue or pull request with its comments and
 * reviews, else itself. Rows of one entity fold into one result.
 */
function entityOf(document: Document, vectorId: string): number {
  const { identity } = document
  switch (identity.type) {
    case 'doc':
    case 'diff':
      return sha256Int48(`file\0${pathOf(document)}`)
    case 'issue':
    case 'pull_request':
      return sha256Int48(`thread\0${identity.number}`)
    case 'issue_comment':
    case 'pr_review':
    case 'pr_review_comment':
      return sha256Int48(`thread\0${document.number}`)
    case 'release':
    case 'wiki_doc':
      return sha256Int48(vectorId)
  }
}
