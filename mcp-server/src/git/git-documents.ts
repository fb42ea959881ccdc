/**
 * Turns git's records into documents. Every time is the committer's (of an
 * annotated tag the tagger's). A field that git does not know stays absent.
 */
import type { Document, RepositoryName } from '../../../src/documents/document.ts'
import type { BlobText } from './blobs.ts'
import type { FilePatch } from './patches.ts'
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

export function toDiff(file: FilePatch, { repository, pages }: Origin): Document {
  const { sha, committedAt, author, authorEmail, message } = file.commit
  return {
    identity: { type: 'diff', commitSha: sha, path: file.path },
    repository,
    body: file.patch,
    fileStatus: file.status,
    message,
    ...defined('url', pages.commit(sha)),
    ...defined('commitDate', committedAt),
    ...defined('createdAt', committedAt),
    ...defined('updatedAt', committedAt),
    ...(author === '' ? {} : { author, commitAuthor: author }),
    ...(authorEmail === '' ? {} : { authorEmail }),
    ...(file.truncated ? { sourceTruncated: true } : {}),
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

export function toRelease(tag: Tag, { repository, pages }: Origin): Document {
  return {
    identity: { type: 'release', tagName: tag.name },
    repository,
    body: tag.message,
    prerelease: isPrerelease(tag.name),
    ...defined('url', pages.release(tag.name)),
    ...defined('author', tag.author),
    ...defined('createdAt', tag.at),
    ...defined('updatedAt', tag.at),
  }
}

function defined<K extends string, V>(name: K, value: V | undefined): Partial<Record<K, V>> {
  return value === undefined ? {} : ({ [name]: value } as Partial<Record<K, V>>)
}
