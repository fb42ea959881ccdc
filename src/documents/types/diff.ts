/**
 * The patch of one file in a commit. Title and links come from the commit
 * message; links in the patch are ignored, because they belong to the file.
 */
import { sha256Hex } from '../../base/hash.ts'
import { fileEntity, type DocumentSpec } from '../document-spec.ts'
import { commitLinks, subjectOf } from './commit.ts'

export const diff: DocumentSpec<'diff'> = {
  idPrefix: 'c',
  identity: ['commit_sha', 'file_path'],
  required: [],
  optional: ['file_status', 'message', 'commit_date', 'commit_author'],
  bodyForm: 'patch',
  anchor: ({ identity }) => ({ kind: 'commit', sha: identity.commitSha.toLowerCase() }),
  links: ({ message = '' }) => commitLinks(message),
  entity: ({ identity }) => fileEntity(identity.path),
  exactKeys: ({ identity }) => [{ kind: 'commit', sha: identity.commitSha.toLowerCase() }],
  indexedTitle: ({ message = '' }) => subjectOf(message),
  shownTitle: ({ commitSha, path }) => `${commitSha.slice(0, 7)} ${path}`,
  // GitHub names a file of a commit by the SHA-256 of its path.
  webPath: ({ commitSha, path }) => `commit/${commitSha}#diff-${sha256Hex(path)}`,
}
