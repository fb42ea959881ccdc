/**
 * The passages that a row shows: the best one as its snippet and, in long texts
 * such as documentation and release notes, up to two more, each with the headings
 * above it.
 */
import type { DocumentType } from '../../base/vocabulary.ts'
import type { HybridRow } from '../../contracts/tools/search-rows.ts'
import { headingIn } from '../../index/words/chunk-headings.ts'
import type { ChunkPlace } from '../../index/words/candidates.ts'
import type { Question } from '../../text/question/question.ts'
import { snippetOf } from '../../text/snippet.ts'
import type { DocumentHit } from '../merge-rankings.ts'
import type { RowDetail } from './row-detail.ts'

/** Types whose texts are read by section. */
const WITH_SECTIONS: ReadonlySet<DocumentType> = new Set(['doc', 'wiki_doc', 'release'])

type PassageFields = Pick<HybridRow, 'heading' | 'snippet' | 'snippet_offset' | 'passages'>

/** The passages of a hit beside its best one. */
export function otherPassages({ type, passages }: DocumentHit): readonly ChunkPlace[] {
  return WITH_SECTIONS.has(type) ? passages : []
}

/** `texts` has the text of each passage, by chunk. */
export function toPassages(
  hit: DocumentHit,
  texts: ReadonlyMap<number, string>,
  question: Question,
  { snippetChars, passages, passageChars }: RowDetail,
): PassageFields {
  const shown = (place: ChunkPlace, maxChars: number): Omit<PassageFields, 'passages'> => {
    const passage = texts.get(place.chunk) ?? ''
    const { text, offset, firstMatch } = snippetOf(passage, place.start, question, undefined, maxChars)
    const heading = WITH_SECTIONS.has(place.type) ? headingIn(place.headings, firstMatch) : undefined
    return text === '' ? {} : { ...(heading !== undefined && { heading }), snippet: text, snippet_offset: offset }
  }
  const others = otherPassages(hit)
    .slice(0, passages)
    .map((place) => shown(place, passageChars))
    .filter((passage) => passage.snippet !== undefined)
  return { ...shown(hit, snippetChars), ...(others.length > 0 && { passages: others }) }
}
