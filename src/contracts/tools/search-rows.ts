/**
 * The rows of `search` answers. A row has the fields of a document, which come
 * from src/documents/fields.ts; the modes add scores, passages or contents.
 * Fields without a value are absent, never null or empty.
 */
import * as z from 'zod'
import { DOCUMENT_TYPES, ISSUE_STATES } from '../../base/vocabulary.ts'
import { FIELDS, type Field, type FieldKind, type Fields } from '../../documents/fields.ts'
import { decimal, described, text, texts, whole, yes } from '../schema-parts.ts'

export const CONTENT_SOURCES = ['github', 'index'] as const

const vectorId = described(z.string(), 'Short-lived handle of this row; pass it in vector_ids to read the body.')

const OF_KIND = {
  id: z.int(),
  count: z.int(),
  name: z.string(),
  text: z.string(),
  keyword: z.string(),
  url: z.string(),
  sha: z.string(),
  longText: z.string(),
  time: z.string(),
  boolean: z.boolean(),
  flag: z.boolean(),
  state: z.enum(ISSUE_STATES),
  names: z.array(z.string()),
  shas: z.array(z.string()),
  files: z.array(z.object({ path: z.string(), status: z.string() })),
} as const satisfies Record<FieldKind, z.ZodType>

/** The fields that every answer shows. */
type FieldShape = {
  readonly [Name in keyof Fields as 'shown' extends keyof Fields[Name] ? never : Name]: z.ZodExactOptional<
    (typeof OF_KIND)[Fields[Name]['kind']]
  >
}

function toFieldShape(): FieldShape {
  const shown = Object.entries<Field>(FIELDS).filter(([, field]) => field.shown === undefined)
  return Object.fromEntries(shown.map(([name, { kind }]) => [name, OF_KIND[kind].exactOptional()])) as FieldShape
}

const commitFile = z.object({
  path: z.string(),
  status: described(text, 'added, modified, removed, renamed, copied or changed.'),
  vector_id: described(text, 'Of the diff of this file, where it is stored.'),
  snippet_offset: described(whole, 'The snippet is from this diff: its start there, in UTF-16 units.'),
})

/** The fields of a row in every mode. */
export const searchRow = z.object({
  vector_id: vectorId,
  type: z.enum(DOCUMENT_TYPES),
  repo: described(z.string(), 'owner/name'),
  ...toFieldShape(),
  trusted: described(yes, 'The author has write access to the repository.'),
  created_at: z.string(),
  updated_at: described(
    text,
    'Compact rows omit it where it equals created_at, as they do commit_date and a commit_author equal to author.',
  ),
  message: described(
    text,
    'For a commit: its message, omitted in compact rows if the title says it all. For a diff: the subject line of its commit; with vector_ids the whole message.',
  ),
  files: described(
    z.array(commitFile).exactOptional(),
    'For a commit: the first of its file_count files, best match first.',
  ),
  first_release: described(
    z.object({ tag: z.string(), at: z.string() }).exactOptional(),
    'For a commit or merged pull request: the earliest release that contains it.',
  ),
  content: described(text, 'The stored text, or the requested window of it.'),
  content_source: z.enum(CONTENT_SOURCES).exactOptional(),
  content_truncated: described(yes, 'More text follows this window, or the source was cut when it was stored.'),
  next_content_offset: described(whole, 'content_offset of the next window; absent at the end.'),
})

/** Another row about the same entity, grouped under the best one. */
const otherRow = z.object({
  vector_id: z.string(),
  type: z.enum(DOCUMENT_TYPES),
  title: text,
  url: text,
  updated_at: text,
  score: decimal,
  commit_sha: text,
})

const sameEntity = z.object({
  count: described(z.int(), 'Number of rows about the same entity, this one included.'),
  others: z.array(otherRow),
})

const passage = {
  heading: described(text, 'Documentation and releases: the headings above the passage, the outermost first.'),
  snippet: described(text, 'The matching passage, with matched terms in **bold**.'),
  snippet_offset: described(
    whole,
    'Start of the snippet in the body of this row, in UTF-16 units; compact rows omit 0. If the snippet is from the diff of a commit, files[0] has it instead.',
  ),
}

/** A ranked row: its scores, and the matching passage. */
export const hybridRow = searchRow.extend({
  score: z.number(),
  dense_score: decimal,
  sparse_score: decimal,
  dense_rank: whole,
  sparse_rank: whole,
  rerank_score: decimal,
  ...passage,
  passages: described(
    z.array(z.object(passage)).exactOptional(),
    'Documentation and releases: further matching passages, at most 2.',
  ),
  same_entity: sameEntity.exactOptional(),
})

/** A row that is linked with a result; it has no score. */
export const graphRow = searchRow.extend({
  graph_hop: described(z.int(), 'Number of links between this row and a result.'),
  graph_from: described(z.string(), 'vector_id of the result that leads to this row.'),
  graph_kind: described(
    z.string(),
    'The last link on the path: closes, pull_request, wiki_link, link, mention, slug; against its direction closed_by, commit, wiki_backlink, backlink, mentioned_by, slug_in.',
  ),
})

/** A row with a window of its stored body. */
export const fetchRow = searchRow.extend({
  diff_hunk: described(text, 'For a review comment: the hunk it is on.'),
  parents: described(texts, 'For a commit: the SHAs of its parents, the first parent first.'),
  content: z.string(),
  content_offset: described(z.int(), 'Start of the window, in UTF-16 units.'),
  content_chars: described(z.int(), 'Length of the window, in UTF-16 units.'),
  content_total_chars: described(z.int(), 'Length of the stored body, in UTF-16 units.'),
  content_truncated: z.boolean(),
})

export type SearchRow = z.output<typeof searchRow>
export type HybridRow = z.output<typeof hybridRow>
export type GraphRow = z.output<typeof graphRow>
export type FetchRow = z.output<typeof fetchRow>
