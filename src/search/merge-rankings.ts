/**
 * Merges the rankings of a search, by words and by vectors, into one list of
 * groups. If one ranking fails, the other answers, with a warning. Documents
 * that an exact reference names come first, whether or not vectors find them.
 */
import { documentOf } from '../fts/chunk-number.ts'
import { ok } from '../base/result.ts'
import type { Result } from '../base/result.ts'
import type { HybridAnswer } from '../contracts/tools/search-answers.ts'
import type { NearestChunks, NearRow } from '../index/vectors/vector-index.ts'
import type { WordCandidates, WordHit } from '../index/words/find.ts'
import type { Group } from '../ranking/documents/aggregate.ts'
import { fuse } from '../ranking/fuse.ts'
import type { Question } from '../text/question/question.ts'
import { toGroups } from './group-hits.ts'
import type { HybridPlan } from './plan/plan.ts'

/** Candidates of each ranking for one row of the answer. */
export const CANDIDATES_PER_ROW = 5

interface RankedScore {
  /** 1 for the best. */
  readonly rank: number
  readonly score: number
}

/** A document among the candidates, with its best chunk. */
export interface DocumentHit extends WordHit {
  /** Rank and score in each ranking that contains it. */
  readonly byWords?: RankedScore
  readonly byVector?: RankedScore
  readonly rerankScore?: number
}

export interface Rankings {
  /** Empty where the plan ranks by vectors alone. */
  readonly words: Result<WordCandidates>
  /** Undefined where the plan ranks by words alone. */
  readonly near: Result<NearestChunks> | undefined
}

export interface MergedRankings
  extends
    Omit<WordCandidates, 'hits'>,
    Pick<HybridAnswer, 'fusion_applied' | 'fusion_weight' | 'dense_candidates' | 'sparse_candidates'> {
  /** In the order of the answer, more than it shows. */
  readonly groups: readonly Group<DocumentHit>[]
  readonly warnings: readonly string[]
}

/** Refused only where no ranking that the plan accepts is available. `weight` is the share of the vectors. */
export function mergeRankings(
  plan: HybridPlan,
  question: Question,
  { words, near }: Rankings,
  weight: number,
): Result<MergedRankings> {
  const warnings: string[] = []
  if (!near?.ok) {
    if (near && plan.fusion === 'dense_only') return near
    if (!words.ok) return words
    if (near) warnings.push(`${near.failure.message} Rows are ranked by words alone.`)
    const { hits, ...searched } = words.value
    const groups = groupHits(plan, question, hits.map(toWordHit))
    const candidates = { sparse_candidates: hits.length, dense_candidates: 0 }
    return ok({ ...searched, ...candidates, groups, fusion_applied: 'words', warnings })
  }
  const { rows, isReady, isPartial } = near.value
  const nearHits = rows.map(toVectorHit)
  if (!isReady) warnings.push('Vectors are still being made, so rows that only they find may be missing.')
  if (isPartial) warnings.push('The index has more vectors than one search reads; only the oldest were compared.')
  if (!words.ok) warnings.push('The word index could not be read. Rows are ranked by vectors alone.')
  const { hits, ...searched } = words.ok ? words.value : { hits: [], question, corrected: {} }
  const candidates = { sparse_candidates: hits.length, dense_candidates: rows.length }
  if (!words.ok || plan.fusion === 'dense_only') {
    const groups = groupHits(plan, question, nearHits)
    return ok({ ...searched, ...candidates, groups, fusion_applied: 'vectors', warnings })
  }
  const groups = groupHits(plan, question, fuseHits(hits.map(toWordHit), nearHits, weight))
  return ok({
    ...searched,
    ...candidates,
    groups,
    fusion_applied: 'weighted',
    fusion_weight: weight,
    warnings,
  })
}

function toWordHit(hit: WordHit): DocumentHit {
  return { ...hit, byWords: { score: hit.score, rank: hit.rank } }
}

function toVectorHit({ similarity, ...row }: NearRow, at: number): DocumentHit {
  const ranked = { score: similarity, rank: at + 1 }
  return { ...row, document: documentOf(row.chunk), isExact: false, passages: [], ...ranked, byVector: ranked }
}

/** Hits of both rankings; a document that words found keeps the chunk that they found. */
function fuseHits(words: readonly DocumentHit[], near: readonly DocumentHit[], weight: number): DocumentHit[] {
  const byDocument = new Map(near.map((hit) => [hit.document, hit]))
  for (const hit of words) {
    const other = byDocument.get(hit.document)
    byDocument.set(hit.document, other?.byVector ? { ...hit, byVector: other.byVector } : hit)
  }
  const hits = fuse(words, near, weight).flatMap(({ document, score }) => {
    const hit = byDocument.get(document)
    return hit ? [{ ...hit, score }] : []
  })
  const exact = hits.filter(({ isExact }) => isExact).sort((a, b) => a.rank - b.rank)
  return [...exact, ...hits.filter(({ isExact }) => !isExact)].map((hit, at) => ({ ...hit, rank: at + 1 }))
}

/**
 * Groups of all hits, or in an order by time of the best. Of a question that only
 * names items those that it names, if there are any.
 */
function groupHits(plan: HybridPlan, question: Question, hits: readonly DocumentHit[]): Group<DocumentHit>[] {
  const named = new Set(
    question.isReferenceOnly ? hits.filter(({ isExact }) => isExact).map(({ entity }) => entity) : [],
  )
  const wanted = named.size > 0 ? hits.filter(({ entity }) => named.has(entity)) : hits
  return toGroups(plan, plan.sort === 'relevance' ? wanted : wanted.slice(0, CANDIDATES_PER_ROW * plan.topK))
}
