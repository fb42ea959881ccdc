/**
 * What a message is found and ranked by, made when it is written: the columns
 * of the word index, one row a chunk, and the short strings that ranking reads
 * instead of the text. Pure: the same message gives the same signals until
 * SIGNALS_VERSION moves.
 */
import { packCounts } from '../../fts/packed-terms.ts'
import type { Role } from '../../base/vocabulary.ts'
import { packFields, packTraits, type Field } from '../../ranking/conversations/message-signals.ts'
import { prefixOf } from '../../text/tokenize/prefixes.ts'
import { characterTerms } from '../../text/tokenize/characters.ts'
import { chunksOf } from '../../text/chunks.ts'
import { toBaseTerm } from '../../text/terms/irregular.ts'
import { analyseText, type AnalysedText } from '../../text/tokenize/words.ts'
import { endsAsQuestion, hasNumber, hasTime, speakerKeys } from './message-traits.ts'

/** Moves whenever the same message would give other signals; messages of an older version owe new ones. */
export const SIGNALS_VERSION = 1

/** What of a message is searched. */
export interface SearchedMessage {
  readonly role: Role
  readonly content: string
  readonly summary?: string | undefined
  readonly tags: readonly string[]
}

export interface Signals {
  /** One string a message, as ranking/message-signals.ts packs traits. */
  readonly traits: string
  /** In the order of the content; at least one. */
  readonly chunks: readonly SignalChunk[]
}

/** A part of a message that is found by itself, about 1,200 characters; the first also carries summary and tags. */
export interface SignalChunk {
  /** Offset in the content, in UTF-16 units. */
  readonly start: number
  readonly chars: number
  /** Sum of the weighted counts of all fields, a whole number: the length BM25 compares. */
  readonly length: number
  /** The forward index, as ranking/message-signals.ts packs fields. */
  readonly terms: string
  /** Space-separated terms of each searched field. */
  readonly columns: Readonly<Record<Field, string>>
}

/** A compound repeats what its words say already, as a character does of bigrams and a beginning of its word. */
const COMPOUND_SHARE = 0.5
const CHARACTER_SHARE = 0.25
const PREFIX_SHARE = 0.25

const analyse = (text: string): AnalysedText => analyseText(text, toBaseTerm)

const NOTHING: AnalysedText = { words: [], compounds: [], bigrams: [] }

/** Time is linear in the content. */
export function toSignals({ role, content, summary = '', tags }: SearchedMessage): Signals {
  const traits = packTraits({
    role,
    speaker: speakerKeys(content),
    isQuestion: endsAsQuestion(content),
    hasTime: hasTime(content),
    hasNumber: hasNumber(content),
  })
  const first = { summary: analyse(summary), tags: analyse(tags.join('\n')) }
  const chunks = chunksOf(content, 'prose').map(({ start, chars }, at) => {
    const own = at === 0 ? first : { summary: NOTHING, tags: NOTHING }
    return { start, chars, ...wordsOf({ content: analyse(content.slice(start, start + chars)), ...own }) }
  })
  return { traits, chunks }
}

function wordsOf({
  content,
  summary,
  tags,
}: Readonly<Record<Field, AnalysedText>>): Pick<SignalChunk, 'length' | 'terms' | 'columns'> {
  const fields = { content: toField(content), summary: toField(summary), tags: toField(tags) }
  const { content: c, summary: s, tags: t } = fields
  return {
    length: Math.round(c.length + s.length + t.length),
    terms: packFields({ content: c.packed, summary: s.packed, tags: t.packed }),
    columns: { content: c.column, summary: s.column, tags: t.column },
  }
}

function toField(text: AnalysedText): { length: number; packed: string; column: string } {
  const characters = characterTerms(text)
  const beginnings = text.words.map(prefixOf).filter((term) => term !== undefined)
  const counts = new Map<string, number>()
  const add = (terms: readonly string[], share: number) => {
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + share)
  }
  add(text.words, 1)
  add(text.compounds, COMPOUND_SHARE)
  add(text.bigrams, 1)
  add(characters, CHARACTER_SHARE)
  add(beginnings, PREFIX_SHARE)
  let length = 0
  for (const count of counts.values()) length += count
  const column = [...text.words, ...text.compounds, ...text.bigrams, ...characters, ...new Set(beginnings)].join(' ')
  return { length, packed: packCounts(counts), column }
}
