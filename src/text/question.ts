/**
 * A question as it is searched: its terms, its quoted phrases, its exact lanes.
 * A question is plain language; nothing in it is an operator but a pair of
 * double quotes. Its size is bounded whatever is asked.
 */
import type { Lane } from './lane.ts'
import { readLanes } from './lanes.ts'
import { normalise } from './normalise.ts'
import { scan } from './scan.ts'
import { STOP_WORDS } from './stop-words.ts'
import { toTerm } from './terms.ts'
import { analysePath } from './words.ts'
import { readPhrases, type Phrase } from './phrases.ts'

/** One thing to look for. */
export interface QuestionTerm {
  readonly term: string
  /** 1 for a word; less for what only stands for a word. */
  readonly weight: number
}

export interface Question {
  /** Distinct, in the order of the question, at most MAX_QUESTION_TERMS. */
  readonly terms: readonly QuestionTerm[]
  /** The question as the words of a path in order; empty when it is too long to be one. */
  readonly pathWords: readonly string[]
  readonly phrases: readonly Phrase[]
  readonly lanes: readonly Lane[]
  /** There was something, and nothing of it can be searched: `*`, `++`. */
  readonly symbolsOnly: boolean
}

export const MAX_QUESTION_TERMS = 64

/** A question of at most this many words may be an identifier written apart. */
const SHORT_QUESTION_WORDS = 4

/** A question of at most this many words may be a path written apart. */
const MAX_PATH_WORDS = 8

/** Words are segmented, so a pair only helps out; in Hangul it finds the stem below the particles. */
const PAIR_WEIGHT = 0.2
const HANGUL_PAIR_WEIGHT = 0.5
const COMPOUND_WEIGHT = 0.7
const RELATIVE_WEIGHT = 0.25
const JOINED_WEIGHT = 0.85

/** Reads a question of any length; time is linear in it. */
export function analyseQuestion(text: string): Question {
  const { lanes, rest } = readLanes(text)
  const { terms, words } = readTerms(rest)
  const phrases = readPhrases(rest)
  const pathWords = words.length <= MAX_PATH_WORDS ? analysePath(rest).filter((word) => !STOP_WORDS.has(word)) : []
  const symbolsOnly = terms.length === 0 && lanes.length === 0 && text.trim() !== ''
  return { terms, pathWords, phrases, lanes, symbolsOnly }
}

interface Candidate {
  readonly weight: number
  readonly order: number
  times: number
}

function readTerms(text: string): { terms: QuestionTerm[]; words: string[] } {
  const found: { folded: string; weight: number }[] = []
  const words: string[] = []
  const starts = new Set<number>()
  scan(normalise(text), {
    word: (folded, start) => {
      starts.add(start)
      found.push({ folded, weight: 1 })
      words.push(folded)
    },
    compound: (folded) => found.push({ folded, weight: COMPOUND_WEIGHT }),
    relative: (folded) => found.push({ folded, weight: RELATIVE_WEIGHT }),
    pair: (folded, _, end) => {
      if (!starts.has(end - lastCharacter(folded).length)) found.push({ folded, weight: pairWeight(folded) })
    },
  })
  const telling = found.filter(({ folded }) => !STOP_WORDS.has(folded))
  const joined = joinedNeighbours(words).map((folded) => ({ folded, weight: JOINED_WEIGHT }))
  return { terms: choose([...(telling.length === 0 ? found : telling), ...joined]), words }
}

function pairWeight(pair: string): number {
  return /\p{Script=Hangul}/u.test(pair) ? HANGUL_PAIR_WEIGHT : PAIR_WEIGHT
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
function choose(found: readonly { folded: string; weight: number }[]): QuestionTerm[] {
  const candidates = new Map<string, Candidate>()
  for (const { folded, weight } of found) {
    const term = toTerm(folded)
    const known = candidates.get(term)
    if (known === undefined) candidates.set(term, { weight, order: candidates.size, times: 1 })
    else candidates.set(term, { weight: Math.max(known.weight, weight), order: known.order, times: known.times + 1 })
  }
  const telling = ([term, { weight, times }]: [string, Candidate]): number =>
    weight * (Math.min(term.length, 12) + 2 * Math.min(times, 4))
  return [...candidates]
    .sort((a, b) => telling(b) - telling(a) || a[1].order - b[1].order)
    .slice(0, MAX_QUESTION_TERMS)
    .sort((a, b) => a[1].order - b[1].order)
    .map(([term, { weight }]) => ({ term, weight }))
}
