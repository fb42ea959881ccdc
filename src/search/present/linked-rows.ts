/**
 * `graph_results` of a search's answer: rows that are linked with the results,
 * without scores. Where the budget is too small for both, results come first.
 */
import type { DocumentType } from '../../base/vocabulary.ts'
import type { HybridAnswer } from '../../contracts/tools/search-answers.ts'
import type { GraphRow } from '../../contracts/tools/search-rows.ts'
import type { EdgeKind } from '../../index/links/edges.ts'
import type { LinkedRow } from '../../index/links/linked-documents.ts'
import { MAX_GRAPH_ROWS } from '../limits.ts'
import { firstThatFit, sizeOf } from './answer-budget.ts'
import type { HybridPlan } from '../plan/plan.ts'
import { toRow } from './commit-row.ts'
import { rowDetail, withDetail } from './row-detail.ts'

/** The name of a link that is followed against its direction. */
const INWARD: Record<EdgeKind, string> = {
  closes: 'closed_by',
  wiki_link: 'wiki_backlink',
  link: 'backlink',
  mention: 'mentioned_by',
  slug: 'slug_in',
  pull_request: 'commit',
}

/** Linked rows that are read for one answer. */
export function graphLimit({ topK }: HybridPlan): number {
  return Math.min(2 * topK, MAX_GRAPH_ROWS)
}

/** The answer with `graph_results`, if the plan asks for them: rows that are linked with results that are shown. */
export function withGraph(plan: HybridPlan, answer: HybridAnswer, linked: readonly LinkedRow[]): HybridAnswer {
  if (plan.graphHops === 0) return answer
  const shown = new Set(answer.results.map((row) => row.vector_id))
  const rows = linked.filter(({ from }) => shown.has(from)).map((row) => toGraphRow(plan, row))
  const kept = firstThatFit(rows, sizeOf({ ...answer, graph_results: [] }))
  return { ...answer, ...(kept.length < rows.length && { truncated: true }), graph_results: [...kept] }
}

function toGraphRow(plan: HybridPlan, { row, hop, from, kind, inward }: LinkedRow): GraphRow {
  // Rows of the graph come last.
  const detail = rowDetail(plan, Infinity)
  return {
    ...withDetail(toRow(row, plan.request.filters, detail.files), detail),
    graph_hop: hop,
    graph_from: from,
    graph_kind: inward ? INWARD[kind] : outwardName(kind, row.type),
  }
}

/** The subject of a commit may name an issue in the same form as its pull request; that link is a mention. */
function outwardName(kind: EdgeKind, type: DocumentType): string {
  return kind === 'pull_request' && type !== 'pull_request' ? 'mention' : kind
}
