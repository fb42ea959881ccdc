/**
 * A commit as a whole: its message and the list of files that it changed. The
 * patches of its files are documents of their own (diff.ts).
 */
import { linksOf } from '../../text/links.ts'
import type { DocumentLink, DocumentSpec } from '../document-spec.ts'
import type { FieldValues } from '../fields.ts'

export const commit: DocumentSpec<'commit'> = {
  idPrefix: 'co',
  identity: ['commit_sha'],
  required: [],
  optional: ['message', 'commit_date', 'commit_author', 'parents', 'files', 'file_count'],
  compose: (values) => ({ values: complete(values), body: bodyOf(values) }),
  bodyForm: 'prose',
  anchor: ({ identity }) => ({ kind: 'commit', sha: identity.commitSha }),
  links: ({ message = '' }) => commitLinks(message),
  entity: ({ identity }) => commitEntity(identity.commitSha),
  exactKeys: ({ identity }) => [{ kind: 'commit', sha: identity.commitSha }],
  indexedTitle: ({ message = '' }) => subjectOf(message),
  shownTitle: ({ commitSha, message = '' }) => `${commitSha.slice(0, 7)} ${subjectOf(message)}`.trimEnd(),
  webPath: ({ commitSha }) => `commit/${commitSha}`,
}

/** The entity of a commit with the diffs of its files. */
function commitEntity(sha: string): string {
  return `commit\0${sha}`
}

/** A commit is dated by its commit date, and counts the files that it lists. */
function complete({ createdAt, updatedAt, ...values }: FieldValues): FieldValues {
  const created = createdAt ?? values.commitDate
  const updated = updatedAt ?? created
  return {
    ...values,
    ...(created !== undefined && { createdAt: created }),
    ...(updated !== undefined && { updatedAt: updated }),
    ...(values.files && { fileCount: values.fileCount ?? values.files.length }),
  }
}

/** The message, a blank line, and a line for each file: its status and its path. */
function bodyOf({ message = '', files = [] }: FieldValues): string {
  const lines = files.map(({ status, path }) => `${status} ${path}`)
  return [message.trimEnd(), lines.join('\n')].filter((part) => part !== '').join('\n\n')
}

/** The first line of a commit message. */
export function subjectOf(message: string): string {
  return message.trimStart().split('\n', 1)[0] ?? ''
}

/** The links in a commit message; that to the pull request which the commit merged comes first. */
export function commitLinks(message: string): DocumentLink[] {
  return [...mergedPullRequest(message), ...linksOf(message, { at: 'root' })]
}

/** The pull request whose number a merge or a squash wrote into the subject line. */
function mergedPullRequest(message: string): DocumentLink[] {
  const digits = /^Merge pull request #(\d{1,9})\b|\(#(\d{1,9})\)\s*$/.exec(subjectOf(message))
  if (digits === null) return []
  return [{ kind: 'pull_request', target: { kind: 'number', number: Number(digits[1] ?? digits[2]) } }]
}
