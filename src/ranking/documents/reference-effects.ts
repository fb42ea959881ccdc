/**
 * The effects of exact references on the ranking. A chunk that they found comes before
 * others by their worth, or has its score raised by a factor.
 */
import { documentOf } from '../../fts/chunk-number.ts'
import { isText } from './question-length.ts'

/** The exact reference that found a chunk. */
export type ReferenceKind =
  | 'number'
  | 'comment'
  | 'commit'
  | 'path'
  | 'wiki'
  | 'tag'
  | 'name'
  | 'mention'
  | 'version'
  | 'phrase'

/** The references that found each chunk, one entry for each hit. */
export type ReferenceHits = ReadonlyMap<number, readonly ReferenceKind[]>

/** Chunks of greater worth come first; the factor is that of the score. */
export interface ReferenceEffect {
  readonly worth: number
  readonly factor: number
}

/** A chunk may match several phrases; an exact name outweighs them all. */
const WORTH: Record<ReferenceKind, number> = {
  number: 64,
  comment: 128,
  commit: 64,
  path: 64,
  wiki: 64,
  tag: 64,
  name: 16,
  mention: 0,
  version: 16,
  phrase: 1,
}

/** The score of a file whose name a sentence mentions. */
const MENTION_FACTOR = 1.5

/** In a question that is a text: the score of a document that a version names, and of a chunk for each phrase in it. */
const VERSION_FACTOR = 1.3
const PHRASE_FACTOR = 1.1

const NONE: ReferenceEffect = { worth: 0, factor: 1 }

/** The effect on each chunk. A phrase has its effect on its chunk, any other reference on all chunks of its document. */
export function referenceEffects(
  question: { readonly words: number },
  hits: ReferenceHits,
): (chunk: number) => ReferenceEffect {
  const inText = isText(question)
  const effectOf = (kind: ReferenceKind): ReferenceEffect => {
    if (kind === 'mention') return { worth: WORTH.mention, factor: MENTION_FACTOR }
    if (inText && kind === 'version') return { worth: 0, factor: VERSION_FACTOR }
    if (inText && kind === 'phrase') return { worth: 0, factor: PHRASE_FACTOR }
    return { worth: WORTH[kind], factor: 1 }
  }
  const documents = new Map<number, ReferenceEffect>()
  for (const [chunk, kinds] of hits) {
    for (const kind of kinds.filter((one) => one !== 'phrase')) {
      const known = documents.get(documentOf(chunk)) ?? NONE
      const { worth, factor } = effectOf(kind)
      documents.set(documentOf(chunk), { worth: known.worth + worth, factor: Math.max(known.factor, factor) })
    }
  }
  const ofPhrase = effectOf('phrase')
  return (chunk) => {
    const { worth, factor } = documents.get(documentOf(chunk)) ?? NONE
    const phrases = hits.get(chunk)?.filter((kind) => kind === 'phrase').length ?? 0
    return { worth: worth + phrases * ofPhrase.worth, factor: factor * ofPhrase.factor ** phrases }
  }
}
