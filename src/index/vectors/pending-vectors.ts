/**
 * Documents whose vectors are pending: `vectors_version` is lower than the
 * current generation (the migration defines its values). Documents get their
 * first version from a walk over their numbers, so an index without an embedder
 * stores no version.
 */
import type { Index } from '../sql/index-database.ts'
import { ANALYSIS_VERSION } from '../words/word-rows.ts'
import { modelKey } from './chunk-texts.ts'

/** Documents of one step of the walk. */
const WALK_STEP = 1_000

interface VectorState {
  readonly model: string
  readonly generation: number
  readonly walked: number
}

export interface PendingVectors {
  readonly document: number
  readonly version: number
  /** The repository's key. */
  readonly repository: number
  /** The vectors are of this generation; only the attributes are out of date. */
  readonly onlyAttributes: boolean
}

/** The generation of this model. A model other than the last one begins a new generation, and all documents become pending. */
export async function beginGeneration(index: Index, model: string): Promise<number> {
  const { database } = index
  const state = await readState(index)
  const key = modelKey(model)
  if (state?.model === key) return state.generation
  await database.batch([
    database
      .prepare(
        `INSERT INTO vector_state (one, model, generation, walked) VALUES (1, ?1, 1, 0)
         ON CONFLICT (one) DO UPDATE SET model = excluded.model, generation = generation + 1 WHERE model <> excluded.model`,
      )
      .bind(key),
    // Another model may accept a text that the last one refused.
    database.prepare(`DELETE FROM retries WHERE kind = 'vectors'`),
  ])
  return (await readState(index))?.generation ?? 1
}

function readState({ database }: Index): Promise<VectorState | null> {
  return database.prepare('SELECT model, generation, walked FROM vector_state').first<VectorState>()
}

/** Marks some documents without a version as pending; false if there are none. */
export async function walkOn(index: Index): Promise<boolean> {
  const { database } = index
  const next = await database
    .prepare(
      `SELECT s.walked, (SELECT max(document) FROM (SELECT document FROM documents
         WHERE document > s.walked ORDER BY document LIMIT ${WALK_STEP})) AS upto FROM vector_state s`,
    )
    .first<{ walked: number; upto: number | null }>()
  if (next === null || next.upto === null) return false
  await database.batch([
    database
      .prepare(
        'UPDATE documents SET vectors_version = 0 WHERE document > ?1 AND document <= ?2 AND vectors_version IS NULL',
      )
      .bind(next.walked, next.upto),
    database.prepare('UPDATE vector_state SET walked = max(walked, ?1)').bind(next.upto),
  ])
  return true
}

/**
 * Up to `limit` pending documents that are due, those that need only new
 * attributes first. A document whose words are pending is not listed.
 */
export async function listPendingVectors(
  index: Index,
  generation: number,
  nowMs: number,
  limit: number,
): Promise<PendingVectors[]> {
  const { results } = await index.database
    .prepare(
      `SELECT document, version, repository, vectors_version FROM documents d
       WHERE vectors_version < ?1 AND deleted_at IS NULL AND words_version >= ?4
       AND NOT EXISTS (SELECT 1 FROM retries retry WHERE retry.document = d.document AND retry.kind = 'vectors' AND retry.due_at > ?2)
       ORDER BY vectors_version, document LIMIT ?3`,
    )
    .bind(generation, nowMs, limit, ANALYSIS_VERSION)
    .all<{ document: number; version: number; repository: number; vectors_version: number }>()
  return results.map(({ vectors_version: stored, ...row }) => ({ ...row, onlyAttributes: stored === -generation }))
}
