/**
 * The patch of one file in a commit. Title and links come from the commit
 * message; links in the patch are ignored, because they belong to the file.
 */
import { sha256Hex } from '../../base/hash.ts'
import { linksOf } from '../../text/links.ts'
import { fileEntity, type DocumentLink, type DocumentSpec } from '../document-spec.ts'

export const diff: DocumentSpec<'diff'> = {
  idPrefix: 'c',
  identity: ['commit_sha', 'file_path'],
  required: [],
  optional: ['file_status', 'message', 'commit_date', 'commit_author'],
  bodyForm: 'patch',
  anchor: ({ identity }) => ({ kind: 'commit', sha: identity.commitSha.toLowerCase() }),
  links: ({ message = '' }) => [...mergedPullRequest(message), ...linksOf(message, { at: 'root' })],
  entity: ({ identity }) => fileEntity(identity.path),
  exactKeys: ({ identity }) => [{ kind: 'commit', sha: identity.commitSha.toLowerCase() }],
  indexedTitle: ({ message = '' }) => message.split('\n', 1)[0] ?? '',
  shownTitle: ({ commitSha, path }) => `${commitSha.slice(0, 7)} ${path}`,
  // GitHub names a file of a commit by the SHA-256 of its path.
  webPath: ({ commitSha, path }) => `commit/${commitSha}#diff-${sha256Hex(path)}`,
}

/** The pull request whose number a merge or a squash wrote into the subject line. */
function mergedPullRequest(message: string): DocumentLink[] {
  const subject = message.trimStart().split('\n', 1)[0] ?? ''
  const digits = /^Merge pull request #(\d{1,9})\b|\(#(\d{1,9})\)\s*$/.exec(subject)
  if (digits === null) return []
  return [{ kind: 'pull_request', target: { kind: 'number', number: Number(digits[1] ?? digits[2]) } }]
}
