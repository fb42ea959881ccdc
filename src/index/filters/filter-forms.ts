/**
 * The filters on the values of a document, one row each: as filter tokens of the
 * word index and as a condition on rows of documents. Both forms select the same
 * rows. A new filter is a value of Selection and a row of FILTER_FORMS.
 */
import { DOCUMENT_TYPES, type DocumentType, type IssueState } from '../../base/vocabulary.ts'
import { fieldsOf } from '../../documents/index.ts'
import { constant, sql } from '../sql/sql.ts'
import type { Sql } from '../sql/sql.ts'
import { directoryToken, exactToken, filterToken } from './filter-tokens.ts'
import { foldExact, foldName } from './fold-name.ts'

/** Values that a row must have. */
export interface Selection {
  readonly type?: DocumentType
  readonly state?: IssueState
  readonly merged?: true
  /** All of them; whole names. */
  readonly labels?: readonly string[]
  /** Compared with letter case. */
  readonly milestone?: string
  readonly assignee?: string
  readonly author?: string
  /** A folder or a file, without slashes at its ends; the empty prefix selects every document with a path. */
  readonly pathPrefix?: string
}

/** Both forms of one filter. */
interface FilterForm<Value> {
  /** A row passes if it has at least one token of every group. */
  readonly tokens: (value: Value) => readonly (readonly string[])[]
  /** True, or false or NULL, for a row of `documents AS d`. */
  readonly condition: (value: Value) => Sql
}

/** Types whose path is a place in the repository; the slug of a wiki page is not. */
export const TYPES_WITH_PATH = DOCUMENT_TYPES.filter((type) =>
  fieldsOf(type).some((name) => name === 'doc_path' || name === 'file_path'),
)

export const FILTER_FORMS: { readonly [Name in keyof Selection]-?: FilterForm<NonNullable<Selection[Name]>> } = {
  type: {
    tokens: (type) => [[filterToken('type', type)]],
    condition: (type) => sql`d.type = ${type}`,
  },
  state: {
    tokens: (state) => [[filterToken('state', state)]],
    condition: (state) => sql`d.state = ${state}`,
  },
  merged: {
    tokens: () => [[filterToken('merged', 'true')]],
    condition: () => sql`d.merged = 1`,
  },
  labels: {
    tokens: (labels) => labels.map((label) => [filterToken('label', label)]),
    condition: (labels) => sql`NOT EXISTS (
      SELECT 1 FROM json_each(${JSON.stringify(labels.map(foldName))}) wanted
      WHERE NOT EXISTS (SELECT 1 FROM labels l WHERE l.label_key = wanted.value AND l.document = d.document))`,
  },
  milestone: {
    tokens: (milestone) => [[exactToken('milestone', milestone)]],
    condition: (milestone) => sql`d.milestone_key = ${foldExact(milestone)}`,
  },
  assignee: {
    tokens: (login) => [[filterToken('assignee', login)]],
    condition: (login) => sql`EXISTS (
      SELECT 1 FROM assignees a WHERE a.login_key = ${foldName(login)} AND a.document = d.document)`,
  },
  author: {
    tokens: (author) => [[filterToken('author', author)]],
    condition: (author) => sql`d.author_key IN (
      SELECT n.author_key FROM author_names n WHERE n.name_key = ${foldName(author)} AND n.whole = 1)`,
  },
  pathPrefix: {
    tokens: (prefix) => [
      TYPES_WITH_PATH.map((withPath) => filterToken('type', withPath)),
      ...(prefix === '' ? [] : [[directoryToken(prefix)]]),
    ],
    condition: (prefix) =>
      sql`d.type IN (${WITH_PATH}) AND ${prefix === '' ? sql`d.path IS NOT NULL` : isBelow(foldExact(prefix))}`,
  },
}

const WITH_PATH = constant(TYPES_WITH_PATH.map((type) => `'${type}'`).join(', '))

/** The path in NFC, as the index of paths has it. */
const PATH = constant('coalesce(d.path_key, d.path)')

/** The paths at and below a prefix, as a range of an index. It may contain a few others. */
export function pathRange(pathPrefix: string): Sql {
  const prefix = foldExact(pathPrefix)
  return sql`${PATH} >= ${prefix} AND ${PATH} < ${`${prefix}0`}`
}

function isBelow(prefix: string): Sql {
  const next = sql`substr(${PATH}, length(${prefix}) + 1, 1)`
  return sql`${pathRange(prefix)} AND (${PATH} = ${prefix} OR ${next} = '/')`
}
