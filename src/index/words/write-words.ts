/**
 * Puts documents into the word index and drops them from it: chunk rows, FTS
 * rows, and the version of the analysis that made them. An FTS row contains the
 * filter tokens of its document, so a changed label rewrites it too.
 */
import { CHUNKS_PER_DOCUMENT } from '../../fts/chunk-number.ts'
import { typeOf, type Document } from '../../documents/document.ts'
import { specOf } from '../../documents/index.ts'
import { sha256Int48 } from '../../base/hash.ts'
import { documentTokens } from '../filters/filter-tokens.ts'
import { packJson, statementsFor } from '../sql/json-rows.ts'
import { patchWithoutPlaces } from './patch-text.ts'
import { ANALYSIS_VERSION, toWordRows, type WordRow } from './word-rows.ts'

/** A document to put. The statements find its row by `vector_id`. */
export interface WordsWrite {
  readonly vectorId: string
  readonly document: Document
  readonly createdAt: number
  readonly updatedAt: number
}

const BY_VECTOR_ID = 'FROM json_each(?1) e JOIN documents d ON d.vector_id = e.value ->> 0'
const CHUNK = `d.document * ${CHUNKS_PER_DOCUMENT} + (e.value ->> 1)`

/** Puts documents that have no words; those of a rewritten document are dropped first. */
export function putWordsStatements(database: D1Database, writes: readonly WordsWrite[]): D1PreparedStatement[] {
  if (writes.length === 0) return []
  const chunkRows: (string | number | null)[][] = []
  const ftsRows: FtsRow[] = []
  let length = 0
  for (const { vectorId, document, createdAt, updatedAt } of writes) {
    const tokens = documentTokens(document, createdAt, updatedAt).join(' ')
    const toFts = ftsRowOf(vectorId, tokens)
    const entity = sha256Int48(specOf(typeOf(document)).entity(document) ?? vectorId)
    const commit = commitOf(document)
    const patch = patchOf(document)
    for (const [sequence, row] of toWordRows(document).entries()) {
      const { start, chars, terms, forms, pathTerms, headings } = row
      chunkRows.push([
        vectorId,
        sequence,
        start,
        chars,
        entity,
        row.length,
        terms,
        forms,
        pathTerms,
        commit,
        patch,
        headings,
      ])
      ftsRows.push(toFts(row, sequence))
      length += row.length
    }
  }
  return [
    ...statementsFor(
      database,
      `INSERT INTO chunks (chunk, type, start, chars, entity, created_at, updated_at, length, terms, forms,
         path_terms, commit_sha, patch, headings)
       SELECT ${CHUNK}, d.type, e.value ->> 2, e.value ->> 3, d.repository || ':' || (e.value ->> 4),
         d.created_at, d.updated_at, e.value ->> 5, e.value ->> 6, e.value ->> 7, e.value ->> 8, e.value ->> 9,
         e.value ->> 10, e.value ->> 11 ${BY_VECTOR_ID}`,
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

/** The commit that a document is part of, by which the chunks of one commit are ranked together. */
function commitOf({ identity }: Document): string | null {
  return 'commitSha' in identity ? identity.commitSha.toLowerCase() : null
}

/** A number that copies of a file have in common where a commit changes them in the same way. */
function patchOf(document: Document): number | null {
  if (specOf(typeOf(document)).bodyForm !== 'patch') return null
  const text = patchWithoutPlaces(document.body)
  return text === '' ? null : sha256Int48(text)
}

type FtsRow = readonly (string | number)[]

/** Puts the FTS rows alone, into the table in use or into its shadow. */
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

/** The chunks of documents whose numbers are listed in `?1`. */
const CHUNKS_OF = `FROM json_each(?1) e JOIN chunks c
  ON c.chunk >= e.value * ${CHUNKS_PER_DOCUMENT} AND c.chunk < (e.value + 1) * ${CHUNKS_PER_DOCUMENT}`

/** Drops documents by number. Chunk rows name the FTS rows, so the FTS rows go before them. */
export function dropWordsStatements(database: D1Database, documents: readonly number[]): D1PreparedStatement[] {
  const sqls = [
    `UPDATE corpus SET (chunks, length) =
       (SELECT corpus.chunks - count(*), corpus.length - coalesce(sum(c.length), 0) ${CHUNKS_OF})`,
    `DELETE FROM words WHERE rowid IN (SELECT c.chunk ${CHUNKS_OF})`,
    `DELETE FROM chunks WHERE chunk IN (SELECT c.chunk ${CHUNKS_OF})`,
  ]
  return packJson(documents).flatMap((json) => sqls.map((sql) => database.prepare(sql).bind(json)))
}
