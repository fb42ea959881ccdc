/**
 * The terms of a question: its words without those that say nothing, what else
 * they may be found by at less weight, and few enough whatever is asked.
 */
import { normalise } from '../tokenize/normalise.ts'
import { tokenize } from '../tokenize/tokenizer.ts'
import { STOP_WORDS } from '../terms/stop-words.ts'
import { toTerm } from '../terms/stem.ts'

/** One thing to look for. */
export interface QuestionTerm {
  readonly term: string
  /** 1 for a word; less for what only stands for a word. */
  readonly weight: number
  /** The word as it was asked, folded and not stemmed; absent where the term only stands for one. */
  readonly word?: string
}

export const MAX_QUESTION_TERMS = 64

/** A question of at most this many words may be an identifier written apart. */
const SHORT_QUESTION_WORDS = 4

/** Words are segmented, so a pair only helps out; in Hangul it finds the stem below the particles. */
const BIGRAM_WEIGHT = 0.2
const HANGUL_BIGRAM_WEIGHT = 0.5
const COMPOUND_WEIGHT = 0.7
const RELATIVE_WEIGHT = 0.25
const JOINED_WEIGHT = 0.85

/** How words become terms, and which words say nothing. Folded words. */
interface Reading {
  readonly toTermOf: (word: string) => string
  readonly stopWords: ReadonlySet<string>
}

const PLAIN: Reading = { toTermOf: toTerm, stopWords: STOP_WORDS }

interface Candidate {
  readonly weight: number
  readonly word: string | undefined
  readonly order: number
  times: number
}

/** The terms, distinct, in the order of the question and at most MAX_QUESTION_TERMS, and every word of it, folded and not stemmed. */
export function readTerms(
  text: string,
  { toTermOf, stopWords }: Reading = PLAIN,
): { terms: QuestionTerm[]; words: string[] } {
  const found: { folded: string; weight: number }[] = []
  const words: string[] = []
  const starts = new Set<number>()
  tokenize(normalise(text), {
    word: (folded, start) => {
      starts.add(start)
      found.push({ folded, weight: 1 })
      words.push(folded)
    },
    compound: (folded) => found.push({ folded, weight: COMPOUND_WEIGHT }),
    relative: (folded) => found.push({ folded, weight: RELATIVE_WEIGHT }),
    bigram: (folded, _, end) => {
      if (!starts.has(end - lastCharacter(folded).length)) found.push({ folded, weight: pairWeight(folded) })
    },
  })
  const telling = found.filter(({ folded }) => !stopWords.has(folded))
  const joined = joinedNeighbours(words).map((folded) => ({ folded, weight: JOINED_WEIGHT }))
  return { terms: choose([...(telling.length === 0 ? found : telling), ...joined], toTermOf), words }
}

function pairWeight(pair: string): number {
  return /\p{Script=Hangul}/u.test(pair) ? HANGUL_BIGRAM_WEIGHT : BIGRAM_WEIGHT
}

function lastCharacter(text: string): string {
  return Array.from(text.slice(-2)).at(-1) ?? ''
}

/** The identifiers that a few words may be: `is exists` for `isExists`. */
function joinedNeighbours(words: readonly string[]): string[] {
  if (words.length > SHORT_QUESTION_WORDS || !words.every((word) => /^[a-z0-9]+$/.test(word))) return []
  const joined: string[] = []
  for (let from = 0; from < words.length; from += 1) {
    for (let to = from + 2; to <= words.length; to += 1) joined.push(words.slice(from, to).join(''))
  }
  return joined
}

/** Distinct terms; of too many, those that say most by their looks: long, repeated, not a pair. */
function choose(
  found: readonly { folded: string; weight: number }[],
  toTermOf: (folded: string) => string,
): QuestionTerm[] {
  const candidates = new Map<string, Candidate>()
  for (const { folded, weight } of found) {
    const term = toTermOf(folded)
    const known = candidates.get(term)
    const word = known?.word ?? (weight === 1 ? folded : undefined)
    if (known === undefined) candidates.set(term, { weight, word, order: candidates.size, times: 1 })
    else candidates.set(term, { ...known, weight: Math.max(known.weight, weight), word, times: known.times + 1 })
  }
  const telling = ([term, { weight, times }]: [string, Candidate]): number =>
    weight * (Math.min(term.length, 12) + 2 * Math.min(times, 4))
  return [...candidates]
    .sort((a, b) => telling(b) - telling(a) || a[1].order - b[1].order)
    .slice(0, MAX_QUESTION_TERMS)
    .sort((a, b) => a[1].order - b[1].order)
    .map(([term, { weight, word }]) => ({ term, weight, ...(word !== undefined && { word }) }))
}
