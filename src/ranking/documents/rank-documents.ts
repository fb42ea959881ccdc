/**
 * The second stage of a search: candidate chunks of word search and exact references,
 * scored on their forward index and reduced to one entry for each document. Pure
 * and deterministic: equal scores are ordered by document number.
 */
import { documentOf } from '../../fts/chunk-number.ts'
import { scoreOf, toParts, toWeights, type ScoreParts } from './chunk-score.ts'
import type { CorpusStatistics, RankedQuestion, ScoredChunk } from './chunk-score.ts'
import { scoreMessage, shareCommit } from './commit-siblings.ts'
import { maySpanFiles } from './question-length.ts'
import { referenceEffects, type ReferenceHits } from './reference-effects.ts'

export interface Candidate extends ScoredChunk {
  readonly chunk: number
  /** Of a commit and its diffs: the commit, and the number of its chunks in the whole index. */
  readonly commitSha?: string | null
  readonly commitChunks?: number | null
  /** A hash of its patch, which copies of a file have in common. */
  readonly patch?: number | null
}

/** A document and its best chunk. */
interface RankedDocument {
  readonly document: number
  readonly chunk: number
  /** By words alone; documents of exact references precede all others. */
  readonly score: number
  /** An exact reference puts it first: one to the document, or a phrase in the chunk. */
  readonly isExact: boolean
  /** Further chunks of the document that match nearly as well, best first. */
  readonly otherChunks: readonly number[]
}

/** Further chunks of a document, and the share of the best chunk's score that each must have. */
const OTHER_CHUNKS = 2
const OTHER_CHUNK_SHARE = 0.3

/**
 * Best first: by the worth of exact references, then by score. `frequencies` is
 * the number of chunks that contain a term, 0 when absent.
 */
export function rankCandidates(
  question: RankedQuestion,
  frequencies: ReadonlyMap<string, number>,
  corpus: CorpusStatistics,
  candidates: readonly Candidate[],
  referenceHits: ReferenceHits,
): RankedDocument[] {
  const weights = toWeights(question, frequencies, corpus)
  const effectOn = referenceEffects(question, referenceHits)
  const chunks = candidates.map((candidate): RankedEntry => {
    const { chunk } = candidate
    const { worth, factor } = effectOn(chunk)
    const parts = toParts(candidate, weights, factor)
    return { document: documentOf(chunk), chunk, score: scoreOf(parts, weights.whole), worth, candidate, parts }
  })
  const byDocument = Map.groupBy(chunks, ({ document }) => document)
  for (const entries of byDocument.values()) entries.sort(inOrder)
  const best = [...byDocument.values()].flatMap(([first]) => first ?? [])
  const { originals, copies } = separateCopies(best)
  const ranked = maySpanFiles(question) ? withSiblings(originals, copies, weights.whole) : originals
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
    return files.map((file, at) => {
      const shared = scores[at] ?? file.score
      return { ...file, score: file.candidate.type === 'commit' ? scoreMessage(file.parts, shared, whole) : shared }
    })
  })
}
