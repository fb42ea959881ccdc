/**
 * The terms of a question: its words without stop words, and further terms at lower
 * weight that may match instead. At most MAX_QUESTION_TERMS for any input.
 */
import { normalise } from '../tokenize/normalise.ts'
import { tokenize } from '../tokenize/tokenizer.ts'
import { STOP_WORDS } from '../terms/stop-words.ts'
import { toForm, toTerm } from '../terms/stem.ts'
import { MAX_QUESTION_TERMS } from '../limits.ts'

export interface QuestionTerm {
  readonly term: string
  /** 1 for a word, less for a term derived from it. */
  readonly weight: number
  /** The form of the word in the question; absent for derived terms. */
  readonly word?: string
  /** How often the question has the word; absent for once. */
  readonly times?: number
}

/** A question of at most this many words may be an identifier written with spaces. */
const SHORT_QUESTION_WORDS = 4

/** A bigram only supports segmented words; in Hangul it finds the stem without its particles. */
const BIGRAM_WEIGHT = 0.2
const HANGUL_BIGRAM_WEIGHT = 0.5
const COMPOUND_WEIGHT = 0.7
const RELATIVE_WEIGHT = 0.25
const JOINED_WEIGHT = 0.85

/** The rules that differ between documents and conversations. */
interface TermRules {
  readonly toTermOf: (word: string) => string
  readonly stopWords: ReadonlySet<string>
}

const DOCUMENT_RULES: TermRules = { toTermOf: toTerm, stopWords: STOP_WORDS }

interface TermCandidate {
  readonly weight: number
  readonly word: string | undefined
  readonly order: number
  /** Occurrences, and those as a word. */
  readonly times: number
  readonly asWord: number
}

/** Distinct terms in the order of the question, and all its words, folded and not stemmed. */
export function readTerms(
  text: string,
  { toTermOf, stopWords }: TermRules = DOCUMENT_RULES,
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
      if (!starts.has(end - lastCharacter(folded).length)) found.push({ folded, weight: bigramWeight(folded) })
    },
  })
  const informative = found.filter(({ folded }) => !stopWords.has(folded))
  const joined = joinedNeighbours(words).map((folded) => ({ folded, weight: JOINED_WEIGHT }))
  return { terms: choose([...(informative.length === 0 ? found : informative), ...joined], toTermOf), words }
}

function bigramWeight(bigram: string): number {
  return /\p{Script=Hangul}/u.test(bigram) ? HANGUL_BIGRAM_WEIGHT : BIGRAM_WEIGHT
}

function lastCharacter(text: string): string {
  return Array.from(text.slice(-2)).at(-1) ?? ''
}

/** Identifiers that neighbouring words may form: `is exists` for `isExists`. */
function joinedNeighbours(words: readonly string[]): string[] {
  if (words.length > SHORT_QUESTION_WORDS || !words.every((word) => /^[a-z0-9]+$/.test(word))) return []
  const joined: string[] = []
  for (let from = 0; from < words.length; from += 1) {
    for (let to = from + 2; to <= words.length; to += 1) joined.push(words.slice(from, to).join(''))
  }
  return joined
}

/** Distinct terms; of too many, those that look most informative: long, repeated, not a bigram. */
function choose(
  found: readonly { folded: string; weight: number }[],
  toTermOf: (folded: string) => string,
): QuestionTerm[] {
  const candidates = new Map<string, TermCandidate>()
  for (const { folded, weight } of found) {
    const term = toTermOf(folded)
    const known = candidates.get(term)
    candidates.set(term, {
      weight: Math.max(known?.weight ?? 0, weight),
      word: known?.word ?? (weight === 1 ? toForm(folded) : undefined),
      order: known?.order ?? candidates.size,
      times: (known?.times ?? 0) + 1,
      asWord: (known?.asWord ?? 0) + (weight === 1 ? 1 : 0),
    })
  }
  const information = ([term, { weight, times }]: [string, TermCandidate]): number =>
    weight * (Math.min(term.length, 12) + 2 * Math.min(times, 4))
  return [...candidates]
    .sort((a, b) => information(b) - information(a) || a[1].order - b[1].order)
    .slice(0, MAX_QUESTION_TERMS)
    .sort((a, b) => a[1].order - b[1].order)
    .map(([term, { weight, word, asWord }]) => ({
      term,
      weight,
      ...(word !== undefined && { word }),
      ...(asWord > 1 && { times: asWord }),
    }))
}
