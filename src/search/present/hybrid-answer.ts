/**
 * The answer of a search with a question: its rows, each with scores, a snippet
 * of the passage that matched and the other rows of its entity, and what it
 * reports about the question.
 */
import { toTime } from '../../base/time.ts'
import type { HybridAnswer } from '../../contracts/tools/search-answers.ts'
import type { HybridRow } from '../../contracts/tools/search-rows.ts'
import type { BriefRow } from '../../index/documents/read-documents.ts'
import type { ResultRows } from '../../index/documents/read-results.ts'
import type { ScopeState } from '../../index/documents/read-scope.ts'
import type { Group } from '../../ranking/documents/aggregate.ts'
import type { Question } from '../../text/question/question.ts'
import { MAX_ENTITY_ROWS, MIN_SCORE } from '../limits.ts'
import type { DocumentHit, MergedRankings } from '../merge-rankings.ts'
import type { HybridPlan } from '../plan/plan.ts'
import { sizeOf, trimToFit } from './answer-budget.ts'
import { toListRow, urlOf } from './answer-rows.ts'
import { toResolved, toWarnings } from './resolved-query.ts'
import { toPassages } from './sections.ts'

/** One row for each group, in order. A group whose first document was not read has no row. */
export function toHybridRows(
  groups: readonly Group<DocumentHit>[],
  { documents, mentioned, passages }: ResultRows,
  question: Question,
): HybridRow[] {
  const scores = rowScores(groups)
  return groups.flatMap(({ first, others }, at) => {
    const document = documents.get(first.document)
    if (!document) return []
    return [
      {
        ...toListRow(document),
        ...toScores(first, scores[at] ?? first.score),
        ...toPassages(first, passages, question),
        ...toEntity(others, mentioned),
      },
    ]
  })
}

export function toHybridAnswer(
  plan: HybridPlan,
  found: MergedRankings & { readonly scope: ScopeState },
  rows: readonly HybridRow[],
  nothing: Pick<HybridAnswer, 'filters_unmatched' | 'suggestions'>,
): HybridAnswer {
  const { corrected, scope } = found
  const empty: HybridAnswer = {
    count: 0,
    mode: 'search',
    fusion: plan.fusion,
    fusion_applied: found.fusion_applied,
    ...(found.fusion_weight !== undefined && { fusion_weight: found.fusion_weight }),
    ...(Object.keys(corrected).length > 0 && { corrected: { ...corrected } }),
    sort: plan.sort,
    dense_candidates: found.dense_candidates,
    sparse_candidates: found.sparse_candidates,
    ...nothing,
    rerank_requested: plan.rerankRequested,
    rerank_applied: rows.some((row) => row.rerank_score !== undefined),
    ...toResolved(plan.request, scope.name),
    ...toWarnings([...plan.request.warnings, ...found.warnings], scope),
    results: [],
  }
  const { rows: results, trimmed } = trimToFit(rows, sizeOf(empty))
  return { ...empty, count: results.length, ...(trimmed && { truncated: true }), results: [...results] }
}

/**
 * The score that each row shows: at least that of any row ranked after it. Rows
 * of exact references come first although their words may score less.
 */
function rowScores(groups: readonly Group<DocumentHit>[]): number[] {
  return groups.map(({ first }) =>
    groups.reduce(
      (most, { first: other }) => (other.rank > first.rank ? Math.max(most, other.score) : most),
      Math.max(first.score, MIN_SCORE),
    ),
  )
}

function toScores(hit: DocumentHit, score: number): Pick<HybridRow, 'score'> & Partial<HybridRow> {
  return {
    score: rounded(score),
    ...(hit.byVector && { dense_score: rounded(hit.byVector.score), dense_rank: hit.byVector.rank }),
    ...(hit.byWords && { sparse_score: rounded(hit.byWords.score), sparse_rank: hit.byWords.rank }),
    ...(hit.rerankScore !== undefined && { rerank_score: rounded(hit.rerankScore) }),
  }
}

function toEntity(
  others: readonly DocumentHit[],
  mentioned: ReadonlyMap<number, BriefRow>,
): Pick<HybridRow, 'same_entity'> {
  if (others.length === 0) return {}
  const rows = others.slice(0, MAX_ENTITY_ROWS).flatMap((hit) => {
    const row = mentioned.get(hit.document)
    if (!row) return []
    const url = urlOf(row)
    return [
      {
        vector_id: row.vectorId,
        type: row.type,
        ...(url !== undefined && { url }),
        updated_at: toTime(row.updatedAt),
        score: rounded(Math.max(hit.score, MIN_SCORE)),
        ...(row.commitSha !== undefined && { commit_sha: row.commitSha }),
      },
    ]
  })
  return { same_entity: { count: others.length + 1, others: rows } }
}

function rounded(score: number): number {
  return Math.round(score * 10_000) / 10_000
}
