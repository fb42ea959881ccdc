/**
 * Rows as answers show them. Fields that have nothing to say are left out;
 * titles say what a row is where its source gives it none.
 */
import { cutWithEllipsis } from '../../base/text-cut.ts'
import { toTime } from '../../base/time.ts'
import type { FetchRow, SearchRow } from '../../contracts/tools/search-rows.ts'
import type { DocumentRow } from '../../index/documents/read-documents.ts'
import { urlOf } from './document-urls.ts'

/** UTF-16 units of one text field of a list, and of a name in it. */
const MAX_FIELD_CHARS = 1_000
const MAX_NAME_CHARS = 200
/** The same in a row that must be short, and the units that its labels, and its assignees, may take together. */
const SHORT_FIELD_CHARS = 120
const FEW_NAMES_CHARS = 600

/** Fields that mean nothing when cut: shown whole up to so many units of JSON, else left out. */
const EXACT_FIELDS = ['url', 'doc_path', 'wiki_path', 'file_path', 'tag_name']
const MAX_EXACT_CHARS = 6_000
const SHORT_EXACT_CHARS = 1_000

/** What a row is, without what it says; scores and places in a list are numbers, which stay too. */
const IDENTITY = ['vector_id', 'type', 'repo', 'state', 'created_at', 'updated_at', 'graph_from', 'graph_kind']

/** Associations that come with write access to the repository. */
const TRUSTED = ['OWNER', 'MEMBER', 'COLLABORATOR']

/**
 * A row of a list: long texts are cut, addresses and paths too long for a list
 * are left out, and of a commit message the subject is shown.
 */
export function toListRow(row: DocumentRow): SearchRow {
  const { message, labels, assignees, ...rest } = toRow(row)
  return {
    ...shortFields(rest, MAX_FIELD_CHARS, MAX_EXACT_CHARS),
    ...(labels && { labels: labels.map((name) => cutWithEllipsis(name, MAX_NAME_CHARS)) }),
    ...(assignees && { assignees: assignees.map((name) => cutWithEllipsis(name, MAX_NAME_CHARS)) }),
    ...(message !== undefined && {
      message: cutWithEllipsis(message.trimStart().split('\n', 1)[0] ?? '', MAX_FIELD_CHARS),
    }),
  }
}

/** The row with only the first of many labels and assignees; undefined where it has few. */
export function withFewNames<Row extends SearchRow>(row: Row): Row | undefined {
  const { labels = [], assignees = [] } = row
  const few = { labels: firstNames(labels), assignees: firstNames(assignees) }
  if (few.labels.length === labels.length && few.assignees.length === assignees.length) return undefined
  return present({ ...row, ...few }) as Row
}

/** The row with its texts cut short. */
export function withShortFields<Row extends SearchRow>(row: Row): Row {
  return shortFields(row, SHORT_FIELD_CHARS, SHORT_EXACT_CHARS)
}

/** Only what names the row, and its numbers and flags. */
export function bareRow<Row extends SearchRow>(row: Row): Row {
  const kept = Object.entries(row).filter(
    ([name, value]) => IDENTITY.includes(name) || typeof value === 'number' || typeof value === 'boolean',
  )
  return Object.fromEntries(kept) as unknown as Row
}

/** The row whole, as a fetch shows it beside the body. */
export function toWholeRow(row: DocumentRow): SearchRow & Pick<FetchRow, 'diff_hunk'> {
  return { ...toRow(row), ...present({ diff_hunk: row.diffHunk }) }
}

function toRow(row: DocumentRow): SearchRow {
  const { authorAssociation = '' } = row
  return present({
    vector_id: row.vectorId,
    type: row.type,
    repo: row.repo,
    number: row.number,
    title: titleOf(row),
    url: urlOf(row),
    state: row.state,
    merged: row.merged,
    draft: row.draft,
    labels: row.labels,
    milestone: row.milestone,
    assignees: row.assignees,
    author: row.author,
    author_association: row.authorAssociation,
    trusted: TRUSTED.includes(authorAssociation.toUpperCase()) || undefined,
    created_at: toTime(row.createdAt),
    updated_at: toTime(row.updatedAt),
    ...ofType(row),
  }) as SearchRow
}

function ofType(row: DocumentRow): Partial<Record<keyof SearchRow, unknown>> {
  switch (row.type) {
    case 'issue':
    case 'pull_request':
      return {}
    case 'release':
      return { tag_name: row.tagName, prerelease: row.prerelease }
    case 'doc':
      return { doc_path: row.path }
    case 'wiki_doc':
      return { wiki_path: row.path }
    case 'diff':
      return {
        commit_sha: row.commitSha,
        file_path: row.path,
        file_status: row.fileStatus,
        commit_date: row.commitDate === undefined ? undefined : toTime(row.commitDate),
        commit_author: row.commitAuthor,
        message: row.message,
      }
    case 'issue_comment':
      return { comment_id: row.commentId }
    case 'pr_review':
      return { review_id: row.reviewId, review_state: row.reviewState }
    case 'pr_review_comment':
      return { comment_id: row.commentId, file_path: row.path, line: row.line, commit_sha: row.commitSha }
  }
}

function titleOf(row: DocumentRow): string | undefined {
  switch (row.type) {
    case 'issue':
    case 'pull_request':
      return row.title ?? `#${row.number}`
    case 'release':
      return row.title ?? row.tagName
    case 'doc':
    case 'wiki_doc':
      return row.path
    case 'diff':
      return `${row.commitSha?.slice(0, 7)} ${row.path}`
    case 'issue_comment':
    case 'pr_review':
    case 'pr_review_comment':
      return row.number === undefined ? row.author : `${row.author ?? 'someone'} on #${row.number}`
  }
}

function present<Fields extends object>(fields: Fields): { [K in keyof Fields]: Exclude<Fields[K], undefined> } {
  const said = Object.entries(fields).filter(
    ([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
  )
  return Object.fromEntries(said) as { [K in keyof Fields]: Exclude<Fields[K], undefined> }
}

function shortFields<Row extends object>(row: Row, maxChars: number, maxExactChars: number): Row {
  const fields = Object.entries(row).flatMap(([name, value]): [string, unknown][] => {
    if (typeof value !== 'string' || IDENTITY.includes(name)) return [[name, value]]
    if (!EXACT_FIELDS.includes(name)) return [[name, cutWithEllipsis(value, maxChars)]]
    return JSON.stringify(value).length <= maxExactChars ? [[name, value]] : []
  })
  return Object.fromEntries(fields) as unknown as Row
}

function firstNames(names: readonly string[]): string[] {
  let room = FEW_NAMES_CHARS
  const end = names.findIndex((name) => {
    room -= JSON.stringify(name).length + 1
    return room < 0
  })
  return end < 0 ? names.slice() : names.slice(0, end)
}
