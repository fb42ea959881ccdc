/**
 * Two sides of a search made one: what words found and what meaning found. One
 * side's outage leaves the other to answer, with a warning; what exact lanes
 * found stands first whatever meaning says.
 */
import { documentOf } from '../fts/chunk-number.ts'
import { ok } from '../base/result.ts'
import type { Result } from '../base/result.ts'
import type { HybridAnswer } from '../contracts/tools/search-answers.ts'
import type { NearestChunks, NearRow } from '../index/vectors/vector-index.ts'
import type { Group } from '../ranking/documents/aggregate.ts'
import { fuse, fusionMethod } from '../ranking/fuse.ts'
import type { Question } from '../text/question/question.ts'
import { NO_CANDIDATES, toGroups } from './word-search.ts'
import type { Candidates, DocumentHit } from './word-search.ts'
import type { HybridPlan } from './plan/plan.ts'

export interface MergedRankings extends Pick<HybridAnswer, 'fusion_applied' | 'fusion_weight' | 'dense_candidates'> {
  readonly words: Candidates
  /** In the order of the answer, more than it shows. */
  readonly groups: readonly Group<DocumentHit>[]
  readonly warnings: readonly string[]
}

/** Refused only where no side answers that the plan can go by. `weight` is meaning's declared share. */
export function mergeRankings(
  plan: HybridPlan,
  question: Question,
  words: Result<Candidates>,
  near: Result<NearestChunks> | undefined,
  weight: number,
): Result<MergedRankings> {
  if (near === undefined || !near.ok) {
    if (near !== undefined && plan.fusion === 'dense_only') return near
    if (!words.ok) return words
    const warnings = near === undefined ? [] : [`${near.failure.message} Rows are ranked by words alone.`]
    const { groups } = words.value
    return ok({ groups, words: words.value, fusion_applied: 'words', dense_candidates: 0, warnings })
  }
  const { rows, isReady, isPartial } = near.value
  const warnings: string[] = []
  if (!isReady) warnings.push('Vectors are still being made, so what only meaning could find may be missing.')
  if (isPartial) warnings.push('The index holds more vectors than one search can look at; the oldest were looked at.')
  const found = { warnings, dense_candidates: rows.length }
  if (plan.fusion === 'dense_only') {
    return ok({ ...found, ...byMeaning(plan, rows), words: words.ok ? words.value : { ...NO_CANDIDATES, question } })
  }
  if (!words.ok) {
    warnings.push('The word index could not be read. Rows are ranked by meaning alone.')
    return ok({ ...found, ...byMeaning(plan, rows), words: { ...NO_CANDIDATES, question } })
  }
  return ok({
    ...found,
    words: words.value,
    groups: toGroups(plan, fused(words.value.hits, rows, weight)),
    fusion_applied: fusionMethod(weight),
    fusion_weight: weight,
  })
}

function byMeaning(plan: HybridPlan, rows: readonly NearRow[]) {
  return { groups: toGroups(plan, rows.map(toHit)), fusion_applied: 'meaning' as const }
}

function toHit({ similarity: likeness, ...row }: NearRow, at: number): DocumentHit {
  const side = { score: likeness, rank: at + 1 }
  return { ...row, document: documentOf(row.chunk), isExact: false, ...side, byVector: side }
}

/** Hits of both sides; a row that words found keeps the passage they found. */
function fused(words: readonly DocumentHit[], rows: readonly NearRow[], weight: number): DocumentHit[] {
  const near = rows.map(toHit)
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
