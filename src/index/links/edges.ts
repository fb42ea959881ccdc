/**
 * Edges: the links of a document as rows, and the anchor by which links find
 * the document. An edge names its target unresolved, as a repository (key or
 * lower-case name) and an anchor there, so pages may come in any order.
 */
import { typeOf, type Document } from '../../documents/document.ts'
import { linksOf, pageKey, type LinkKind, type LinkTarget, type LinkSource } from '../../text/links.ts'
import { packJson, statementsFor } from '../sql/json-rows.ts'
import { EDGES_PER_DOCUMENT, MAX_TARGET_CHARS } from '../limits.ts'

/** Moves whenever the same document would give other edges or another anchor; older rows owe theirs. */
export const EDGES_VERSION = 2

/** `pull_request` leads from a commit to the pull request that brought it. */
export type EdgeKind = LinkKind | 'pull_request'

export interface Edge {
  readonly kind: EdgeKind
  /** `owner/name` in lower case; undefined is the document's own repository. */
  readonly repo?: string
  readonly target: string
}

/** What links call a document, within its repository. One anchor may be several documents': the files of a commit. */
export function anchorOf({ identity }: Document): string {
  switch (identity.type) {
    case 'issue':
    case 'pull_request':
      return `n${identity.number}`
    case 'release':
      return `t${identity.tagName}`
    case 'doc':
      return `p${identity.path}`
    case 'wiki_doc':
      return `w${pageKey(identity.path)}`
    case 'diff':
      return `c${identity.commitSha.toLowerCase()}`
    case 'issue_comment':
    case 'pr_review_comment':
      return commentAnchor(identity.type, identity.commentId)
    case 'pr_review':
      return commentAnchor(identity.type, identity.reviewId)
  }
}

/** The edges of a document, each target once by its strongest kind, in the order of the text within a kind. */
export function edgesOf(document: Document): Edge[] {
  const own = [anchorOf(document), document.number === undefined ? '' : `n${document.number}`]
  const edges = new Map<string, Edge>()
  const add = (kind: EdgeKind, target: LinkTarget): void => {
    const repo = target.repo?.toLowerCase()
    const edge: Edge = { kind, target: anchorFor(target), ...(repo !== undefined && { repo }) }
    const key = `${repo ?? ''} ${edge.target}`
    const toItself = repo === undefined && own.includes(edge.target)
    if (!toItself && !edges.has(key) && edge.target.length <= MAX_TARGET_CHARS) edges.set(key, edge)
  }
  const number = pullRequestOf(document)
  if (number !== undefined) add('pull_request', { kind: 'number', number })
  for (const { kind, target } of linksOf(textOf(document), placeOf(document))) add(kind, target)
  return [...edges.values()].slice(0, EDGES_PER_DOCUMENT)
}

/** A patch quotes whatever its files hold; what a commit speaks of stands in its message. */
function textOf({ identity, title = '', message = '', body }: Document): string {
  return identity.type === 'diff' ? message : `${title}\n\n${body}`
}

function placeOf({ identity }: Document): LinkSource {
  if (identity.type === 'wiki_doc') return { at: 'wiki' }
  return identity.type === 'doc' ? { at: 'file', path: identity.path } : { at: 'root' }
}

/** The number that a merge or a squash wrote into the commit's subject. */
function pullRequestOf(document: Document): number | undefined {
  if (typeOf(document) !== 'diff') return undefined
  const subject = (document.message ?? '').trimStart().split('\n', 1)[0] ?? ''
  const digits = /^Merge pull request #(\d{1,9})\b|\(#(\d{1,9})\)\s*$/.exec(subject)
  return digits === null ? undefined : Number(digits[1] ?? digits[2])
}

function anchorFor(target: LinkTarget): string {
  switch (target.kind) {
    case 'number':
      return `n${target.number}`
    case 'comment':
      return commentAnchor(target.type, target.id)
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

/** Comments and reviews are numbered apart. */
function commentAnchor(type: string, id: number): string {
  return `m${type}:${id}`
}

/** A document to put: found by its `vector_id` in the same transaction. */
export interface EdgesWrite {
  readonly vectorId: string
  readonly document: Document
}

/** Puts edges, anchor and mark of documents whose old edges are gone already. */
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

/** Drops the edges that lead out of documents, by number. */
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
