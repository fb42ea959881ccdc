/**
 * Reads documents that are linked with those of a search's results, in either
 * direction, one or two links away. Every document on the way is visible to the
 * viewer, and the ones returned also pass the filters.
 */
import type { Result } from '../../base/result.ts'
import { commitColumns, IS_OF_COMMIT } from '../documents/commit-columns.ts'
import { isShownOfCommit, partsOfCommit } from '../filters/commit-conditions.ts'
import { documentCondition, timeColumn } from '../filters/filters.ts'
import type { Filters } from '../filters/filters.ts'
import type { EdgeKind } from './edges.ts'
import { EDGES_PER_DOCUMENT } from '../limits.ts'
import { DOCUMENT_COLUMNS, toDocumentRow } from '../documents/read-documents.ts'
import type { DocumentRow } from '../documents/read-documents.ts'
import { constant, joinSql, runQuery, sql, withSharedValues } from '../sql/sql.ts'
import type { Query, Sql } from '../sql/sql.ts'
import type { IndexReader } from '../reader.ts'
import { isInScope, isVisible } from '../filters/visibility.ts'
import type { Scope } from '../filters/visibility.ts'

/** A document reached from a seed. */
export interface LinkedRow {
  readonly row: DocumentRow
  /** Links away: 1 or 2. */
  readonly hop: number
  /** `vector_id` of the seed that it was reached from. */
  readonly from: string
  /** The last link on the way; `inward` if it was followed against its direction. */
  readonly kind: EdgeKind
  readonly inward: boolean
}

interface LinkWalk {
  /** Numbers of documents, best first; they are not among the rows. */
  readonly seeds: readonly number[]
  readonly hops: number
  readonly limit: number
  /** Files that a row of a commit has, where commits are shown whole. */
  readonly files: number
}

/** Links followed from one document in each direction: an index page links to everything, and a hub is linked from everywhere. */
const LINKS_EACH_WAY = 60
/** Links read in each direction to find those that pass the filters. */
const LINKS_READ = EDGES_PER_DOCUMENT
/** Documents that one link may lead to: the files of a commit, where each has a row. */
const DOCUMENTS_PER_LINK = 10
/** Documents of the first hop that a second one starts from. */
const MIDDLE_DOCUMENTS = 60

const EACH_WAY = constant(String(LINKS_EACH_WAY))
const READ_EACH_WAY = constant(String(LINKS_READ))
const PER_DOCUMENT = constant(String(EDGES_PER_DOCUMENT))

/**
 * Fewest hops first, then by the position of the seed, outward links before
 * inward ones, each in the order of the text. One round trip; UNAVAILABLE where
 * it fails.
 */
export function readLinkedDocuments(
  reader: IndexReader,
  scope: Scope,
  filters: Filters,
  walk: LinkWalk,
): Promise<Result<readonly LinkedRow[]>> {
  return runQuery(reader, linkedDocuments(scope, filters, walk))
}

function linkedDocuments(
  scope: Scope,
  filters: Filters,
  { seeds, hops, limit, files }: LinkWalk,
): Query<readonly LinkedRow[]> {
  const filter = documentCondition(filters)
  const isWhole = filters.commits === 'whole'
  const shown = isWhole ? isShownOfCommit(filters, timeColumn(filters.window), constant('1')) : undefined
  const columns = isWhole ? sql`${DOCUMENT_COLUMNS}, ${commitColumns(filters, files, IS_OF_COMMIT)}` : DOCUMENT_COLUMNS
  const start = sql`
    start(document, place, seed) AS MATERIALIZED (
      SELECT ${isWhole ? SHOWN_SEED : constant('d.document')}, k.key, d.document
      FROM json_each(${JSON.stringify(seeds)}) k CROSS JOIN documents d ON d.document = k.value),
    hop1(document, place, seed, inward, edge, kind) AS MATERIALIZED (
      ${stepsFrom(constant('start'), scope, filter, shown)})`
  // Documents between a seed and a row of the second hop need not pass the filters.
  const way = isEverything(filter)
    ? sql`way AS NOT MATERIALIZED (SELECT * FROM hop1)`
    : sql`way(document, place, seed, inward, edge, kind) AS (${stepsFrom(constant('start'), scope, EVERYTHING, shown)})`
  const second = sql`, ${way},
    middle(document, place, seed) AS MATERIALIZED (
      SELECT document, row_number() OVER (ORDER BY nearest), seed FROM (
        SELECT document, seed, min(place * 2 + inward) AS nearest FROM way
        WHERE document NOT IN (SELECT document FROM start) GROUP BY document)
      ORDER BY nearest, document LIMIT ${constant(String(MIDDLE_DOCUMENTS))}),
    hop2(document, place, seed, inward, edge, kind) AS MATERIALIZED (${stepsFrom(constant('middle'), scope, filter, shown)})`
  const reached = [constant('SELECT 1 AS hop, * FROM hop1'), constant('SELECT 2 AS hop, * FROM hop2')].slice(0, hops)
  return {
    statement: withSharedValues(sql`
      WITH ${start}${hops > 1 ? second : sql``},
      reached AS (
        SELECT *, row_number() OVER (PARTITION BY document ORDER BY hop, place, inward, edge) AS nth
        FROM (${joinSql(reached, ' UNION ALL ')}))
      SELECT ${columns}, m.hop AS linkHop, m.kind AS linkKind, m.inward AS linkInward,
        (SELECT o.vector_id FROM start s CROSS JOIN documents o ON o.document = s.document
          WHERE s.seed = m.seed LIMIT 1) AS linkFrom
      FROM reached m CROSS JOIN documents d ON d.document = m.document
      CROSS JOIN repositories r ON r.repository = d.repository
      WHERE m.nth = 1 AND m.document NOT IN (SELECT document FROM start)
      AND d.deleted_at IS NULL AND ${isInScope(scope)} ${isWhole ? NOT_OF_A_SEED : sql``}
      ORDER BY m.hop, m.place, m.inward, m.edge, m.document LIMIT ${limit}`),
    toValue: (rows) =>
      rows.map(({ linkHop, linkKind, linkInward, linkFrom, ...row }) => ({
        row: toDocumentRow(row),
        hop: Number(linkHop),
        from: String(linkFrom),
        kind: linkKind as EdgeKind,
        inward: linkInward === 1,
      })),
  }
}

