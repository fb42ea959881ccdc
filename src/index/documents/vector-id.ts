/**
 * `vector_id`: the handle of a document, `<prefix>:` and the SHA-256 of what
 * identifies it, joined by NUL so that "a b" + "c" differs from "a" + "b c".
 * At most 46 characters, whatever the path.
 */
import type { Identity } from '../../documents/document.ts'
import { sha256, sha256Int48 } from '../../base/hash.ts'
import { ID_PREFIXES } from '../../base/vocabulary.ts'

/** Longer texts are nobody's id. */
export const MAX_ID_CHARS = 64

export function vectorIdOf(identity: Identity, repoId: number): string {
  const prefix = ID_PREFIXES[identity.type]
  return `${prefix}:${sha256([prefix, repoId, ...partsOf(identity)].join('\0'))}`
}

/** The id of a repository whose GitHub id is not known: negative, from its lower-case name. */
export function derivedRepoId(name: string): number {
  return -(sha256Int48(name.toLowerCase()) + 1)
}

function partsOf(identity: Identity): (string | number)[] {
  switch (identity.type) {
    case 'issue':
    case 'pull_request':
      return [identity.number]
    case 'release':
      return [identity.tagName]
    case 'doc':
    case 'wiki_doc':
      return [identity.path]
    case 'diff':
      return [identity.commitSha, identity.path]
    case 'issue_comment':
    case 'pr_review_comment':
      return [identity.commentId]
    case 'pr_review':
      return [identity.reviewId]
  }
}
