/**
 * Candidates of a search, out of the word index: the pool, best first by FTS5's
 * own rank, and beside it the exact lanes. Filters and scope are part of every
 * MATCH. FTS5's rank only chooses; what is shown is ordered by ranking/.
 */
import { CHUNKS_PER_DOCUMENT } from '../../fts/chunk-number.ts'
import type { DocumentType } from '../../base/vocabulary.ts'
import { exactEdges, filterMatches } from '../filters/filters.ts'
import type { Filters } from '../filters/filters.ts'
import type { ReferenceMatch } from './match.ts'
import { CANDIDATE_RANK } from './match.ts'
import { constant, itemsOf, joinSql, sql } from '../sql/sql.ts'
import type { Query, Row, Sql } from '../sql/sql.ts'
import { matchScope } from '../filters/visibility.ts'
import type { RepositoryReference, Scope } from '../filters/visibility.ts'

/** A chunk that may be shown: where it stands, and what orders and groups it. Times in milliseconds UTC. */
export interface ChunkPlace {
  readonly chunk: number
  readonly type: DocumentType
  /** Rows of one entity are about one thing. */
  readonly entity: string
  readonly createdAt: number
  readonly updatedAt: number
  /** Where the chunk lies in the body, in UTF-16 units. */
  readonly start: number
  readonly chars: number
}

/** A chunk with what ranks it by words. */
export interface CandidateRow extends ChunkPlace {
  readonly length: number
  readonly terms: string
  readonly pathTerms: string
  /** Of a diff: its commit, and how many chunks that has, whoever may see them. */
  readonly commitSha: string | null
  readonly commitChunks: number | null
}

/** Of `chunks AS c`: what a `ChunkPlace` is made from. */
export const PLACE_COLUMNS = constant(`c.chunk, c.type, c.entity, c.created_at AS createdAt, c.updated_at AS updatedAt,
  c.start, c.chars`)

const CANDIDATE_COLUMNS = sql`${PLACE_COLUMNS}, c.length, c.terms, c.path_terms AS pathTerms, c.commit_sha AS commitSha,
  CASE WHEN c.commit_sha IS NOT NULL THEN (
    SELECT v.doc FROM word_frequencies v WHERE v.term = c.commit_sha) END AS commitChunks`

/** A lane to look up; one that names a repository looks only there. */
export interface ReferenceLookup extends Omit<ReferenceMatch, 'repo'> {
  readonly repository?: RepositoryReference
}

/** A row that a lane found. */
export interface ReferenceRow extends CandidateRow {
  readonly reference: ReferenceMatch['reference']
}

/** What is asked of the pool. */
export interface CandidateQuery {
  /** As `poolMatch` gives it. */
  readonly match: string
  readonly limit: number
  /** More arms of the match, each an expression that gives ` OR ...` or nothing. */
  readonly arms?: readonly Sql[]
  /** Distinct terms that must all be known, or the pool stays empty: it is to be asked otherwise. */
  readonly onlyWith?: readonly string[]
}

/** The best chunks that the match selects. */
export function candidateRows(scope: Scope, filters: Filters, wish: CandidateQuery): Query<readonly CandidateRow[]> {
  return {
    statement: sql`
      SELECT ${CANDIDATE_COLUMNS}
      FROM words CROSS JOIN chunks c ON c.chunk = words.rowid
      WHERE words MATCH ${wideMatch(wish, filters)} || ${matchScope(scope)} AND words.rank MATCH ${CANDIDATE_RANK}
      AND ${exactEdges(filters)}
      ORDER BY words.rank LIMIT ${limitOf(wish)}`,
    toValue: (rows) => rows as unknown as readonly CandidateRow[],
  }
}

function wideMatch({ match, arms = [] }: CandidateQuery, filters: Filters): Sql {
  if (arms.length === 0) return sql`${narrowed(match, filters)}`
  const rest = filterMatches(filters).map((one) => ` AND (${one})`)
  return sql`${`(${match}`} || ${joinSql(arms, ' || ')} || ${`)${rest.join('')}`}`
}

