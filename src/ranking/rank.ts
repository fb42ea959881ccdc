/**
 * The second stage of a search: candidate chunks from the pool and the exact
 * lanes, scored on their forward index with our own statistics, and folded to
 * one entry a document. Pure and deterministic: equal scores are ordered by
 * document number.
 */
import { documentOf } from '../base/chunk-number.ts'
import { termKey, unpackCounts, unpackSequence } from '../base/packed-terms.ts'
import type { DocumentType } from '../base/vocabulary.ts'
import { coverageFactor, pathFactor } from './bonuses.ts'
import { idf, saturation, type Bm25Shape } from './bm25.ts'

/** What ranking needs of a question; text/question.ts gives it. */
export interface RankedQuestion {
  readonly terms: readonly { readonly term: string; readonly weight: number }[]
  readonly pathWords: readonly string[]
}

/** All chunks of the index: how many, and the sum of their lengths. */
export interface Corpus {
  readonly chunks: number
  readonly length: number
}

export interface Candidate {
  readonly chunk: number
  readonly type: DocumentType
  readonly length: number
  /** Packed counts and packed sequence, as base/packed-terms.ts makes them. */
  readonly terms: string
  readonly pathTerms: string
}

/** Which exact lane brought a chunk in. */
export type LaneKind = 'number' | 'comment' | 'commit' | 'path' | 'wiki' | 'tag' | 'name' | 'version' | 'phrase'

/** A document and the chunk that stands for it. */
export interface RankedDocument {
  readonly document: number
  readonly chunk: number
  /** Of the words alone; documents from exact lanes stand first whatever it is. */
  readonly score: number
}

/** What a lane's hit is worth against another's. A phrase may be hit several times; an exact name outweighs all phrases. */
const LANE_WORTH: Record<LaneKind, number> = {
  number: 64,
  comment: 128,
  commit: 64,
  path: 64,
  wiki: 64,
  tag: 64,
  name: 16,
  version: 16,
  phrase: 1,
}

/** Discussions are short and repeat themselves less: repetition and length count less there. */
const DISCUSSION: Bm25Shape = { k1: 0.9, b: 0.4 }
const PROSE: Bm25Shape = { k1: 1.2, b: 0.75 }

/**
 * Best first: by the worth of exact lanes, then by score. `frequencies` says how
 * many chunks hold a term, absent means none; `laneHits` names the lanes of each
 * chunk, one entry a hit.
 */
export function rankCandidates(
  question: RankedQuestion,
  frequencies: ReadonlyMap<string, number>,
  corpus: Corpus,
  candidates: readonly Candidate[],
  laneHits: ReadonlyMap<number, readonly LaneKind[]>,
): RankedDocument[] {
  const score = scorer(question, frequencies, corpus)
  const best = new Map<number, RankedDocument & { readonly worth: number }>()
  for (const candidate of candidates) {
    const document = documentOf(candidate.chunk)
    const worth = (laneHits.get(candidate.chunk) ?? []).reduce((sum, lane) => sum + LANE_WORTH[lane], 0)
    const entry = { document, chunk: candidate.chunk, score: score(candidate), worth }
    const known = best.get(document)
    if (known === undefined || isBetter(entry, known)) best.set(document, entry)
  }
  return [...best.values()]
    .sort((a, b) => (isBetter(a, b) ? -1 : 1))
    .map(({ document, chunk, score }) => ({ document, chunk, score }))
}

type Entry = RankedDocument & { readonly worth: number }

function isBetter(a: Entry, b: Entry): boolean {
  if (a.worth !== b.worth) return a.worth > b.worth
  return a.score === b.score ? a.chunk < b.chunk : a.score > b.score
}

function scorer(
  question: RankedQuestion,
  frequencies: ReadonlyMap<string, number>,
  corpus: Corpus,
): (candidate: Candidate) => number {
  const information = new Map<number, number>()
  for (const { term, weight } of question.terms) {
    information.set(termKey(term), weight * idf(corpus.chunks, frequencies.get(term) ?? 0))
  }
  let whole = 0
  for (const { term, weight } of question.terms) {
    // What the index nowhere holds cannot tell candidates apart.
    if ((frequencies.get(term) ?? 0) > 0) whole += weight * idf(corpus.chunks, frequencies.get(term) ?? 0)
  }
  const average = corpus.chunks > 0 ? corpus.length / corpus.chunks : 0
  const pathWords = question.pathWords.map(termKey)
  return ({ type, length, terms, pathTerms }) => {
    const shape = type === 'issue' || type === 'pull_request' ? DISCUSSION : PROSE
    let sum = 0
    let matched = 0
    unpackCounts(terms, (key, count) => {
      const telling = information.get(key)
      if (telling === undefined) return
      sum += telling * saturation(count, length, average, shape)
      matched += telling
    })
    return sum * coverageFactor(matched, whole) * pathFactor(pathWords, unpackSequence(pathTerms))
  }
}
