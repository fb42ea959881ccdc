/**
 * A document: one thing of a project as its source tells it, before the index
 * gives it a place. Readers of git, pages and GitHub make documents; the index
 * stores them whole. Optional fields are absent, never null or empty.
 */
import type { DocumentType, IssueState } from '../base/vocabulary.ts'

/** What makes a document the same document the next time it is read. */
export type Identity =
  | { readonly type: 'issue' | 'pull_request'; readonly number: number }
  | { readonly type: 'release'; readonly tagName: string }
  | { readonly type: 'doc' | 'wiki_doc'; readonly path: string }
  | { readonly type: 'diff'; readonly commitSha: string; readonly path: string }
  | { readonly type: 'issue_comment' | 'pr_review_comment'; readonly commentId: number }
  | { readonly type: 'pr_review'; readonly reviewId: number }

/** A repository as a source names it. `owner/name` in the source's spelling. */
export interface RepositoryName {
  readonly name: string
  /** GitHub's numeric id, when the source knows it. */
  readonly id?: number
  /** Only an explicit word changes what the index believes. */
  readonly private?: boolean
}

export interface Document {
  readonly identity: Identity
  readonly repository: RepositoryName
  /** Raw text: an issue's body, a patch, a page. May be empty. */
  readonly body: string
  readonly title?: string
  readonly url?: string
  readonly author?: string
  readonly authorAssociation?: string
  /** Milliseconds UTC, by the source's clock. */
  readonly createdAt?: number
  readonly updatedAt?: number
  /** The source itself was cut before we saw it. */
  readonly sourceTruncated?: boolean

  /** Comments and reviews: the number of the issue or pull request they belong to. */
  readonly number?: number

  /** Issues and pull requests. */
  readonly state?: IssueState
  readonly labels?: readonly string[]
  readonly milestone?: string
  readonly assignees?: readonly string[]
  readonly merged?: boolean
  readonly draft?: boolean

  readonly prerelease?: boolean
  readonly reviewState?: string

  /** Diff: what happened to the file, and the commit around it. */
  readonly fileStatus?: string
  readonly message?: string
  readonly commitDate?: number
  readonly commitAuthor?: string

  /** Review comment: where it stands. A diff has path and commit in its identity. */
  readonly filePath?: string
  readonly line?: number
  readonly diffHunk?: string
  readonly commitSha?: string
}

/** The source says the thing is gone. */
export interface Removal {
  readonly identity: Identity
  readonly repository: RepositoryName
}

export type DocumentChange = { readonly put: Document } | { readonly remove: Removal }

export function typeOf(document: Document): DocumentType {
  return document.identity.type
}

/** The path a document carries, if its type carries one: doc, wiki page, diff, review comment. */
export function pathOf(document: Document): string | undefined {
  const { identity } = document
  return 'path' in identity ? identity.path : document.filePath
}
