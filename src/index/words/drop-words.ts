/**
 * Taking documents out of the word index. Chunk rows name the FTS rows, so the
 * FTS rows go first; the corpus row forgets what they counted.
 */
import { CHUNKS_PER_DOCUMENT } from '../../fts/chunk-number.ts'
import { packJson } from '../sql/json-rows.ts'

/** The chunks of documents listed by number in `?1`. */
const CHUNKS_OF = `FROM json_each(?1) e JOIN chunks c
  ON c.chunk >= e.value * ${CHUNKS_PER_DOCUMENT} AND c.chunk < (e.value + 1) * ${CHUNKS_PER_DOCUMENT}`

export function dropWordsStatements(database: D1Database, documents: readonly number[]): D1PreparedStatement[] {
  const sqls = [
    `UPDATE corpus SET (chunks, length) =
       (SELECT corpus.chunks - count(*), corpus.length - coalesce(sum(c.length), 0) ${CHUNKS_OF})`,
    `DELETE FROM words WHERE rowid IN (SELECT c.chunk ${CHUNKS_OF})`,
    `DELETE FROM chunks WHERE chunk IN (SELECT c.chunk ${CHUNKS_OF})`,
  ]
  return packJson(documents).flatMap((json) => sqls.map((sql) => database.prepare(sql).bind(json)))
}
