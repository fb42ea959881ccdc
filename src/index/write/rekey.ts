/**
 * Re-keys a repository: one that was known by its name gets GitHub's id, and its
 * documents get the ids that follow from it, in one transaction. If the index
 * has a repository with that id under another name, the two are merged: the
 * other's copy of a document wins, and words and edges of moved ones are pending.
 */
import type { Index } from '../sql/index-database.ts'
import { dropEdgesStatements } from '../links/edges.ts'
import { dropWordsStatements } from '../words/write-words.ts'
import { packJson, statementsFor } from '../sql/json-rows.ts'
import { identityOf, IDENTITY_COLUMNS, type FieldRow } from '../documents/read-stored.ts'
import { vectorIdOf } from '../documents/vector-id.ts'

type IdentityRow = FieldRow & { readonly document: number }

/** Statements of one transaction; a guard fails if a document was added or purged meanwhile. */
export async function rekeyStatements(index: Index, from: number, to: number): Promise<D1PreparedStatement[]> {
  const { database } = index
  const { results: rows } = await database
    .prepare(
      `SELECT document, ${IDENTITY_COLUMNS} FROM documents
        WHERE repository = (SELECT repository FROM repositories WHERE repo_id = ?1)`,
    )
    .bind(from)
    .all<IdentityRow>()
  const renamed = rows.map((row) => [row.document, vectorIdOf(identityOf(row), to)] as const)
  const target = await database.prepare('SELECT 1 FROM repositories WHERE repo_id = ?1').bind(to).first()
  return [
    unchangedGuard(database, from, rows),
    ...(target === null ? renameStatements(database, from, to, renamed) : mergeStatements(database, from, to, renamed)),
  ]
}

function unchangedGuard(database: D1Database, from: number, rows: readonly IdentityRow[]): D1PreparedStatement {
  return database
    .prepare(
      `INSERT INTO guards (holds) SELECT 0 WHERE ?2 <> (SELECT count(*) || ':' || coalesce(max(document), 0)
       FROM documents WHERE repository = (SELECT repository FROM repositories WHERE repo_id = ?1))`,
    )
    .bind(from, `${rows.length}:${rows.reduce((most, row) => Math.max(most, row.document), 0)}`)
}

/** SQL for the key of the repository whose id is a parameter. */
function key(parameter: '?1' | '?2'): string {
  return `(SELECT repository FROM repositories WHERE repo_id = ${parameter})`
}

type Renamed = readonly (readonly [document: number, vectorId: string])[]

function renameStatements(database: D1Database, from: number, to: number, renamed: Renamed): D1PreparedStatement[] {
  return [
    database.prepare('UPDATE repositories SET repo_id = ?2 WHERE repo_id = ?1').bind(from, to),
    ...statementsFor(
      database,
      `UPDATE documents SET vector_id = e.value ->> 1, version = version + 1
       FROM json_each(?1) e WHERE document = e.value ->> 0`,
      renamed,
    ),
  ]
}

function mergeStatements(database: D1Database, from: number, to: number, renamed: Renamed): D1PreparedStatement[] {
  const moved = renamed.map(([document]) => document)
  return [
    ...dropWordsStatements(database, moved),
    ...dropEdgesStatements(database, moved),
    ...packJson(renamed).map((json) =>
      database
        .prepare(
          `UPDATE OR IGNORE documents
           SET vector_id = e.value ->> 1, repository = ${key('?2')}, words_version = 0, edges_version = 0,
             vectors_version = -abs(vectors_version), version = version + 1
           FROM json_each(?1) e WHERE document = e.value ->> 0`,
        )
        .bind(json, to),
    ),
    // Documents left under the old key exist in the other repository.
    database
      .prepare(
        `UPDATE documents SET repository = ${key('?2')}, deleted_at = coalesce(deleted_at, updated_at), version = version + 1
         WHERE repository = ${key('?1')}`,
      )
      .bind(from, to),
    database
      .prepare(`UPDATE repository_names SET repository = ${key('?2')} WHERE repository = ${key('?1')}`)
      .bind(from, to),
    database.prepare(`DELETE FROM cursors WHERE repository = ${key('?1')}`).bind(from),
    database.prepare('DELETE FROM repositories WHERE repo_id = ?1').bind(from),
  ]
}
