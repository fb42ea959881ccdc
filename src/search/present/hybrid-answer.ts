/**
 * The answer of a search with a question: its rows, and what it reports about the
 * question. A compact answer omits what is so by default.
 */
import type { HybridAnswer } from '../../contracts/tools/search-answers.ts'
import type { HybridRow } from '../../contracts/tools/search-rows.ts'
import type { ScopeState } from '../../index/documents/read-scope.ts'
import type { MergedRankings } from '../merge-rankings.ts'
import type { HybridPlan } from '../plan/plan.ts'
import { sizeOf, trimToFit } from './answer-budget.ts'
import { rowDetail, withRankedDetail } from './row-detail.ts'
import { toResolved, toWarnings } from './resolved-query.ts'

export function toHybridAnswer(
  plan: HybridPlan,
  found: MergedRankings & { readonly scope: ScopeState },
  rows: readonly HybridRow[],
  nothing: Pick<HybridAnswer, 'filters_unmatched' | 'suggestions'>,
  canRerank: boolean,
): HybridAnswer {
  const { corrected, scope } = found
  const { isCompact } = plan
  const empty: HybridAnswer = {
    count: 0,
    mode: 'search',
    ...((!isCompact || plan.fusion !== 'rrf') && { fusion: plan.fusion }),
    fusion_applied: found.fusion_applied,
    ...(found.fusion_weight !== undefined && { fusion_weight: found.fusion_weight }),
    ...(Object.keys(corrected).length > 0 && { corrected: { ...corrected } }),
    sort: plan.sort,
    ...(!isCompact && {
      dense_candidates: found.dense_candidates,
      sparse_candidates: found.sparse_candidates,
    }),
    ...nothing,
    ...((!isCompact || canRerank) && { rerank_requested: plan.rerankRequested }),
    rerank_applied: rows.some((row) => row.rerank_score !== undefined),
    ...toResolved(plan.request, scope.name),
    ...toWarnings([...plan.request.warnings, ...found.warnings], scope),
    results: [],
  }
  const detailed = rows.map((row, at) => withRankedDetail(row, rowDetail(plan, at), plan.sort, rows[0]!.score))
  const { rows: results, trimmed } = trimToFit(detailed, sizeOf(empty))
  return { ...empty, count: results.length, ...(trimmed && { truncated: true }), results: [...results] }
}
