/**
 * The second stage of a search: candidate chunks of word search and exact references,
 * scored on their forward index and reduced to one entry for each document. Pure
 * and deterministic: equal scores are ordered by document number.
 */
import { documentOf } from '../../fts/chunk-number.ts'
import { termKey, unpackCounts, unpackSequence } from '../../fts/packed-terms.ts'
import type { DocumentType } from '../../base/vocabulary.ts'
import { pathFactor } from './score-factors.ts'
import { formFactors, formWeights, type FormWeights } from './written-forms.ts'
import { idf, repetition, saturation, type Bm25Shape } from '../bm25.ts'
import { scoreOf, shareCommit, type ScoreParts, type TermPart } from './commit-siblings.ts'

/** The part of a question that the ranking needs. */
interface RankedQuestion {
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

export interface Candidate {
  readonly chunk: number
  readonly type: DocumentType
  readonly length: number
  /** Packed counts and a packed sequence of fts/packed-terms.ts. */
  readonly terms: string
  /** Packed counts of forms. */
  readonly forms: string
  readonly pathTerms: string
  /** For a diff: its commit, and the number of its chunks in the whole index. */
  readonly commitSha?: string | null
  readonly commitChunks?: number | null
  /** A hash of its patch, which copies of a file have in common. */
  readonly patch?: number | null
}

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

/** A document and its best chunk. */
interface RankedDocument {
  readonly document: number
  readonly chunk: number
  /** By words alone; documents of exact references precede all others. */
  readonly score: number
  /** An exact reference names the document, or a phrase is in the chunk. */
  readonly isExact: boolean
  /** Further chunks of the document that match nearly as well, best first. */
  readonly otherChunks: readonly number[]
}

/**
 * The rank of exact references among each other. A chunk may match several phrases; an
 * exact name outweighs them all. A mention is no exact reference: it raises the score.
 */
const REFERENCE_WORTH: Record<ReferenceKind, number> = {
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

/** The score of a file whose name a sentence mentions, relative to its words alone. */
const MENTION_FACTOR = 1.5

/** Discussions are short and repeat less, so repetition and length count less for a short question. */
const DISCUSSION: Bm25Shape = { k1: 0.9, b: 0.4 }
const PROSE: Bm25Shape = { k1: 1.2, b: 0.75 }

/** A question of at least this many words ranks discussions as it ranks prose. */
const DISCUSSION_WORDS = 7

/**
 * A question of at least this many words is a text of its own: a word that it repeats is
 * what it is about, and its quotes and version numbers are parts of it, which raise scores
 * and do not come first.
 */
const TEXT_WORDS = 12

/** True for a question that is a text: its quotes and versions only raise scores. */
export function isText({ words }: { readonly words: number }): boolean {
  return words >= TEXT_WORDS
}

/** In a text: the score of a chunk for each phrase that it contains, and of a document that a version names. */
const PHRASE_FACTOR = 1.1
const VERSION_FACTOR = 1.3

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
  const asText = isText(question)
  const named = referencedDocuments(referenceHits, asText)
  const chunks = candidates.map((candidate): RankedEntry => {
    const document = documentOf(candidate.chunk)
    const { worth = 0, factor = 1 } = named.get(document) ?? {}
    const phrases = worthOf(referenceHits.get(candidate.chunk), isPhrase)
    const parts = toParts(candidate, weights, factor * (asText ? PHRASE_FACTOR ** phrases : 1))
    return {
      document,
      chunk: candidate.chunk,
      score: scoreOf(parts, weights.whole),
      worth: worth + (asText ? 0 : phrases),
      candidate,
      parts,
    }
  })
  const byDocument = Map.groupBy(chunks, ({ document }) => document)
  for (const entries of byDocument.values()) entries.sort(inOrder)
  const best = [...byDocument.values()].flatMap(([first]) => first ?? [])
  const isLong = question.terms.filter(({ weight }) => weight === 1).length >= SHARING_WORDS
  const { originals, copies } = separateCopies(best)
  const ranked = isLong ? withSiblings(originals, copies, weights.whole) : originals
  return [...ranked, ...copies]
    .sort((a, b) => inOrderAmongCopies(a, b, copies))
    .map(({ document, chunk, score, worth }) => ({
      document,
      chunk,
      score,
      isExact: worth > 0,
      otherChunks: furtherChunks(byDocument.get(document) ?? []),
    }))
}

/** `entries` are the chunks of one document in order. A phrase may put a chunk first that matches less than others. */
function furtherChunks([first, ...others]: readonly RankedEntry[]): number[] {
  if (first === undefined) return []
  const least = OTHER_CHUNK_SHARE * Math.max(first.score, ...others.map(({ score }) => score))
  const good = others.filter(({ score }) => score > 0 && score >= least)
  return good.slice(0, OTHER_CHUNKS).map(({ chunk }) => chunk)
}

interface RankedEntry extends Omit<RankedDocument, 'isExact' | 'otherChunks'> {
  readonly worth: number
  readonly candidate: Candidate
  readonly parts: ScoreParts
}

const isPhrase = (kind: ReferenceKind): boolean => kind === 'phrase'
const isKey = (kind: ReferenceKind): boolean => kind !== 'phrase'

function worthOf(kinds: readonly ReferenceKind[] = [], counts: (kind: ReferenceKind) => boolean): number {
  return kinds.filter(counts).reduce((sum, kind) => sum + REFERENCE_WORTH[kind], 0)
}

interface NamedDocument {
  readonly worth: number
  /** The factor of the scores of its chunks. */
  readonly factor: number
}

/** References by key hold for a whole document, a phrase for its chunk. */
function referencedDocuments(
  referenceHits: ReadonlyMap<number, readonly ReferenceKind[]>,
  isText: boolean,
): Map<number, NamedDocument> {
  const named = new Map<number, NamedDocument>()
  const counts = (kind: ReferenceKind): boolean => isKey(kind) && !(isText && kind === 'version')
  for (const [chunk, kinds] of referenceHits) {
    const { worth = 0, factor = 1 } = named.get(documentOf(chunk)) ?? {}
    const raised = Math.max(factor, ...kinds.map((kind) => factorOf(kind, isText)))
    named.set(documentOf(chunk), { worth: worth + worthOf(kinds, counts), factor: raised })
  }
  return named
}

function factorOf(kind: ReferenceKind, isText: boolean): number {
  if (kind === 'mention') return MENTION_FACTOR
  return isText && kind === 'version' ? VERSION_FACTOR : 1
}

function inOrder(a: RankedEntry, b: RankedEntry): number {
  return b.worth - a.worth || b.score - a.score || a.chunk - b.chunk
}

/**
 * Copies of a file that a commit changes in the same way, as of generated files: the
 * best entry of each patch is the original, the others are copies.
 */
function separateCopies(entries: readonly RankedEntry[]): {
  readonly originals: RankedEntry[]
  readonly copies: ReadonlySet<RankedEntry>
} {
  const patches = Map.groupBy(entries, ({ document, candidate: { commitSha, patch } }) =>
    typeof commitSha === 'string' && typeof patch === 'number' ? `${commitSha} ${patch}` : document,
  )
  const copies = new Set<RankedEntry>()
  for (const alike of patches.values()) {
    for (const copy of alike.toSorted(inOrder).slice(1)) copies.add(copy)
  }
  return { originals: entries.filter((entry) => !copies.has(entry)), copies }
}

/** Copies follow all other entries of the same worth. */
function inOrderAmongCopies(a: RankedEntry, b: RankedEntry, copies: ReadonlySet<RankedEntry>): number {
  return b.worth - a.worth || Number(copies.has(a)) - Number(copies.has(b)) || inOrder(a, b)
}

/** The same entries; entries of one commit are scored together, without its copies. */
function withSiblings(entries: readonly RankedEntry[], copies: ReadonlySet<RankedEntry>, whole: number): RankedEntry[] {
  const commits = Map.groupBy(entries, ({ candidate }) => candidate.commitSha ?? undefined)
  const copied = Map.groupBy(copies, ({ candidate }) => candidate.commitSha ?? undefined)
  return [...commits].flatMap(([commit, files]) => {
    if (commit === undefined) return files
    const chunks = (files[0]?.candidate.commitChunks ?? files.length) - (copied.get(commit)?.length ?? 0)
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
  readonly forms: FormWeights
  readonly discussionShape: Bm25Shape
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
  for (const { term, weight, times } of question.terms) {
    const frequency = frequencies.get(term) ?? 0
    const repeated = question.words >= TEXT_WORDS ? repetition(times) : 1
    const termInformation = weight * repeated * idf(corpus.chunks, frequency)
    information.set(termKey(term), termInformation)
    // A term that is not in the index cannot distinguish candidates.
    if (frequency > 0) whole += termInformation
  }
  const averageLength = corpus.chunks > 0 ? corpus.length / corpus.chunks : 0
  const forms = formWeights(question.terms)
  const discussionShape = question.words < DISCUSSION_WORDS ? DISCUSSION : PROSE
  return { information, forms, discussionShape, whole, averageLength, pathWords: question.pathWords.map(termKey) }
}

function toParts(
  { type, length, terms, forms, pathTerms }: Candidate,
  weights: QuestionWeights,
  mentionFactor: number,
): ScoreParts {
  const shape = type === 'issue' || type === 'pull_request' ? weights.discussionShape : PROSE
  const parts = new Map<number, TermPart>()
  const formFactor = formFactors(forms, weights.forms)
  unpackCounts(terms, (key, count) => {
    const information = weights.information.get(key)
    if (information === undefined) return
    const score = formFactor(key, count) * information * saturation(count, length, weights.averageLength, shape)
    parts.set(key, { score, information })
  })
  return { parts, pathFactor: mentionFactor * pathFactor(weights.pathWords, unpackSequence(pathTerms)) }
}
