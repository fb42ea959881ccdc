/**
 * Finds the chunks nearest to a vector in D1: one round trip reads the packed
 * sketches, a second one the full vectors of the best. Scope and filters apply
 * in both: in the scan, so that rows that may not be shown take no place from
 * rows that may, and again exactly on the rows themselves.
 */
import { CHUNKS_PER_DOCUMENT } from '../../fts/chunk-number.ts'
import { ok } from '../../base/result.ts'
import type { Result } from '../../base/result.ts'
import { numberList } from '../documents/read-documents.ts'
import { documentCondition } from '../filters/filters.ts'
import type { Filters } from '../filters/filters.ts'
import { documentsOfRelease } from '../filters/first-release.ts'
import { isInScope, repositoriesIn, repositoriesOutOf } from '../filters/visibility.ts'
import type { Scope } from '../filters/visibility.ts'
import { MAX_PACKS } from '../limits.ts'
import type { IndexReader } from '../reader.ts'
import { constant, knownValue, runQueries, runQuery, sql } from '../sql/sql.ts'
import type { Query } from '../sql/sql.ts'
import { PLACE_COLUMNS } from '../words/candidates.ts'
import { modelKey } from './chunk-texts.ts'
import { packedSimilarity } from './encode-vector.ts'
import { needsAttributes, scanSketches } from './scan-sketches.ts'
import type { Pack } from './scan-sketches.ts'
import type { NearestChunks, NearRow } from './vector-index.ts'

/** At most `limit` documents, each with its best chunk. UNAVAILABLE where a read fails. */
export async function findByVector(
  reader: IndexReader,
  scope: Scope,
  filters: Filters,
  { vector, model }: { readonly vector: Float32Array; readonly model: string },
  limit: number,
): Promise<Result<NearestChunks>> {
  const first = await runQueries(reader, {
    state: vectorState(model),
    packs: packs(needsAttributes(filters)),
    isInScope: repositoryTest(scope),
    released: releasedDocuments(scope, filters),
  })
  if (!first.ok) return first
  const { state, packs: all, isInScope, released } = first.value
  const isPartial = all.length > MAX_PACKS
  if (state === undefined) return ok({ rows: [], isReady: false, isPartial })
  const { generation, isReady } = state
  const scan = { vector, generation, isInScope, filters, released, limit: spareFactor(filters) * limit }
  const chunks = scanSketches(all.slice(0, MAX_PACKS), scan)
  if (chunks.length === 0) return ok({ rows: [], isReady, isPartial })
  const rows = await runQuery(reader, nearRows(scope, filters, chunks, vector))
  return rows.ok ? ok({ rows: rows.value.slice(0, limit), isReady, isPartial }) : rows
}

/**
 * The generation of this model's vectors, undefined if the index has another
 * model's, and whether all are embedded. Vectors of this generation with stale
 * attributes count; those of an earlier one never do.
 */
function vectorState(model: string): Query<{ readonly generation: number; readonly isReady: boolean } | undefined> {
  return {
    statement: sql`
      SELECT s.generation, NOT EXISTS (
        SELECT 1 FROM documents d WHERE d.vectors_version > -s.generation AND d.vectors_version < s.generation AND d.deleted_at IS NULL
        AND NOT EXISTS (SELECT 1 FROM retries retry WHERE retry.document = d.document AND retry.kind = 'vectors')
      ) AS isReady
      FROM vector_state s WHERE s.model = ${modelKey(model)}`,
    toValue: ([row]) => row && { generation: row['generation'] as number, isReady: row['isReady'] === 1 },
  }
}

/** One pack more than a search reads, which shows that there are more. */
function packs(withAttributes: boolean): Query<readonly Pack[]> {
  return {
    statement: sql`
      SELECT sketches, ${constant(withAttributes ? 'attributes' : 'NULL')} AS attributes
      FROM sketches ORDER BY pack LIMIT ${MAX_PACKS + 1}`,
    toValue: (rows) => rows as unknown as readonly Pack[],
  }
}

/** True for the key of a repository in scope: the same scope as for words. */
function repositoryTest(scope: Scope): Query<(repository: number) => boolean> {
  const isNamed = scope.repository !== undefined || scope.owner !== undefined
  const keys = isNamed ? repositoriesIn(scope) : repositoriesOutOf(scope)
  return {
    statement: sql`SELECT repository FROM ${keys}`,
    toValue: (rows) => {
      const listedKeys = new Set(rows.map((row) => row['repository'] as number))
      return (repository) => listedKeys.has(repository) === isNamed
    },
  }
}

/** How many times more documents are scanned, because attributes do not say which commits are shown by their diffs or changed a file. */
function spareFactor({ commits, pathPrefix, fileStatus }: Filters): number {
  return commits === 'files' || pathPrefix !== undefined || fileStatus !== undefined ? 2 : 1
}

/** The documents that a filter on a release may select; undefined without one. */
function releasedDocuments(scope: Scope, { release }: Filters): Query<ReadonlySet<number> | undefined> {
  if (release === undefined) return knownValue(undefined)
  return {
    statement: sql`SELECT document FROM ${documentsOfRelease(scope, release)}`,
    toValue: (rows) => new Set(rows.map((row) => row['document'] as number)),
  }
}

function nearRows(
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
      WHERE v.chunk IN (${numberList(chunks)}) AND d.deleted_at IS NULL
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
