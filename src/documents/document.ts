/**
 * A document: one item of a project as its source describes it. Readers of git
 * and of import pages make documents; the index stores them whole. Its fields are
 * the rows of fields.ts; without a value they are absent, never null or empty.
 */
import type { DocumentType } from '../base/vocabulary.ts'
import type { FieldProperty, FieldValues } from './fields.ts'

/** The fields that identify a document within its repository. */
export interface IdentityParts {
  issue: { readonly number: number }
  pull_request: { readonly number: number }
  release: { readonly tagName: string }
  doc: { readonly path: string }
  wiki_doc: { readonly path: string }
  commit: { readonly commitSha: string }
  diff: { readonly commitSha: string; readonly path: string }
  issue_comment: { readonly commentId: number }
  pr_review: { readonly reviewId: number }
  pr_review_comment: { readonly commentId: number }
}

/** Two documents of one repository with equal identities are the same document. */
export type Identity<Type extends DocumentType = DocumentType> = {
  [One in Type]: { readonly type: One } & IdentityParts[One]
}[Type]

export interface RepositoryName {
  /** `owner/name` in the source's spelling. */
  readonly name: string
  /** GitHub's numeric id, when the source knows it. */
  readonly id?: number
  /** Absent leaves the repository's visibility in the index as it is. */
  readonly private?: boolean
}

/** A field that is part of the identity is given there only. */
export interface Document<Type extends DocumentType = DocumentType> extends FieldValues {
  readonly identity: Identity<Type>
  readonly repository: RepositoryName
  /** The raw text: the body of an issue, a patch, a page. May be empty. */
  readonly body: string
}

/** States that the document no longer exists in its source. */
interface Removal {
  readonly identity: Identity
  readonly repository: RepositoryName
  /** When the source changed it last, Unix milliseconds: texts up to then are not put again. */
  readonly updatedAt?: number
}

export type DocumentChange =
  | {
      readonly put: Document
      /** Opaque to the index: shows a reader of the source whether the document changed there. */
      readonly sourceVersion?: string
    }
  | { readonly remove: Removal }

export function typeOf(document: Document): DocumentType {
  return document.identity.type
}

/** The value of a field, wherever the document carries it. */
export function valueOf<Property extends FieldProperty>(
  document: Document,
  property: Property,
): FieldValues[Property] | undefined {
  const parts: FieldValues = document.identity
  return parts[property] ?? document[property]
}

/** The path of a file or page; undefined for types without one. */
export function pathOf(document: Document): string | undefined {
  return valueOf(document, 'path')
}
