/**
 * The second stage of a search: candidate chunks of word search and exact references,
 * scored on their forward index and reduced to one entry for each document. Pure
 * and deterministic: equal scores are ordered by document number.
 */
import { documentOf } from '../../fts/chunk-number.ts'
import { termKey, unpackCounts, unpackSequence } from '../../fts/packed-terms.ts'
import type { DocumentType } from '../../base/vocabulary.ts'
import { pathFactor } from './score-factors.ts'
import { idf, saturation, type Bm25Shape } from '../bm25.ts'
import { scoreOf, shareCommit, type ScoreParts, type TermPart } from './commit-siblings.ts'

/** The part of a question that the ranking needs. */
interface RankedQuestion {
  readonly terms: readonly { readonly term: string; readonly weight: number }[]
  readonly pathWords: readonly string[]
}

/** Number of all chunks of the index, and the sum of their lengths. */
export interface CorpusStatistics {
  readonly chunks: number
  readonly length: number
}

export interface Candidate {
  readonly chunk: number
  readonly type: DocumentType
  readonly length: number
  /** Packed counts and a packed sequence of fts/packed-terms.ts. */
  readonly terms: string
  readonly pathTerms: string
  /** For a diff: its commit, and the number of its chunks in the whole index. */
  readonly commitSha?: string | null
  readonly commitChunks?: number | null
}

/** The exact reference that found a chunk. */
export type ReferenceKind = 'number' | 'comment' | 'commit' | 'path' | 'wiki' | 'tag' | 'name' | 'version' | 'phrase'

/** A document and its best chunk. */
interface RankedDocument {
  readonly document: number
  readonly chunk: number
  /** By words alone; documents of exact references precede all others. */
  readonly score: number
  /** Further chunks of the document that match nearly as well, best first. */
  readonly otherChunks: readonly number[]
}

/** The rank of exact references among each other. A chunk may match several phrases; an exact name outweighs them all. */
const REFERENCE_WORTH: Record<ReferenceKind, number> = {
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

/** Discussions are short and repeat less, so repetition and length count less. */
const DISCUSSION: Bm25Shape = { k1: 0.9, b: 0.4 }
const PROSE: Bm25Shape = { k1: 1.2, b: 0.75 }

/** Further chunks of a document, and the share of the best chunk's score that each must have. */
const OTHER_CHUNKS = 2
const OTHER_CHUNK_SHARE = 0.3

/** A question of at least this many words may be answered by several files of a commit; a shorter one names one thing. */
const SHARING_WORDS = 3

/**
 * Best first: by the worth of exact references, then by score. `frequencies` is
 * the number of chunks that contain a term, 0 when absent; `referenceHits` are the
 * references that found each chunk, one entry for each hit.
 */
export function rankCandidates(
  question: RankedQuestion,
  frequencies: ReadonlyMap<string, number>,
  corpus: CorpusStatistics,
  candidates: readonly Candidate[],
  referenceHits: ReadonlyMap<number, readonly ReferenceKind[]>,
): RankedDocument[] {
  const weights = toWeights(question, frequencies, corpus)
  const chunks = candidates.map((candidate): RankedEntry => {
    const document = documentOf(candidate.chunk)
    const worth = (referenceHits.get(candidate.chunk) ?? []).reduce(
      (sum, reference) => sum + REFERENCE_WORTH[reference],
      0,
    )
    const parts = toParts(candidate, weights)
    return { document, chunk: candidate.chunk, score: scoreOf(parts, weights.whole), worth, candidate, parts }
  })
  const byDocument = Map.groupBy(chunks, ({ document }) => document)
  for (const entries of byDocument.values()) entries.sort(inOrder)
  const best = [...byDocument.values()].flatMap(([first]) => first ?? [])
  const isLong = question.terms.filter(({ weight }) => weight === 1).length >= SHARING_WORDS
  return (isLong ? withSiblings(best, weights.whole) : best).sort(inOrder).map(({ document, chunk, score }) => ({
    document,
    chunk,
    score,
    otherChunks: furtherChunks(byDocument.get(document) ?? []),
  }))
}

/** `entries` are the chunks of one document in order. An exact reference may put a chunk first that matches less than others. */
function furtherChunks([first, ...others]: readonly RankedEntry[]): number[] {
  if (first === undefined) return []
  const least = OTHER_CHUNK_SHARE * Math.max(first.score, ...others.map(({ score }) => score))
  const good = others.filter(({ score }) => score > 0 && score >= least)
  return good.slice(0, OTHER_CHUNKS).map(({ chunk }) => chunk)
}

interface RankedEntry extends Omit<RankedDocument, 'otherChunks'> {
  readonly worth: number
  readonly candidate: Candidate
  readonly parts: ScoreParts
}

function inOrder(a: RankedEntry, b: RankedEntry): number {
  return b.worth - a.worth || b.score - a.score || a.chunk - b.chunk
}

/** The same entries; entries of one commit are scored together. */
function withSiblings(entries: readonly RankedEntry[], whole: number): RankedEntry[] {
  const commits = Map.groupBy(entries, ({ candidate }) => candidate.commitSha ?? undefined)
  return [...commits].flatMap(([commit, files]) => {
    if (commit === undefined) return files
    const chunks = files[0]?.candidate.commitChunks ?? files.length
    const scores = shareCommit(
      files.map(({ parts }) => parts),
      chunks,
      whole,
    )
    return files.map((file, at) => ({ ...file, score: scores[at] ?? file.score }))
  })
}

interface QuestionWeights {
  /** The information of each term of the question, by key. */
  readonly information: ReadonlyMap<number, number>
  /** The sum over the terms in the index. */
  readonly whole: number
  readonly averageLength: number
  readonly pathWords: readonly number[]
}

function toWeights(
  question: RankedQuestion,
  frequencies: ReadonlyMap<string, number>,
  corpus: CorpusStatistics,
): QuestionWeights {
  const information = new Map<number, number>()
  let whole = 0
  for (const { term, weight } of question.terms) {
    const frequency = frequencies.get(term) ?? 0
    const termInformation = weight * idf(corpus.chunks, frequency)
    information.set(termKey(term), termInformation)
    // A term that is not in the index cannot distinguish candidates.
    if (frequency > 0) whole += termInformation
  }
  const averageLength = corpus.chunks > 0 ? corpus.length / corpus.chunks : 0
  return { information, whole, averageLength, pathWords: question.pathWords.map(termKey) }
}

function toParts({ type, length, terms, pathTerms }: Candidate, weights: QuestionWeights): ScoreParts {
  const shape = type === 'issue' || type === 'pull_request' ? DISCUSSION : PROSE
  const parts = new Map<number, TermPart>()
  unpackCounts(terms, (key, count) => {
    const information = weights.information.get(key)
    if (information === undefined) return
    parts.set(key, { score: information * saturation(count, length, weights.averageLength, shape), information })
  })
  return { parts, pathFactor: pathFactor(weights.pathWords, unpackSequence(pathTerms)) }
}
