/**
 * What an embedder reads of a document: one text for each of its chunks, in
 * order, each with the title and path above it, since a passage seldom says
 * what it is about. A diff is named by its commit's message.
 */
import { pathOf, typeOf, type Document } from '../../documents/document.ts'
import { specOf } from '../../documents/index.ts'
import { CHUNKING_VERSION, chunksOf } from '../../text/chunks.ts'

/** Moves whenever the same document would give other texts of the same chunks. */
const TEXTS_VERSION = 1

/** All that a document's vectors depend on beside its text: the embedder's model, and how texts are made. */
export function modelKey(model: string): string {
  return `${model} ${CHUNKING_VERSION}.${TEXTS_VERSION}`
}

/** Characters of a message above each chunk of its diff. */
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
