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
import { ATTRIBUTE_FIELDS, directoryToken, exactToken, filterToken } from './filter-tokens.ts'
import { foldExact, foldName } from './fold-name.ts'

/** Values that a row must have. */
export interface Selection {
  readonly type?: DocumentType
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
}

/** Types whose path is a place in the repository; the slug of a wiki page is not. */
export const TYPES_WITH_PATH = typesWith('doc_path', 'file_path')

function typesWith(...names: readonly FieldName[]): DocumentType[] {
  return DOCUMENT_TYPES.filter((type) => fieldsOf(type).some((name) => names.includes(name)))
}

export const FILTER_FORMS: { readonly [Name in keyof Selection]-?: FilterForm<NonNullable<Selection[Name]>> } = {
  type: {
    tokens: (type) => [[filterToken('type', type)]],
    keys: (type) => [type],
    condition: (type) => sql`d.type = ${type}`,
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
  pathPrefix: {
    tokens: (prefix) => [
      TYPES_WITH_PATH.map((withPath) => filterToken('type', withPath)),
      ...(prefix === '' ? [] : [[directoryToken(prefix)]]),
    ],
    keys: (prefix) => [foldExact(prefix)],
    condition: (prefix) => sql`d.type IN (${typeList(TYPES_WITH_PATH)})
      AND d.path IS NOT NULL AND (${prefix} = '' OR ${PATH} = ${prefix} OR substr(${PATH}, 1, length(${prefix}) + 1) = ${prefix} || '/')`,
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

function canHave(field: FieldName): Sql {
  return sql`d.type IN (${typeList(typesWith(field))})`
}

function typeList(types: readonly DocumentType[]): Sql {
  return constant(types.map((type) => `'${type}'`).join(', '))
}

/** The path in NFC, as the index of paths has it. */
const PATH = constant('coalesce(d.path_key, d.path)')

/** The paths at and below a prefix, as a range of an index. It may contain a few others. */
export function pathRange(pathPrefix: string): Sql {
  const prefix = foldExact(pathPrefix)
  return sql`${PATH} >= ${prefix} AND ${PATH} < ${`${prefix}0`}`
}
