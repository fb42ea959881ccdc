/**
 * The fields of documents, one row each, by the name that import pages and
 * answers use. The import schema, parsing, storage, both readers, answers, page
 * lines and the generated documentation derive from this table; a test compares
 * it with the columns in migrations/. The body and the repository are not
 * fields: every document has them, and they are stored in other tables.
 */
import { parseTime, toTime } from '../base/time.ts'
import type { IssueState } from '../base/vocabulary.ts'

/** A file that a commit changed. */
export interface ChangedFile {
  readonly path: string
  /** added, modified, removed, renamed, copied or changed. */
  readonly status: string
}

/** The value of each kind of field, as a Document carries it. */
interface KindValues {
  /** A positive integer. */
  id: number
  /** An integer, 0 or more. */
  count: number
  /** Never cut, because a part of it would name something else. */
  name: string
  text: string
  /** Compared in lower case. */
  keyword: string
  /** `http:` or `https:`. Never cut. */
  url: string
  /** Hexadecimal digits in lower case. */
  sha: string
  /** Several lines; cut to MAX_LONG_TEXT_CHARS when stored. */
  longText: string
  /** Milliseconds UTC. */
  time: number
  boolean: boolean
  /** Only true is kept; false means the same as absent. */
  flag: boolean
  state: IssueState
  /** A list in the order of the source, in a table named like the property. */
  names: readonly string[]
  /** A list of SHAs in lower case, in a table named like the property. */
  shas: readonly string[]
  /** A list of paths with their statuses, in a table named like the property. */
  files: readonly ChangedFile[]
}

export type FieldKind = keyof KindValues

export interface Field {
  /** Its name in a Document and in a row that an answer is made from. */
  readonly property: string
  /** Its column in `documents`; of a list, the first column of the list's own table. */
  readonly column: string
  readonly kind: FieldKind
  /** Its description in the published import schema. */
  readonly description: string
  /** Which answers show it: all if absent; `fetched`: only those with `vector_ids`. */
  readonly shown?: 'fetched' | 'never'
}

/** The order is that of the fields of an answer. */
export const FIELDS = {
  number: { property: 'number', column: 'number', kind: 'id', description: 'Number of the issue or pull request.' },
  title: { property: 'title', column: 'title', kind: 'text', description: 'Title, or name of a release.' },
  url: { property: 'url', column: 'url', kind: 'url', description: 'Address of its web page.' },
  state: {
    property: 'state',
    column: 'state',
    kind: 'state',
    description: 'open or closed; a merged pull request is closed.',
  },
  merged: { property: 'merged', column: 'merged', kind: 'boolean', description: 'Pull request: it was merged.' },
  draft: { property: 'draft', column: 'draft', kind: 'boolean', description: 'Pull request: it is a draft.' },
  labels: { property: 'labels', column: 'label', kind: 'names', description: 'Label names.' },
  milestone: { property: 'milestone', column: 'milestone', kind: 'text', description: 'Title of the milestone.' },
  assignees: { property: 'assignees', column: 'login', kind: 'names', description: 'Logins.' },
  author: { property: 'author', column: 'author', kind: 'text', description: 'Login or name of the author.' },
  author_email: {
    property: 'authorEmail',
    column: 'author_email',
    kind: 'text',
    description: 'E-mail address of the author. It finds documents by author and is never shown.',
    shown: 'never',
  },
  author_association: {
    property: 'authorAssociation',
    column: 'author_association',
    kind: 'text',
    description: "The author's relation to the repository, in GitHub's terms.",
  },
  created_at: {
    property: 'createdAt',
    column: 'created_at',
    kind: 'time',
    description: 'When it was created, RFC 3339.',
  },
  updated_at: {
    property: 'updatedAt',
    column: 'updated_at',
    kind: 'time',
    description:
      'When it last changed, RFC 3339. If absent: when it was first imported, or when its text last changed.',
  },
  source_truncated: {
    property: 'sourceTruncated',
    column: 'source_truncated',
    kind: 'flag',
    description: 'The text was already cut when it was exported.',
    shown: 'never',
  },
  tag_name: { property: 'tagName', column: 'tag_name', kind: 'name', description: 'The tag.' },
  prerelease: { property: 'prerelease', column: 'prerelease', kind: 'boolean', description: 'It is a pre-release.' },
  previous_tag: {
    property: 'previousTag',
    column: 'previous_tag',
    kind: 'text',
    description: 'The nearest release that is an ancestor of this one.',
  },
  commit_count: {
    property: 'commitCount',
    column: 'commit_count',
    kind: 'count',
    description: 'Number of commits since previous_tag.',
  },
  generated: {
    property: 'generated',
    column: 'generated',
    kind: 'flag',
    description: 'The release has no notes of its own; the body lists the subjects of its commits.',
  },
  released: {
    property: 'released',
    column: 'commit_sha',
    kind: 'shas',
    description: 'SHAs of the commits that no earlier release contains.',
    shown: 'never',
  },
  doc_path: { property: 'path', column: 'path', kind: 'name', description: 'Path of the document in the repository.' },
  wiki_path: { property: 'path', column: 'path', kind: 'name', description: 'Slug of the wiki page.' },
  commit_sha: { property: 'commitSha', column: 'commit_sha', kind: 'sha', description: 'SHA of the commit.' },
  file_path: { property: 'path', column: 'path', kind: 'name', description: 'Path of the file in the repository.' },
  file_status: {
    property: 'fileStatus',
    column: 'file_status',
    kind: 'text',
    description: 'added, modified, removed, renamed, copied or changed.',
  },
  commit_date: {
    property: 'commitDate',
    column: 'commit_date',
    kind: 'time',
    description: 'When it was committed, RFC 3339.',
  },
  commit_author: {
    property: 'commitAuthor',
    column: 'commit_author',
    kind: 'text',
    description: 'Author of the commit.',
  },
  message: { property: 'message', column: 'message', kind: 'longText', description: 'The whole commit message.' },
  parents: {
    property: 'parents',
    column: 'parent',
    kind: 'shas',
    description: 'SHAs of the parents of the commit, the first parent first.',
    shown: 'fetched',
  },
  files: {
    property: 'files',
    column: 'path',
    kind: 'files',
    description: 'The files that the commit changed, also those whose diffs are not imported.',
    shown: 'never',
  },
  file_count: {
    property: 'fileCount',
    column: 'file_count',
    kind: 'count',
    description: 'Number of changed files. If absent: the length of files.',
  },
  comment_id: { property: 'commentId', column: 'comment_id', kind: 'id', description: 'Numeric id of the comment.' },
  review_id: { property: 'reviewId', column: 'review_id', kind: 'id', description: 'Numeric id of the review.' },
  review_state: {
    property: 'reviewState',
    column: 'review_state',
    kind: 'keyword',
    description: 'approved, changes_requested, commented or dismissed.',
  },
  line: { property: 'line', column: 'line', kind: 'count', description: 'Line of the file.' },
  diff_hunk: {
    property: 'diffHunk',
    column: 'diff_hunk',
    kind: 'longText',
    description: 'The hunk that the comment is on.',
    shown: 'fetched',
  },
} as const satisfies Record<string, Field>

