/**
 * Statements that read the candidates of a question from the word index: chunks
 * that contain its terms, best first by FTS5's own rank, and chunks that an
 * exact reference names. Filters and scope are part of every MATCH. FTS5's rank
 * only selects candidates; src/ranking/ orders them.
 */
import { CHUNKS_PER_DOCUMENT } from '../../fts/chunk-number.ts'
import type { DocumentType } from '../../base/vocabulary.ts'
import { exactConditions, filterTail } from '../filters/filters.ts'
import type { Filters } from '../filters/filters.ts'
import { matchTail } from '../filters/first-release.ts'
import type { RepositoryReference } from '../filters/repository-reference.ts'
import { matchScope } from '../filters/visibility.ts'
import type { Scope } from '../filters/visibility.ts'
import type { Row } from '../reader.ts'
import { constant, joinSql, sql, withSharedValues } from '../sql/sql.ts'
import type { Query, Sql } from '../sql/sql.ts'
import type { ReferenceMatch } from './match.ts'

/** Where a chunk is, and what orders and groups it. Times in milliseconds UTC. */
export interface ChunkPlace {
  readonly chunk: number
  readonly type: DocumentType
  /** Rows of one entity are about one thing. */
  readonly entity: string
  readonly createdAt: number
  readonly updatedAt: number
  /** Offset and length of the chunk in the body, in UTF-16 units. */
  readonly start: number
  readonly chars: number
  /** For `headingIn`. */
  readonly headings: string
  /** Of a commit and its diffs. */
  readonly commitSha: string | null
  /** A hash of a diff's patch, which copies of a file have in common. */
  readonly patch: number | null
}

/** A chunk with the columns that rank it by words. */
export interface CandidateRow extends ChunkPlace {
  readonly length: number
  readonly terms: string
  readonly forms: string
  readonly pathTerms: string
  /** The number of chunks of its commit, visible or not. */
  readonly commitChunks: number | null
}

/** The columns of a `ChunkPlace`, of `chunks AS c`. */
export const PLACE_COLUMNS = constant(`c.chunk, c.type, c.entity, c.created_at AS createdAt, c.updated_at AS updatedAt,
  c.start, c.chars, c.headings, c.commit_sha AS commitSha, c.patch`)

const CANDIDATE_COLUMNS = sql`${PLACE_COLUMNS}, c.length, c.terms, c.forms, c.path_terms AS pathTerms,
  CASE WHEN c.commit_sha IS NOT NULL THEN (
    SELECT v.doc FROM word_frequencies v WHERE v.term = c.commit_sha) END AS commitChunks`

/** `rank` of the candidates: weights of keys, title, path, body, context, filters. Chosen on known-item sets. */
export const CANDIDATE_RANK = 'bm25(1.0, 2.0, 2.0, 1.0, 0.5, 0.0)'

export interface CandidateQuery {
  /** As `termsMatch` returns it. */
  readonly match: string
  /** A number or an expression of SQL. */
  readonly limit: number | Sql
  /** Further arms of the match, each an expression whose value is ` OR ...` or empty. */
  readonly arms?: readonly Sql[]
  /** Only this share of the rows, those indexed last. */
  readonly newest?: number
}

/** The best chunks that the match selects. */
export function candidateRows(scope: Scope, filters: Filters, query: CandidateQuery): Query<readonly CandidateRow[]> {
  return {
    statement: sql`
      SELECT ${CANDIDATE_COLUMNS}
      FROM words CROSS JOIN chunks c ON c.chunk = words.rowid
      WHERE words MATCH ${matchWithArms(query, filters)} || ${matchTail(scope, filters.release)} AND words.rank MATCH ${CANDIDATE_RANK}
      AND ${isAmongNewest(query.newest)} AND ${exactConditions(filters)}
      ORDER BY words.rank LIMIT ${query.limit}`,
    toValue: (rows) => rows as unknown as readonly CandidateRow[],
  }
}

/** Chunks are numbered by document, and documents in the order in which they came. */
function isAmongNewest(share: number | undefined): Sql {
  if (share === undefined) return constant('TRUE')
  return sql`words.rowid > (SELECT CAST(max(chunk) * ${1 - share} AS INTEGER) FROM chunks)`
}

function matchWithArms({ match, arms = [] }: CandidateQuery, filters: Filters): Sql {
  if (arms.length === 0) return sql`${withFilters(match, filters)}`
  return sql`${`(${match}`} || ${joinSql(arms, ' || ')} || ${`)${filterTail(filters)}`}`
}

/** An exact reference to look up; one with a repository is looked up in that repository only. */
export interface ReferenceLookup extends Omit<ReferenceMatch, 'repo'> {
  readonly repository?: RepositoryReference
}

/** A chunk that an exact reference names. */
export interface ReferenceRow extends CandidateRow {
  readonly reference: ReferenceMatch['reference']
}

/** D1 accepts at most 5 arms in one compound SELECT. */
const REFERENCES_PER_STATEMENT = 5

/** Up to `limit` rows of each exact reference, several references a statement. */
export function referenceRows(
  scope: Scope,
  filters: Filters,
  lookups: readonly ReferenceLookup[],
  limit: number,
): Query<readonly ReferenceRow[]>[] {
  const queries: Query<readonly ReferenceRow[]>[] = []
  for (let at = 0; at < lookups.length; at += REFERENCES_PER_STATEMENT) {
    const some = lookups.slice(at, at + REFERENCES_PER_STATEMENT)
    const arms = some.map((lookup, arm) => referenceArm(scope, filters, lookup, arm, limit))
    queries.push({
      statement: withSharedValues(sql`
        WITH scope(tail) AS MATERIALIZED (SELECT ${matchTail(scope, filters.release)})
        ${joinSql(arms, ' UNION ALL ')}`),
      toValue: (rows) => rows.flatMap((row) => toReferenceRow(row, some)),
    })
  }
  return queries
}

function referenceArm(scope: Scope, filters: Filters, lookup: ReferenceLookup, arm: number, limit: number): Sql {
  const own = lookup.repository
    ? sql` || ${matchScope({ viewer: scope.viewer, repository: lookup.repository })}`
    : constant('')
  // Every chunk of a document carries the document's keys; the first chunk represents it.
  const isKey = lookup.reference !== 'phrase'
  const rows = isKey
    ? sql`AND words.rowid % ${constant(String(CHUNKS_PER_DOCUMENT))} = 0`
    : sql`AND words.rank MATCH ${CANDIDATE_RANK}`
  const order = isKey ? constant('') : constant('ORDER BY words.rank')
  return sql`SELECT * FROM (
    SELECT ${arm} AS arm, ${CANDIDATE_COLUMNS}
    FROM words CROSS JOIN chunks c ON c.chunk = words.rowid
    WHERE words MATCH ${withFilters(lookup.match, filters)}${own} || (SELECT tail FROM scope)
    ${rows} AND ${exactConditions(filters)} ${order} LIMIT ${limit})`
}

function toReferenceRow({ arm, ...row }: Row, lookups: readonly ReferenceLookup[]): ReferenceRow[] {
  const reference = lookups[arm as number]?.reference
  return reference === undefined ? [] : [{ ...(row as unknown as CandidateRow), reference }]
}

function withFilters(match: string, filters: Filters): string {
  return `(${match})${filterTail(filters)}`
}
