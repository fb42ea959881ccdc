/**
 * The score of one chunk for the words of a question: BM25 on its forward index, by
 * the form in which each word is written, times coverage and the factor of its path.
 */
import type { DocumentType } from '../../base/vocabulary.ts'
import { termKey, unpackCounts, unpackSequence } from '../../fts/packed-terms.ts'
import { idf, repetition, saturation, type Bm25Shape } from '../bm25.ts'
import { isText, ranksDiscussionsAsProse } from './question-length.ts'
import { coverageFactor, pathFactor } from './score-factors.ts'
import { formFactors, formWeights, type FormWeights } from './written-forms.ts'

/** The part of a question that the ranking needs. */
export interface RankedQuestion {
  readonly terms: readonly {
    readonly term: string
    readonly weight: number
    readonly word?: string
    readonly times?: number
  }[]
  /** How long it is, in words. */
  readonly words: number
  readonly pathWords: readonly string[]
}

/** Number of all chunks of the index, and the sum of their lengths. */
export interface CorpusStatistics {
  readonly chunks: number
  readonly length: number
}

/** A chunk in the forward index. */
export interface ScoredChunk {
  readonly type: DocumentType
  readonly length: number
  /** Packed counts and a packed sequence of fts/packed-terms.ts. */
  readonly terms: string
  /** Packed counts of forms. */
  readonly forms: string
  readonly pathTerms: string
}

/** The contribution of a term to the score of a chunk, and its information. */
export interface TermPart {
  readonly score: number
  readonly information: number
}

/** The score of a chunk in parts: the sum of its terms, times coverage, times `factor`. */
export interface ScoreParts {
  readonly parts: ReadonlyMap<number, TermPart>
  readonly factor: number
}

/** Discussions are short and repeat less, so repetition and length count less for a short question. */
const DISCUSSION: Bm25Shape = { k1: 0.9, b: 0.4 }
const PROSE: Bm25Shape = { k1: 1.2, b: 0.75 }

/** The weights of a question in an index. */
export interface QuestionWeights {
  /** The information of each term of the question, by key. */
  readonly information: ReadonlyMap<number, number>
  readonly forms: FormWeights
  readonly discussionShape: Bm25Shape
  /** The sum over the terms in the index. */
  readonly whole: number
  readonly averageLength: number
  readonly pathWords: readonly number[]
}

/** `frequencies` is the number of chunks that contain a term, 0 when absent. */
export function toWeights(
  question: RankedQuestion,
  frequencies: ReadonlyMap<string, number>,
  corpus: CorpusStatistics,
): QuestionWeights {
  const information = new Map<number, number>()
  let whole = 0
  for (const { term, weight, times } of question.terms) {
    const frequency = frequencies.get(term) ?? 0
    const repeated = isText(question) ? repetition(times) : 1
    const termInformation = weight * repeated * idf(corpus.chunks, frequency)
    information.set(termKey(term), termInformation)
    // A term that is not in the index cannot distinguish candidates.
    if (frequency > 0) whole += termInformation
  }
  const averageLength = corpus.chunks > 0 ? corpus.length / corpus.chunks : 0
  const forms = formWeights(question.terms)
  const discussionShape = ranksDiscussionsAsProse(question) ? PROSE : DISCUSSION
  return { information, forms, discussionShape, whole, averageLength, pathWords: question.pathWords.map(termKey) }
}

/** `factor` is that of the references which found the chunk. */
export function toParts(chunk: ScoredChunk, weights: QuestionWeights, factor: number): ScoreParts {
  const { type, length, terms, forms, pathTerms } = chunk
  const shape = type === 'issue' || type === 'pull_request' ? weights.discussionShape : PROSE
  const parts = new Map<number, TermPart>()
  const formFactor = formFactors(forms, weights.forms)
  unpackCounts(terms, (key, count) => {
    const information = weights.information.get(key)
    if (information === undefined) return
    const score = formFactor(key, count) * information * saturation(count, length, weights.averageLength, shape)
    parts.set(key, { score, information })
  })
  return { parts, factor: factor * pathFactor(weights.pathWords, unpackSequence(pathTerms)) }
}

/** The score of a chunk by itself; `whole` is the information of the whole question. */
export function scoreOf({ parts, factor }: ScoreParts, whole: number): number {
  let [sum, matched] = [0, 0]
  for (const { score, information } of parts.values()) {
    sum += score
    matched += information
  }
  return sum * coverageFactor(matched, whole) * factor
}
