/**
 * The texts of a document that are embedded: one for each chunk, in order, under
 * the document's title and path, because a passage seldom names its subject. The
 * title of a diff is the message of its commit.
 */
import { pathOf, typeOf, type Document } from '../../documents/document.ts'
import { specOf } from '../../documents/index.ts'
import { CHUNKING_VERSION, chunksOf } from '../../text/chunks.ts'

/** Raise it when the same chunks of a document get other texts. */
const TEXTS_VERSION = 1

/** Identifies vectors that are comparable: the model, and how documents become texts. */
export function modelKey(model: string): string {
  return `${model} ${CHUNKING_VERSION}.${TEXTS_VERSION}`
}

/** UTF-16 units of a commit message above each chunk of its diff. */
const MESSAGE_CHARS = 300

export function chunkTexts(document: Document): string[] {
  const { bodyForm } = specOf(typeOf(document))
  const title = bodyForm === 'patch' ? document.message?.slice(0, MESSAGE_CHARS) : document.title
  const path = pathOf(document)
  const head = [title, path === title ? undefined : path].filter((part) => part !== undefined && part.trim() !== '')
  return chunksOf(document.body, bodyForm).map(({ start, chars }) =>
    [...head, document.body.slice(start, start + chars)].join('\n').trim(),
  )
}
