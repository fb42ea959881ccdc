/**
 * Edges: the links of a document as rows, and the anchor by which links find
 * the document. An edge stores its target unresolved, as a repository (key or
 * lower-case name) and an anchor in it, so pages may be imported in any order.
 */
import { toNameKey } from '../../base/repository-name.ts'
import { typeOf, type Document } from '../../documents/document.ts'
import type { DocumentLink } from '../../documents/document-spec.ts'
import { specOf } from '../../documents/index.ts'
import type { LinkTarget } from '../../text/links.ts'
import { packJson, statementsFor } from '../sql/json-rows.ts'
import { EDGES_PER_DOCUMENT, MAX_TARGET_CHARS } from '../limits.ts'

/** Raise it when the same document gets other edges or another anchor; edges of an older version are pending. */
export const EDGES_VERSION = 2

export type EdgeKind = DocumentLink['kind']

interface Edge {
  readonly kind: EdgeKind
  /** `owner/name` in lower case; undefined is the document's own repository. */
  readonly repo?: string
  readonly target: string
}

/** The anchor of a document within its repository. */
function anchorOf(document: Document): string {
  return anchorFor(specOf(typeOf(document)).anchor(document))
}

/** The edges of a document: each target once, by its strongest kind, except itself and its own thread. */
function edgesOf(document: Document): Edge[] {
  const own = [anchorOf(document), document.number === undefined ? '' : `n${document.number}`]
  const edges = new Map<string, Edge>()
  for (const { kind, target } of specOf(typeOf(document)).links(document)) {
    const repo = target.repo === undefined ? undefined : toNameKey(target.repo)
    const edge: Edge = { kind, target: anchorFor(target), ...(repo !== undefined && { repo }) }
    const key = `${repo ?? ''} ${edge.target}`
    const toItself = repo === undefined && own.includes(edge.target)
    if (!toItself && !edges.has(key) && edge.target.length <= MAX_TARGET_CHARS) edges.set(key, edge)
  }
  return [...edges.values()].slice(0, EDGES_PER_DOCUMENT)
}

function anchorFor(target: LinkTarget): string {
  switch (target.kind) {
    case 'number':
      return `n${target.number}`
    case 'comment':
      // Comments and reviews are numbered separately.
      return `m${target.type}:${target.id}`
    case 'commit':
      return `c${target.sha}`
    case 'path':
      return `p${target.path}`
    case 'page':
      return `w${target.page}`
    case 'tag':
      return `t${target.tag}`
    default:
      return target satisfies never
  }
}

/** A document to put. The statements find its row by `vector_id`. */
export interface EdgesWrite {
  readonly vectorId: string
  readonly document: Document
}

/** Puts the edges, the anchor and the edges version of documents that have no edges. */
export function putEdgesStatements(database: D1Database, writes: readonly EdgesWrite[]): D1PreparedStatement[] {
  const rows = writes.flatMap(({ vectorId, document }) =>
    edgesOf(document).map(({ kind, repo, target }, at) => [vectorId, at, kind, repo ?? null, target]),
  )
  return [
    ...statementsFor(
      database,
      `INSERT INTO edges (edge, kind, repo, target)
       SELECT d.document * ${EDGES_PER_DOCUMENT} + (e.value ->> 1), e.value ->> 2,
         coalesce(e.value ->> 3, d.repository), e.value ->> 4
       FROM json_each(?1) e JOIN documents d ON d.vector_id = e.value ->> 0`,
      rows,
    ),
    ...statementsFor(
      database,
      `UPDATE documents SET anchor = e.value ->> 1, edges_version = ?2
       FROM json_each(?1) e WHERE vector_id = e.value ->> 0`,
      writes.map(({ vectorId, document }) => [vectorId, anchorOf(document)]),
      EDGES_VERSION,
    ),
  ]
}

/** Drops the edges from documents, by number. */
export function dropEdgesStatements(database: D1Database, documents: readonly number[]): D1PreparedStatement[] {
  return packJson(documents).map((json) =>
    database
      .prepare(
        `DELETE FROM edges WHERE edge IN (
           SELECT x.edge FROM json_each(?1) e JOIN edges x
           ON x.edge >= e.value * ${EDGES_PER_DOCUMENT} AND x.edge < (e.value + 1) * ${EDGES_PER_DOCUMENT})`,
      )
      .bind(json),
  )
}
