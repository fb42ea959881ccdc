/**
 * Analyses a message for search: the term columns of the word index for each
 * chunk, and the packed signals that ranking reads instead of text. Pure: equal
 * messages give equal signals within one SIGNALS_VERSION.
 */
import { packCounts } from '../../fts/packed-terms.ts'
import type { Role, SearchedField } from '../../base/vocabulary.ts'
import { packFields, packTraits } from '../../ranking/conversations/message-signals.ts'
import { prefixOf } from '../../text/tokenize/prefixes.ts'
import { characterTerms } from '../../text/tokenize/characters.ts'
import { chunksOf } from '../../text/chunks.ts'
import { toBaseTerm } from '../../text/terms/irregular.ts'
import { analyseText, type AnalysedText } from '../../text/tokenize/analyse-text.ts'
import { joinColumns, toTermColumn } from '../../text/tokenize/term-column.ts'
import { endsAsQuestion, hasNumber, hasTime, speakerKeys } from './message-traits.ts'

/** To be increased when equal messages would get other signals. A store with another version is rebuilt by its alarm. */
export const SIGNALS_VERSION = 4

/** The searched fields of a message, and its role. */
export interface SearchedMessage {
  readonly role: Role
  readonly content: string
  readonly summary?: string | undefined
  readonly tags: readonly string[]
}

export interface Signals {
  /** Traits of the whole message, packed by packTraits. */
  readonly traits: string
  /** In order of the content; at least one. */
  readonly chunks: readonly SignalChunk[]
}

/** A chunk of the content, about 1,200 characters, that is searched separately. The first also has the summary and tags. */
interface SignalChunk {
  /** Offset in the content, in UTF-16 units. */
  readonly start: number
  readonly chars: number
  /** BM25 length: the sum of the weighted term counts of all fields, rounded. */
  readonly length: number
  /** Term counts of each field, packed by packFields. */
  readonly terms: string
  /** Space-separated terms of each searched field. */
  readonly columns: Readonly<Record<SearchedField, string>>
}

/** Weights of terms that repeat a word or bigram: compounds, single characters and prefixes. */
const COMPOUND_SHARE = 0.5
const CHARACTER_SHARE = 0.25
const PREFIX_SHARE = 0.25

const analyse = (text: string): AnalysedText => analyseText(text, toBaseTerm)

/** Time is linear in the content. */
export function toSignals({ role, content, summary = '', tags }: SearchedMessage): Signals {
  const traits = packTraits({
    role,
    speaker: speakerKeys(content),
    isQuestion: endsAsQuestion(content),
    hasTime: hasTime(content),
    hasNumber: hasNumber(content),
  })
  const first = { summary: [analyse(summary)], tags: tags.map(analyse) }
  const chunks = chunksOf(content, 'prose').map(({ start, chars }, at) => {
    const others = at === 0 ? first : { summary: [], tags: [] }
    return { start, chars, ...toTerms({ content: [analyse(content.slice(start, start + chars))], ...others }) }
  })
  return { traits, chunks }
}

function toTerms({
  content,
  summary,
  tags,
}: Readonly<Record<SearchedField, readonly AnalysedText[]>>): Pick<SignalChunk, 'length' | 'terms' | 'columns'> {
  const fields = { content: toField(content), summary: toField(summary), tags: toField(tags) }
  const { content: c, summary: s, tags: t } = fields
  return {
    length: Math.round(c.length + s.length + t.length),
    terms: packFields({ content: c.packed, summary: s.packed, tags: t.packed }),
    columns: { content: c.column, summary: s.column, tags: t.column },
  }
}

/** A field of one or more texts, such as a list of tags. */
function toField(texts: readonly AnalysedText[]): { length: number; packed: string; column: string } {
  const counts = new Map<string, number>()
  const add = (terms: readonly string[], share: number) => {
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + share)
  }
  const columns = texts.map((text) => {
    const characters = characterTerms(text)
    const prefixes = text.words.map(prefixOf).filter((term) => term !== undefined)
    add(text.words, 1)
    add(text.compounds, COMPOUND_SHARE)
    add(text.bigrams, 1)
    add(characters, CHARACTER_SHARE)
    add(prefixes, PREFIX_SHARE)
    return toTermColumn(text, [...characters, ...new Set(prefixes)])
  })
  let length = 0
  for (const count of counts.values()) length += count
  return { length, packed: packCounts(counts), column: joinColumns(columns) }
}
