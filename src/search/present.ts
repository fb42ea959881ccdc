/**
 * Rows as answers show them. Fields that have nothing to say are left out;
 * titles say what a row is where its source gives it none.
 */
import { toTime } from '../base/time.ts'
import type { FetchRow, SearchRow } from '../contracts/tools/search-rows.ts'
import type { DocumentRow } from '../index/read-documents.ts'
import { urlOf } from './urls.ts'

/** Labels and assignees shown of one row, and UTF-16 units of one text field of a list: rows must fit an answer. */
const MAX_NAMES = 100
const MAX_FIELD_CHARS = 1_000
const MAX_NAME_CHARS = 200

/** Associations that come with write access to the repository. */
const TRUSTED = ['OWNER', 'MEMBER', 'COLLABORATOR']

/** A row of a list: long fields are cut, and of a commit message the subject is shown. */
export function toListRow(row: DocumentRow): SearchRow {
  const { message, labels, assignees, ...rest } = toRow(row)
  const fields = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [
      name,
      typeof value === 'string' ? cut(value, MAX_FIELD_CHARS) : value,
    ]),
  ) as unknown as SearchRow
  return {
    ...fields,
    ...(labels && { labels: cutNames(labels) }),
    ...(assignees && { assignees: cutNames(assignees) }),
    ...(message !== undefined && { message: cut(message.trimStart().split('\n', 1)[0] ?? '', MAX_FIELD_CHARS) }),
  }
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

function cutNames(names: readonly string[]): string[] {
  return names.slice(0, MAX_NAMES).map((name) => cut(name, MAX_NAME_CHARS))
}

function cut(text: string, maxChars: number): string {
  return text.length <= maxChars
    ? text
    : `${text
        .slice(0, maxChars - 1)
        .toWellFormed()
        .replace(/\uFFFD$/, '')}…`
}