function limitOf({ limit, onlyWith = [] }: CandidateQuery): Sql {
  if (onlyWith.length === 0) return sql`${limit}`
  return sql`(
    SELECT CASE WHEN count(*) = ${onlyWith.length} THEN ${limit} ELSE 0 END
    FROM ${itemsOf(onlyWith)} e CROSS JOIN word_frequencies v ON v.term = e.value)`
}

/** D1 takes at most 5 arms in one compound SELECT. */
const REFERENCES_PER_STATEMENT = 5

/** Up to `limit` rows of each lane, several lanes a statement. */
export function referenceRows(
  scope: Scope,
  filters: Filters,
  lanes: readonly ReferenceLookup[],
  limit: number,
): Query<readonly ReferenceRow[]>[] {
  const queries: Query<readonly ReferenceRow[]>[] = []
  for (let at = 0; at < lanes.length; at += REFERENCES_PER_STATEMENT) {
    const some = lanes.slice(at, at + REFERENCES_PER_STATEMENT)
    const arms = some.map((lane, arm) => laneArm(scope, filters, lane, arm, limit))
    queries.push({
      statement: sql`
        WITH scope(tail) AS MATERIALIZED (SELECT ${matchScope(scope)})
        ${joinSql(arms, ' UNION ALL ')}`,
      toValue: (rows) => rows.flatMap((row) => toLaneRow(row, some)),
    })
  }
  return queries
}

function laneArm(scope: Scope, filters: Filters, lane: ReferenceLookup, arm: number, limit: number): Sql {
  const own = lane.repository
    ? sql` || ${matchScope({ viewer: scope.viewer, repository: lane.repository })}`
    : constant('')
  // Every chunk of a document carries its keys; the first stands for them all.
  const isKey = lane.reference !== 'phrase'
  const rows = isKey
    ? sql`AND words.rowid % ${constant(String(CHUNKS_PER_DOCUMENT))} = 0`
    : sql`AND words.rank MATCH ${CANDIDATE_RANK}`
  const order = isKey ? constant('') : constant('ORDER BY words.rank')
  return sql`SELECT * FROM (
    SELECT ${arm} AS arm, ${CANDIDATE_COLUMNS}
    FROM words CROSS JOIN chunks c ON c.chunk = words.rowid
    WHERE words MATCH ${narrowed(lane.match, filters)}${own} || (SELECT tail FROM scope)
    ${rows} AND ${exactEdges(filters)} ${order} LIMIT ${limit})`
}

function toLaneRow({ arm, ...row }: Row, lanes: readonly ReferenceLookup[]): ReferenceRow[] {
  const lane = lanes[arm as number]?.reference
  return lane === undefined ? [] : [{ ...(row as unknown as CandidateRow), reference: lane }]
}

function narrowed(match: string, filters: Filters): string {
  return [match, ...filterMatches(filters)].map((one) => `(${one})`).join(' AND ')
}

/** How many chunks hold each term, whoever may see them; a term that none holds is absent. */
export function frequenciesOf(terms: readonly string[]): Query<ReadonlyMap<string, number>> {
  return {
    statement: sql`
      SELECT term, doc FROM word_frequencies WHERE term IN (${joinSql(
        terms.map((term) => sql`${term}`),
        ', ',
      )})`,
    toValue: (rows) => new Map(rows.map((row) => [row['term'] as string, row['doc'] as number])),
  }
}

/** Chunks in the index and the sum of their lengths. */
export function corpusSize(): Query<{ readonly chunks: number; readonly length: number }> {
  return {
    statement: sql`SELECT chunks, length FROM corpus`,
    toValue: ([row]) => ({ chunks: Number(row?.['chunks'] ?? 0), length: Number(row?.['length'] ?? 0) }),
  }
}
