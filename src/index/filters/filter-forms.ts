/**
 * The filters on the values of a document, one row each: as filter tokens of the
 * word index and as a condition on rows of documents. Both forms select the same
 * rows. A new filter is a value of Selection and a row of FILTER_FORMS.
 */
import { DOCUMENT_TYPES, type DocumentType, type IssueState } from '../../base/vocabulary.ts'
import type { FieldName } from '../../documents/fields.ts'
import { fieldsOf } from '../../documents/index.ts'
import { constant, sql } from '../sql/sql.ts'
import type { Sql } from '../sql/sql.ts'
import { ANY_DIRECTORY, ATTRIBUTE_FIELDS, directoryToken, exactToken, filterToken } from './filter-tokens.ts'
import { isFirstReleasedIn } from './first-release.ts'
import { foldExact, foldName } from './fold-name.ts'
import { isBelow, PATH } from './path-conditions.ts'

/** A type, or where commits are shown whole: commits with their diffs, and those that changed a file. */
export type SelectedType = DocumentType | 'commits' | 'changes'

/** The types of the rows that pass. */
export function typesOf(type: SelectedType): readonly DocumentType[] {
  return type === 'commits' || type === 'changes' ? ['commit', 'diff'] : [type]
}

/** Values that a row must have. */
export interface Selection {
  readonly type?: SelectedType
  readonly state?: IssueState
  readonly merged?: true
  readonly draft?: true
  /** All of them; whole names. */
  readonly labels?: readonly string[]
  /** Compared with letter case. */
  readonly milestone?: string
  readonly assignee?: string
  readonly author?: string
  /** A folder or a file, without slashes at its ends; the empty prefix selects every document with a path. */
  readonly pathPrefix?: string
  /** Of a diff, or of a file in a commit. */
  readonly fileStatus?: string
  /** A tag: commits and merged pull requests that were first released in it. */
  readonly release?: string
  /** Of rows that can have them; all of them. */
  readonly lacks?: readonly Attribute[]
  readonly has?: readonly Attribute[]
}

/** Attributes that a row has or lacks. */
export type Attribute = keyof typeof ATTRIBUTE_FIELDS

/** Both forms of one filter. */
interface FilterForm<Value> {
  /** A row passes if it has at least one token of every group. */
  readonly tokens: (value: Value) => readonly (readonly string[])[]
  /** The value as columns of keys have it; of a list every item. */
  readonly keys: (value: Value) => readonly string[]
  /** True, or false or NULL, for a row of `documents AS d` and a key, which is an expression. */
  readonly condition: (key: Sql) => Sql
  /** The form of an exclusion, where that is another one. */
  readonly excluded?: Pick<FilterForm<Value>, 'tokens' | 'condition'>
}

/** Types whose path is a place in the repository; the slug of a wiki page is not. */
export const TYPES_WITH_PATH = typesWith('doc_path', 'file_path')

function typesWith(...names: readonly FieldName[]): DocumentType[] {
  return DOCUMENT_TYPES.filter((type) => fieldsOf(type).some((name) => names.includes(name)))
}