export type Fields = typeof FIELDS
export type FieldName = keyof Fields

export const FIELD_NAMES = Object.keys(FIELDS) as readonly FieldName[]

/** The fields that documents of every type may have. */
export const COMMON_FIELDS = [
  'title',
  'author',
  'author_email',
  'author_association',
  'url',
  'created_at',
  'updated_at',
  'source_truncated',
] as const satisfies readonly FieldName[]

/** Values of fields by property; absent, never null or empty. */
export type FieldValues = {
  readonly [Name in FieldName as Fields[Name]['property']]?: KindValues[Fields[Name]['kind']]
}

export type FieldProperty = keyof FieldValues

interface Column {
  readonly property: FieldProperty
  readonly column: string
  readonly kind: FieldKind
}

/** The fields by property: the paths of three types are one column. */
const DISTINCT: readonly Column[] = [
  ...new Map(
    Object.values(FIELDS).map(({ property, column, kind }) => [property, { property, column, kind }]),
  ).values(),
]

type ListKind = 'names' | 'shas' | 'files'

const LIST_KINDS: readonly FieldKind[] = ['names', 'shas', 'files'] satisfies readonly ListKind[]

/** The columns of `documents` that hold fields. */
export const FIELD_COLUMNS = DISTINCT.filter(({ kind }) => !LIST_KINDS.includes(kind))

/** The fields that are lists: rows of the table `property`, the first column of a row is `column`. */
export const LIST_FIELDS = DISTINCT.filter((field): field is Column & { readonly kind: ListKind } =>
  LIST_KINDS.includes(field.kind),
)

/** A value as an import page or an answer writes it. */
export function toWire(kind: FieldKind, value: unknown): unknown {
  return kind === 'time' && typeof value === 'number' ? toTime(value) : value
}

/** A value that passed the import schema, as a Document carries it; undefined where it counts as absent. */
export function fromWire(kind: FieldKind, value: unknown): unknown {
  if (value === null || value === undefined || value === '') return undefined
  switch (kind) {
    case 'time':
      return parseTime(value as string)
    case 'sha':
    case 'keyword':
      return (value as string).toLowerCase()
    case 'flag':
      return value === true ? true : undefined
    case 'names':
    case 'files':
      return (value as readonly unknown[]).length > 0 ? value : undefined
    case 'shas':
      return (value as readonly string[]).length > 0
        ? (value as readonly string[]).map((sha) => sha.toLowerCase())
        : undefined
    default:
      return value
  }
}
