/**
 * Walking the graph: documents linked with those of a search's results, in
 * either direction, one or two links away. One read; every document on the way
 * is one the viewer may see, and what is shown passes the filters too.
 */
import { documentCondition } from '../filters/filters.ts'
import type { Filters } from '../filters/filters.ts'
import type { EdgeKind } from './edges.ts'
import { EDGES_PER_DOCUMENT } from '../limits.ts'
import { DOCUMENT_COLUMNS, toDocumentRow } from '../documents/read-documents.ts'
import type { DocumentRow } from '../documents/read-documents.ts'
import { constant, joinSql, sql } from '../sql/sql.ts'
import type { Query, Sql } from '../sql/sql.ts'
import { isInScope, isVisible } from '../filters/visibility.ts'
import type { Scope } from '../filters/visibility.ts'

/** A document reached from a seed. */
export interface LinkedRow {
  readonly row: DocumentRow
  /** Links away: 1 or 2. */
  readonly hop: number
  /** `vector_id` of the seed it was reached from. */
  readonly from: string
  /** The last link on the way, and whether it was followed against its direction. */
  readonly kind: EdgeKind
  readonly inward: boolean
}

export interface LinkWalk {
  /** Numbers of documents, best first; they are never reached themselves. */
  readonly seeds: readonly number[]
  readonly hops: number
  readonly limit: number
}

/** Links followed from one document each way: an index page leads everywhere, and a hub is led to from everywhere. */
const LINKS_EACH_WAY = 60
/** Links looked at, each way, for those that pass the filters. */
const LINKS_LOOKED_AT = EDGES_PER_DOCUMENT
/** Documents that one link may mean: the files of a commit. */
const MEANT_BY_A_LINK = 10
/** Documents of the first hop that a second one starts from. */
const MIDDLE_DOCUMENTS = 60

const EACH_WAY = constant(String(LINKS_EACH_WAY))
const LOOKED_AT = constant(String(LINKS_LOOKED_AT))
const PER_DOCUMENT = constant(String(EDGES_PER_DOCUMENT))

/** Nearest first, then by the place of the seed, links out before links in, each in the order they were written. */
export function linkedRows(
  scope: Scope,
  filters: Filters,
  { seeds, hops, limit }: LinkWalk,
): Query<readonly LinkedRow[]> {
  const filter = documentCondition(filters)
  const start = sql`
    start(document, place, seed) AS MATERIALIZED (
      SELECT value, key, value FROM json_each(${JSON.stringify(seeds)})),
    hop1(document, place, seed, inward, edge, kind) AS MATERIALIZED (${stepsFrom(constant('start'), scope, filter)})`
  // What lies between need not pass the filters.
  const way = isEverything(filter)
    ? sql`way AS NOT MATERIALIZED (SELECT * FROM hop1)`
    : sql`way(document, place, seed, inward, edge, kind) AS (${stepsFrom(constant('start'), scope, EVERYTHING)})`
  const second = sql`, ${way},
    middle(document, place, seed) AS MATERIALIZED (
      SELECT document, row_number() OVER (ORDER BY nearest), seed FROM (
        SELECT document, seed, min(place * 2 + inward) AS nearest FROM way
        WHERE document NOT IN (SELECT document FROM start) GROUP BY document)
      ORDER BY nearest, document LIMIT ${constant(String(MIDDLE_DOCUMENTS))}),
    hop2(document, place, seed, inward, edge, kind) AS MATERIALIZED (${stepsFrom(constant('middle'), scope, filter)})`
  const reached = [constant('SELECT 1 AS hop, * FROM hop1'), constant('SELECT 2 AS hop, * FROM hop2')].slice(0, hops)
  return {
    statement: sql`
      WITH ${start}${hops > 1 ? second : sql``},
      reached AS (
        SELECT *, row_number() OVER (PARTITION BY document ORDER BY hop, place, inward, edge) AS nth
        FROM (${joinSql(reached, ' UNION ALL ')}))
      SELECT ${DOCUMENT_COLUMNS}, m.hop AS linkHop, m.kind AS linkKind, m.inward AS linkInward,
        (SELECT vector_id FROM documents WHERE document = m.seed) AS linkFrom
      FROM reached m CROSS JOIN documents d ON d.document = m.document
      CROSS JOIN repositories r ON r.repository = d.repository
      WHERE m.nth = 1 AND m.document NOT IN (SELECT document FROM start)
      AND d.deleted_at IS NULL AND ${isInScope(scope)}
      ORDER BY m.hop, m.place, m.inward, m.edge, m.document LIMIT ${limit}`,
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

const EVERYTHING = documentCondition({ window: { clock: 'updated' } })

function isEverything(filter: Sql): boolean {
  return filter.text === EVERYTHING.text
}

/**
 * One link out of, and one into, each document of the table `from`, to what
 * passes the filter, a condition on `documents AS d`: it holds before anything
 * is left out for number. Links in are counted only where they come from what
 * the viewer sees: else hidden ones could push others out.
 */
function stepsFrom(from: Sql, { viewer }: Scope, filter: Sql): Sql {
  const visible = isVisible(viewer)
  const looked = isEverything(filter) ? EACH_WAY : LOOKED_AT
  return sql`
    SELECT t.document, f.place, f.seed, 0, e.edge, e.kind
    FROM ${from} f
    CROSS JOIN edges e ON e.edge >= f.document * ${PER_DOCUMENT} AND e.edge < f.document * ${PER_DOCUMENT} + ${looked}
    CROSS JOIN documents t ON t.document IN (
      SELECT d.document FROM documents d INDEXED BY documents_by_anchor
      WHERE d.repository = CASE WHEN instr(e.repo, '/') = 0 THEN CAST(e.repo AS INTEGER)
          ELSE (SELECT n.repository FROM repository_names n WHERE n.name_key = e.repo) END
        AND d.anchor = e.target AND d.deleted_at IS NULL AND ${filter}
      LIMIT ${constant(String(MEANT_BY_A_LINK))})
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
        LIMIT ${looked}) y
      CROSS JOIN documents d ON d.document = y.edge / ${PER_DOCUMENT}
      WHERE ${filter}
      LIMIT ${EACH_WAY})`
}
