/**
 * Finding the chunks nearest to a question in D1: one round trip for the packed
 * sketches, a second one for the exact vectors of the best. Scope and filters
 * hold in both: in the scan, so that no row is crowded out by rows that may not
 * be shown, and again exactly on the rows themselves.
 */
import { CHUNKS_PER_DOCUMENT } from '../../fts/chunk-number.ts'
import { ok } from '../../base/result.ts'
import type { Result } from '../../base/result.ts'
import type { Index } from '../sql/index-database.ts'
import { documentCondition } from '../filters/filters.ts'
import type { Filters } from '../filters/filters.ts'
import { PLACE_COLUMNS } from '../words/candidates.ts'
import { listed } from '../documents/read-documents.ts'
import { constant, runQueries, sql } from '../sql/sql.ts'
import type { Query } from '../sql/sql.ts'
import { hiddenRepositories, isInScope, repositoriesIn } from '../filters/visibility.ts'
import type { Scope } from '../filters/visibility.ts'
import { modelKey } from './chunk-texts.ts'
import { packedSimilarity } from './encode-vector.ts'
import { needsAttributes, scanSketches } from './scan-sketches.ts'
import type { Pack } from './scan-sketches.ts'
import type { NearestChunks, NearRow } from './vector-index.ts'

/** Packs that one search reads: 131,072 chunks, about 25 MB of text, what a Worker can hold. */
const MAX_PACKS = 128

export async function nearest(
  index: Index,
  scope: Scope,
  filters: Filters,
  { vector, model }: { readonly vector: Float32Array; readonly model: string },
  limit: number,
): Promise<Result<NearestChunks>> {
  const first = await runQueries(index, {
    state: stateOf(model),
    packs: packs(needsAttributes(filters)),
    isInScope: repositoryTest(scope),
  })
  if (!first.ok) return first
  const { state, packs: all, isInScope } = first.value
  const isPartial = all.length > MAX_PACKS
  if (state === undefined) return ok({ rows: [], isReady: false, isPartial })
  const { generation, isReady } = state
  const chunks = scanSketches(all.slice(0, MAX_PACKS), { vector, generation, isInScope, filters, limit })
  if (chunks.length === 0) return ok({ rows: [], isReady, isPartial })
  const second = await runQueries(index, { rows: exactRows(scope, filters, chunks, vector) })
  return second.ok ? ok({ rows: second.value.rows, isReady, isPartial }) : second
}

/** The generation of the model's vectors, if it is the one they are made by, and whether all of them are made. */
function stateOf(model: string): Query<{ readonly generation: number; readonly isReady: boolean } | undefined> {
  return {
    statement: sql`
      SELECT s.generation, NOT EXISTS (
        SELECT 1 FROM documents d WHERE d.vectors_version >= 0 AND d.vectors_version < s.generation AND d.deleted_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM retries o WHERE o.document = d.document AND o.kind = 'vectors')
      ) AS isReady
      FROM vector_state s WHERE s.model = ${modelKey(model)}`,
    toValue: ([row]) => row && { generation: row['generation'] as number, isReady: row['isReady'] === 1 },
  }
}

function packs(withAttributes: boolean): Query<readonly Pack[]> {
  return {
    statement: sql`
      SELECT sketches, ${constant(withAttributes ? 'attributes' : 'NULL')} AS attributes
      FROM sketches ORDER BY pack LIMIT ${MAX_PACKS + 1}`,
    toValue: (rows) => rows as unknown as readonly Pack[],
  }
}

/** The one repository that is asked for, or all but those that are hidden: the same reading as for words. */
function repositoryTest(scope: Scope): Query<(repository: number) => boolean> {
  const isNamed = scope.repository !== undefined
  const keys = isNamed ? repositoriesIn(scope) : hiddenRepositories(scope.viewer)
  return {
    statement: sql`SELECT repository FROM ${keys}`,
    toValue: (rows) => {
      const listed = new Set(rows.map((row) => row['repository'] as number))
      return (repository) => listed.has(repository) === isNamed
    },
  }
}

function exactRows(
  scope: Scope,
  filters: Filters,
  chunks: readonly number[],
  vector: Float32Array,
): Query<readonly NearRow[]> {
  return {
    statement: sql`
      SELECT ${PLACE_COLUMNS}, v.vector
      FROM vectors v CROSS JOIN chunks c ON c.chunk = v.chunk
      CROSS JOIN documents d ON d.document = v.chunk / ${constant(String(CHUNKS_PER_DOCUMENT))}
      WHERE v.chunk IN (${listed(chunks)}) AND d.deleted_at IS NULL
      AND ${isInScope(scope)} AND ${documentCondition(filters)}`,
    toValue: (rows) =>
      rows
        .map(({ vector: packed, ...row }) => ({
          ...(row as unknown as NearRow),
          similarity: packedSimilarity(vector, packed as string),
        }))
        .sort((a, b) => b.similarity - a.similarity || a.chunk - b.chunk),
  }
}
