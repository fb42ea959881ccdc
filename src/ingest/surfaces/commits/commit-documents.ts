/**
 * Makes documents of commits and of their patches: the same as the import of a
 * checkout makes, as far as GitHub gives the values.
 */
import { cutToChars } from '../../../base/text-cut.ts'
import { toDocument } from '../../../documents/document-values.ts'
import type { Document } from '../../../documents/document.ts'
import type { ChangedFile } from '../../../documents/fields.ts'
import { specOf } from '../../../documents/index.ts'
import { MAX_FILES, MAX_LONG_TEXT_CHARS, MAX_NAME_CHARS } from '../../../documents/limits.ts'
import type { PathRules } from '../../../documents/paths/path-rules.ts'
import { toRepositoryName, webPage } from '../trees/step-results.ts'
import type { SurfaceContext } from '../surface.ts'
import type { CommitRecord, FileRecord } from './commit-record.ts'

/** The blobs of the empty file, in git's two kinds of repositories. */
const EMPTY_BLOBS: readonly (string | undefined)[] = [
  'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391',
  '473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813',
]

/** A changed file as a position keeps it, while the files of a commit are collected. */
export interface CollectedFile extends ChangedFile {
  /** Of a renamed file. */
  readonly formerPath?: string
}

export function toCollectedFile({ path, status, formerPath }: FileRecord): CollectedFile {
  const isRenamed = status === 'renamed' && formerPath !== undefined
  return { path, status, ...(isRenamed && { formerPath }) }
}

/**
 * `files` are absent for a merge, whose files are not read. Former paths of
 * renamed files are listed as removed, so that the commit is found below them.
 */
export function toCommitDocument(
  record: CommitRecord,
  files: readonly CollectedFile[] | undefined,
  context: SurfaceContext,
): Document {
  const { sha: commitSha, parents } = record
  const present = (files ?? []).map(({ path, status }) => ({ path, status }))
  const former = (files ?? []).flatMap(({ formerPath: path }) =>
    path === undefined ? [] : [{ path, status: 'removed' }],
  )
  const listed = [...present, ...former].filter(({ path }) => path.length <= MAX_NAME_CHARS).slice(0, MAX_FILES)
  const values = {
    commitSha,
    ...fieldsOf(record),
    url: record.url ?? webPage(context, specOf('commit').webPath({ commitSha })),
    ...(parents.length > 0 && { parents }),
    ...(listed.length > 0 && { files: listed }),
    ...(files !== undefined && listed.length !== present.length && { fileCount: present.length }),
  }
  return toDocument('commit', values, { repository: toRepositoryName(context), body: undefined })
}

/** The blobs of which it must be known whether they are text: GitHub gives no patch and counts no change. */
export function listUnsureBlobs(files: readonly FileRecord[], rules: PathRules): string[] {
  return files.flatMap((file) =>
    isUnsure(file) && rules.findExclusion(file.path) === undefined ? (file.sha ?? []) : [],
  )
}

/**
 * The patches of files that are not excluded. `isBinary` answers for the blobs of
 * `listUnsureBlobs`: a binary file has no document, and of another one GitHub has
 * withheld the patch.
 */
export function toDiffDocuments(
  record: CommitRecord,
  files: readonly FileRecord[],
  rules: PathRules,
  isBinary: (sha: string) => boolean,
  context: SurfaceContext,
): Document[] {
  if (record.isByBot || record.parents.length > 1) return []
  const kept = files.filter((file) => {
    if (file.path.length > MAX_NAME_CHARS || rules.findExclusion(file.path) !== undefined) return false
    return file.sha === undefined || !isUnsure(file) || !isBinary(file.sha)
  })
  return kept.map((file) => {
    const identity = { type: 'diff', commitSha: record.sha, path: file.path } as const
    return {
      identity,
      repository: toRepositoryName(context),
      body: (file.patch ?? '').replace(/\n$/, ''),
      fileStatus: file.status,
      ...fieldsOf(record),
      url: webPage(context, specOf('diff').webPath(identity)),
      ...(isWithheld(file) && { sourceTruncated: true }),
    }
  })
}

/** No patch, although there is something to show. */
function isWithheld(file: FileRecord): boolean {
  return file.patch === undefined && (file.changes > 0 || isUnsure(file))
}

/** Without a patch and without counted changes: binary, or too large for GitHub. Not a pure rename, a new mode or an empty file. */
function isUnsure({ patch, changes, status, sha }: FileRecord): boolean {
  if (patch !== undefined || changes > 0 || EMPTY_BLOBS.includes(sha)) return false
  return ['added', 'modified', 'removed'].includes(status)
}

/** The fields that a commit shares with its diffs. */
function fieldsOf(record: CommitRecord): Omit<Document, 'identity' | 'body' | 'repository'> {
  const { message, committedAt, authorName, authorEmail, authorLogin } = record
  const name = authorName === undefined ? undefined : cutToChars(authorName, MAX_NAME_CHARS)
  const author = authorLogin ?? name
  return {
    ...(message !== '' && { message: cutToChars(message, MAX_LONG_TEXT_CHARS) }),
    ...(committedAt !== undefined && { commitDate: committedAt, createdAt: committedAt, updatedAt: committedAt }),
    ...(author !== undefined && { author }),
    ...(name !== undefined && { commitAuthor: name }),
    ...(authorEmail !== undefined && { authorEmail: cutToChars(authorEmail, MAX_NAME_CHARS) }),
  }
}
