/**
 * The properties of a document type. Each type has a file in types/; code
 * elsewhere calls `specOf` and never switches over all types.
 */
import type { DocumentType } from '../base/vocabulary.ts'
import type { BodyForm } from '../text/chunks.ts'
import { linksOf, type LinkKind, type LinkTarget } from '../text/links.ts'
import type { ExactReference } from '../text/question/exact-reference.ts'
import type { Document, IdentityParts } from './document.ts'
import type { FieldName, FieldValues } from './fields.ts'

export interface DocumentSpec<Type extends DocumentType = DocumentType> {
  /** First part of `vector_id`. Types that number their documents together share it. */
  readonly idPrefix: string
  /** The fields of IdentityParts, in the order in which `vector_id` hashes them. */
  readonly identity: readonly FieldName[]
  /** Fields that an import line must have besides the identity. */
  readonly required: readonly FieldName[]
  /** Fields that it may have besides COMMON_FIELDS. */
  readonly optional: readonly FieldName[]
  /** For a type whose import lines have no `body`: makes it of the fields, and completes them. */
  compose?(values: FieldValues): { readonly values: FieldValues; readonly body: string }
  /** How the body is cut into chunks and indexed. */
  readonly bodyForm: BodyForm

  /** The target of links to it, within its repository. The files of a commit share one. */
  anchor(document: Document<Type>): LinkTarget
  /** Its links. If several have one target, the strongest kind comes first. */
  links(document: Document<Type>): readonly DocumentLink[]
  /** The entity it is about, within its repository; a search shows documents of one entity as one result. Undefined: itself. */
  entity(document: Document<Type>): string | undefined
  /** Keys of exact lookup, besides its path. */
  exactKeys(document: Document<Type>): readonly ExactKey[]
  /** The title that the word index contains. */
  indexedTitle(document: Document<Type>): string

  /** The title that an answer shows. */
  shownTitle(row: RowValues<Type>): string | undefined
  /** Its web page, below https://github.com/owner/name/. */
  webPath(row: RowValues<Type>): string
}

/** `pull_request` links a commit to the pull request that merged it. */
export interface DocumentLink {
  readonly kind: LinkKind | 'pull_request'
  readonly target: LinkTarget
}

export type ExactKey = Extract<ExactReference, { kind: 'number' | 'comment' | 'commit' | 'name' | 'version' }>

/** The fields of a stored document, flat. */
export type RowValues<Type extends DocumentType = DocumentType> = FieldValues &
  IdentityParts[Type] & { readonly defaultBranch?: string }

/** The parts of a spec for prose with a title. Relative links start at the root of the repository. */
export const PROSE = {
  bodyForm: 'prose',
  links: ({ title = '', body }: Document): readonly DocumentLink[] => linksOf(`${title}\n\n${body}`, { at: 'root' }),
  indexedTitle: ({ title = '' }: Document): string => title,
} as const

/** The entity of a file: documents about it and its diffs. */
export function fileEntity(path: string): string {
  return `file\0${path}`
}

/** The entity of an issue or pull request with its comments and reviews. */
export function threadEntity(number: number | undefined): string {
  return `thread\0${number}`
}

/** The title of a comment or review, which has none of its own. */
export function commentTitle({ author, number }: FieldValues): string | undefined {
  return number === undefined ? author : `${author ?? 'someone'} on #${number}`
}