/** The row that is shown for the seed `d`: of a diff its commit, where that is stored. */
const SHOWN_SEED = sql`CASE WHEN d.type = 'diff'
  THEN coalesce((SELECT x.document FROM ${partsOfCommit('commit')}), d.document) ELSE d.document END`

/** Another diff of a seed's commit is the same row. */
const NOT_OF_A_SEED = sql`AND (d.type NOT IN ('commit', 'diff') OR NOT EXISTS (
  SELECT 1 FROM start s CROSS JOIN documents o ON o.document = s.document
  WHERE o.type IN ('commit', 'diff') AND o.repository = d.repository AND o.commit_sha = d.commit_sha))`

const EVERYTHING = documentCondition({ window: { clock: 'updated' } })

function isEverything(filter: Sql): boolean {
  return filter.text === EVERYTHING.text
}

/**
 * Steps along one link, outward and inward, from each document of the table
 * `from` to documents that pass the filter, a condition on `documents AS d`,
 * which applies before any limit, as `shown` does, which selects one row of each
 * commit. Only inward links from visible documents count, so that hidden ones take
 * no place from others.
 */
function stepsFrom(from: Sql, { viewer }: Scope, filter: Sql, shown: Sql | undefined): Sql {
  const visible = isVisible(viewer)
  const read = isEverything(filter) ? EACH_WAY : READ_EACH_WAY
  const readInward = isEverything(filter) && !shown ? EACH_WAY : READ_EACH_WAY
  const passes = shown ? sql`${filter} AND ${shown}` : filter
  return sql`
    SELECT t.document, f.place, f.seed, 0, e.edge, e.kind
    FROM ${from} f
    CROSS JOIN edges e ON e.edge >= f.document * ${PER_DOCUMENT} AND e.edge < f.document * ${PER_DOCUMENT} + ${read}
    CROSS JOIN documents t ON t.document IN (
      SELECT d.document FROM documents d INDEXED BY documents_by_anchor
      WHERE d.repository = CASE WHEN instr(e.repo, '/') = 0 THEN CAST(e.repo AS INTEGER)
          ELSE (SELECT n.repository FROM repository_names n WHERE n.name_key = e.repo) END
        AND d.anchor = e.target AND d.deleted_at IS NULL AND ${passes}
      LIMIT ${constant(String(DOCUMENTS_PER_LINK))})
    CROSS JOIN repositories r ON r.repository = t.repository
    WHERE ${visible}
    UNION ALL
    SELECT e.edge / ${PER_DOCUMENT}, f.place, f.seed, 1, e.edge, e.kind
    FROM ${from} f CROSS JOIN documents s ON s.document = f.document
    CROSS JOIN edges e ON e.edge IN (
      SELECT y.edge FROM (
        SELECT x.edge FROM edges x INDEXED BY edges_by_target
        CROSS JOIN documents t ON t.document = x.edge / ${PER_DOCUMENT} AND t.deleted_at IS NULL
        CROSS JOIN repositories r ON r.repository = t.repository
        WHERE x.target = s.anchor AND x.repo IN (
          SELECT CAST(s.repository AS TEXT)
          UNION ALL SELECT n.name_key FROM repository_names n WHERE n.repository = s.repository)
        AND ${visible}
        LIMIT ${readInward}) y
      CROSS JOIN documents d ON d.document = y.edge / ${PER_DOCUMENT}
      WHERE ${passes}
      LIMIT ${EACH_WAY})`
}
