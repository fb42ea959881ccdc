/**
 * Turns git's records into documents. Every time is the committer's (of an
 * annotated tag the tagger's). A field that git does not know stays absent.
 */
import { cutToChars } from '../../../src/base/text-cut.ts'
import type { Document, RepositoryName } from '../../../src/documents/document.ts'
import type { ChangedFile } from '../../../src/documents/fields.ts'
import { MAX_FILES, MAX_LONG_TEXT_CHARS, MAX_NAME_CHARS, MAX_SHAS } from '../../../src/documents/limits.ts'
import type { BlobText } from './blobs.ts'
import { MAX_TEXT_BYTES } from './limits.ts'
import type { CommitFiles, FilePatch } from './patches.ts'
import type { PathTimes } from './path-times.ts'
import type { WebPages } from './remote.ts'
import type { Tag } from './tags.ts'
import { isPrerelease } from './tags.ts'
import type { TreeFile, TreeKind } from './git-tree.ts'

/** The fields that all documents of one checkout share. */
export interface Origin {
  readonly repository: RepositoryName
  readonly pages: WebPages
}

/** The body is composed of the message and the files where the document is stored. */
export function toCommit({ commit, files, fileCount }: CommitFiles, origin: Origin): Document {
  const listed = cutFiles(files)
  return {
    identity: { type: 'commit', commitSha: commit.sha },
    body: '',
    ...fieldsOfCommit(commit, origin),
    ...(commit.parents.length > 0 ? { parents: commit.parents } : {}),
    ...(listed.length > 0 ? { files: listed } : {}),
    ...(listed.length === fileCount ? {} : { fileCount }),
  }
}

/** As many files as a commit may list. */
function cutFiles(files: readonly ChangedFile[]): ChangedFile[] {
  let left = MAX_TEXT_BYTES
  return files
    .filter(({ path }) => {
      left -= path.length
      return left >= 0 && path.length <= MAX_NAME_CHARS
    })
    .slice(0, MAX_FILES)
}

/** The message is cut as the index would cut it: a commit of thousands of files repeats it in each. */
export function toDiff(file: FilePatch, origin: Origin): Document {
  const message = cutToChars(file.commit.message, MAX_LONG_TEXT_CHARS)
  return {
    identity: { type: 'diff', commitSha: file.commit.sha, path: file.path },
    body: file.patch,
    fileStatus: file.status,
    ...fieldsOfCommit({ ...file.commit, message }, origin),
    ...(file.truncated ? { sourceTruncated: true } : {}),
  }
}

/** The fields that a commit shares with its diffs. */
function fieldsOfCommit(
  { sha, committedAt, author, authorEmail, message }: CommitFiles['commit'],
  { repository, pages }: Origin,
): Omit<Document, 'identity' | 'body'> {
  const [name, email] = [cutToChars(author, MAX_NAME_CHARS), cutToChars(authorEmail, MAX_NAME_CHARS)]
  return {
    repository,
    message,
    ...defined('url', pages.commit(sha)),
    ...defined('commitDate', committedAt),
    ...defined('createdAt', committedAt),
    ...defined('updatedAt', committedAt),
    ...(name === '' ? {} : { author: name, commitAuthor: name }),
    ...(email === '' ? {} : { authorEmail: email }),
  }
}

export function toTreeDocument(
  kind: TreeKind,
  file: TreeFile,
  blob: BlobText,
  times: PathTimes | undefined,
  { repository, pages }: Origin,
): Document {
  return {
    identity: { type: kind.type, path: file.key },
    repository,
    body: blob.text,
    ...defined('url', kind.type === 'doc' ? pages.doc(file.path) : pages.wikiPage(file.key)),
    ...defined('createdAt', times?.first),
    ...defined('updatedAt', times?.last),
    ...(blob.truncated ? { sourceTruncated: true } : {}),
  }
}

/** The place of a release in the history. */
export interface ReleaseHistory {
  readonly previousTag?: string
  readonly commitCount?: number
  /** SHAs. */
  readonly released: readonly string[]
  /** The subjects of its commits, for a tag without notes of its own. */
  readonly subjects?: string
}

export function toRelease(tag: Tag, history: ReleaseHistory, { repository, pages }: Origin): Document {
  const { subjects, released } = history
  return {
    identity: { type: 'release', tagName: tag.name },
    repository,
    body: subjects ?? tag.message,
    prerelease: isPrerelease(tag.name),
    commitSha: tag.commitSha,
    ...defined('previousTag', history.previousTag),
    ...defined('commitCount', history.commitCount),
    ...(subjects === undefined ? {} : { generated: true }),
    ...(released.length > 0 ? { released: released.slice(0, MAX_SHAS) } : {}),
    ...defined('url', pages.release(tag.name)),
    ...defined('author', tag.author === undefined ? undefined : cutToChars(tag.author, MAX_NAME_CHARS)),
    ...defined('createdAt', tag.at),
    ...defined('updatedAt', tag.at),
  }
}

function defined<K extends string, V>(name: K, value: V | undefined): Partial<Record<K, V>> {
  return value === undefined ? {} : ({ [name]: value } as Partial<Record<K, V>>)
}
