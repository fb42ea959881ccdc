/**
 * The parts that payloads of GitHub share. Schemas ignore unknown fields and are
 * strict on those that are used. REST answers and webhook deliveries have the
 * same objects, so one mapping of each type reads both.
 */
import { z } from 'zod'
import { cutToChars } from '../../../base/text-cut.ts'
import { parseTime } from '../../../base/time.ts'
import type { DocumentType } from '../../../base/vocabulary.ts'
import { readFieldValues, toDocument } from '../../../documents/document-values.ts'
import type { Document, DocumentChange, Identity, RepositoryName } from '../../../documents/document.ts'
import { fieldsOf } from '../../../documents/index.ts'
import { MAX_NAME_CHARS } from '../../../documents/limits.ts'

export const idPart = z.int().positive()

/** Milliseconds UTC. */
export const timePart = z.string().transform((text, context) => {
  const ms = parseTime(text)
  if (ms === undefined) context.addIssue({ code: 'custom', message: 'not a time' })
  return ms ?? 0
})

/** Null where GitHub knows no user any more. */
export const userPart = z.object({ login: z.string(), type: z.string().nullish() }).nullish()

export const textPart = z.string().nullish()

/** An address that is not of the web counts as none. */
export const urlPart = z
  .string()
  .nullish()
  .transform((url) => (url && /^https?:\/\//i.test(url) ? url : undefined))

export const titlePart = z
  .string()
  .nullish()
  .transform((text) => (text === null || text === undefined ? undefined : cutToChars(text, MAX_NAME_CHARS)))

type User = z.infer<typeof userPart>

/** True for an App and for a login that says so. */
export function isBot(user: User): boolean {
  return user?.type?.toLowerCase() === 'bot' || user?.login.toLowerCase().endsWith('[bot]') === true
}

/** One item of a list, or one thing of a delivery. */
export interface ReadItem {
  readonly identity: Identity
  readonly createdAt: number
  readonly updatedAt: number
  /** Its document; absent if it belongs into no index: written by a bot, without words, not published. */
  readonly document?: Document
  /** Opaque to the index, see DocumentChange. */
  readonly sourceVersion?: string
}

/** The numeric part of an identity, by which rows of one time are ordered; 0 for one without. */
export function keyOf({ identity }: Pick<ReadItem, 'identity'>): number {
  if ('number' in identity) return identity.number
  if ('commentId' in identity) return identity.commentId
  return 'reviewId' in identity ? identity.reviewId : 0
}

/**
 * The changes of the index that an item asks for. An item that belongs into no
 * index is removed if it was ever edited, because older words of it may be there.
 */
export function toChanges(item: ReadItem, repository: RepositoryName): readonly DocumentChange[] {
  if (item.document === undefined) return item.updatedAt > item.createdAt ? [toRemoval(item, repository)] : []
  return [toPut(item.document, item.sourceVersion)]
}

/** The same, for an item that the index has or had: a removal whenever it does not belong there. */
export function toCertainChange(item: ReadItem, repository: RepositoryName): DocumentChange {
  return item.document === undefined ? toRemoval(item, repository) : toPut(item.document, item.sourceVersion)
}

function toPut(document: Document, sourceVersion: string | undefined): DocumentChange {
  return { put: document, ...(sourceVersion !== undefined && { sourceVersion }) }
}

function toRemoval({ identity, updatedAt }: ReadItem, repository: RepositoryName): DocumentChange {
  return { remove: { identity, repository, updatedAt } }
}

/** The document of these fields, under their names in import pages; times in milliseconds. */
export function makeDocument(
  type: DocumentType,
  fields: Readonly<Record<string, unknown>>,
  times: { readonly createdAt: number; readonly updatedAt: number },
  { repository, body }: { readonly repository: RepositoryName; readonly body: string | null | undefined },
): Document {
  const values = { ...readFieldValues(fieldsOf(type), fields), ...times }
  return toDocument(type, values, { repository, body: body ?? '' })
}