export const FILTER_FORMS: { readonly [Name in keyof Selection]-?: FilterForm<NonNullable<Selection[Name]>> } = {
  type: {
    tokens: (type) => [typesOf(type).map((one) => filterToken('type', one))],
    keys: (type) => [typesOf(type).join(' ')],
    condition: (types) => sql`instr(' ' || ${types} || ' ', ' ' || d.type || ' ') > 0`,
  },
  state: {
    tokens: (state) => [[filterToken('state', state)]],
    keys: (state) => [state],
    condition: (state) => sql`d.state = ${state}`,
  },
  merged: {
    tokens: () => [[filterToken('merged', 'true')]],
    keys: () => ['1'],
    condition: (isTrue) => sql`d.merged = ${isTrue}`,
  },
  draft: {
    tokens: () => [[filterToken('draft', 'true')]],
    keys: () => ['1'],
    condition: (isTrue) => sql`d.draft = ${isTrue}`,
  },
  labels: {
    tokens: (labels) => labels.map((label) => [filterToken('label', label)]),
    keys: (labels) => labels.map(foldName),
    condition: (key) => sql`EXISTS (SELECT 1 FROM labels l WHERE l.label_key = ${key} AND l.document = d.document)`,
  },
  milestone: {
    tokens: (milestone) => [[exactToken('milestone', milestone)]],
    keys: (milestone) => [foldExact(milestone)],
    condition: (key) => sql`d.milestone_key = ${key}`,
  },
  assignee: {
    tokens: (login) => [[filterToken('assignee', login)]],
    keys: (login) => [foldName(login)],
    condition: (key) => sql`EXISTS (SELECT 1 FROM assignees a WHERE a.login_key = ${key} AND a.document = d.document)`,
  },
  author: {
    tokens: (author) => [[filterToken('author', author)]],
    keys: (author) => [foldName(author)],
    condition: (key) => sql`d.author_key IN (
      SELECT n.author_key FROM author_names n WHERE n.name_key = ${key} AND n.whole = 1)`,
  },
  // The files of a commit are compared by commit-conditions.ts. An exclusion excludes no commit: its other files remain.
  pathPrefix: {
    tokens: (prefix) => [
      [...TYPES_WITH_PATH, 'commit'].map((withPath) => filterToken('type', withPath)),
      ...(prefix === '' ? [] : [[directoryToken(prefix), ANY_DIRECTORY]]),
    ],
    keys: (prefix) => [foldExact(prefix)],
    condition: (prefix) => sql`(d.type = 'commit' OR ${isPathOf(prefix)})`,
    excluded: {
      tokens: (prefix) => [
        TYPES_WITH_PATH.map((withPath) => filterToken('type', withPath)),
        ...(prefix === '' ? [] : [[directoryToken(prefix)]]),
      ],
      condition: isPathOf,
    },
  },
  fileStatus: {
    tokens: (status) => [[filterToken('fileStatus', status)]],
    keys: (status) => [status],
    condition: (status) => sql`(d.type = 'commit' OR d.file_status = ${status})`,
  },
  // Statements add the keys of a release's rows to a MATCH expression; see first-release.ts.
  release: {
    tokens: () => [],
    keys: (tag) => [tag],
    condition: isFirstReleasedIn,
  },
  lacks: {
    tokens: (attributes) => attributes.map((attribute) => [filterToken('lacks', attribute)]),
    keys: (attributes) => attributes,
    condition: (attribute) => sql`CASE ${attribute}
      WHEN 'label' THEN ${canHave('labels')} AND NOT ${HAS_LABEL}
      WHEN 'milestone' THEN ${canHave('milestone')} AND NOT ${HAS_MILESTONE}
      ELSE ${canHave('assignees')} AND NOT ${HAS_ASSIGNEE} END`,
  },
  has: {
    tokens: (attributes) => attributes.map((attribute) => [filterToken('has', attribute)]),
    keys: (attributes) => attributes,
    condition: (attribute) => sql`CASE ${attribute}
      WHEN 'label' THEN ${HAS_LABEL} WHEN 'milestone' THEN ${HAS_MILESTONE} ELSE ${HAS_ASSIGNEE} END`,
  },
}

const HAS_LABEL = constant('EXISTS (SELECT 1 FROM labels l WHERE l.document = d.document)')
const HAS_MILESTONE = constant('d.milestone IS NOT NULL')
const HAS_ASSIGNEE = constant('EXISTS (SELECT 1 FROM assignees a WHERE a.document = d.document)')

function isPathOf(prefix: Sql): Sql {
  return sql`d.type IN (${typeList(TYPES_WITH_PATH)}) AND ${isBelow(prefix, PATH)}`
}

function canHave(field: FieldName): Sql {
  return sql`d.type IN (${typeList(typesWith(field))})`
}

/** Types as an SQL list of constants. */
export function typeList(types: readonly DocumentType[]): Sql {
  return constant(types.map((type) => `'${type}'`).join(', '))
}
