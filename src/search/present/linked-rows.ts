/**
 * The graph's part of a search's answer: rows linked with the results, apart
 * from them and without scores. Results come first where room is short.
 */
import type { DocumentType } from '../../base/vocabulary.ts'
import type { HybridAnswer } from '../../contracts/tools/search-answers.ts'
import type { GraphRow } from '../../contracts/tools/search-rows.ts'
import type { EdgeKind } from '../../index/links/edges.ts'
import type { LinkedRow } from '../../index/links/linked-documents.ts'
import { firstThatFit, sizeOf } from './answer-budget.ts'
import type { HybridPlan } from '../plan/plan.ts'
import { toListRow } from './present.ts'

const MAX_GRAPH_ROWS = 30

/** What a link is called where it is followed against its direction. */
const INWARD: Record<EdgeKind, string> = {
  closes: 'closed_by',
  wiki_link: 'wiki_backlink',
  link: 'backlink',
  mention: 'mentioned_by',
  slug: 'slug_in',
  pull_request: 'commit',
}

/** Linked rows of one answer at most. */
export function graphLimit({ topK }: HybridPlan): number {
  return Math.min(2 * topK, MAX_GRAPH_ROWS)
}

/** The answer with `graph_results`, where the plan asks for them: rows linked with results that are shown. */
export function withGraph(plan: HybridPlan, answer: HybridAnswer, linked: readonly LinkedRow[]): HybridAnswer {
  if (plan.graphHops === 0) return answer
  const shown = new Set(answer.results.map((row) => row.vector_id))
  const rows = linked.filter(({ from }) => shown.has(from)).map(toGraphRow)
  const kept = firstThatFit(rows, sizeOf({ ...answer, graph_results: [] }))
  return { ...answer, ...(kept.length < rows.length && { truncated: true }), graph_results: [...kept] }
}

function toGraphRow({ row, hop, from, kind, inward }: LinkedRow): GraphRow {
  return {
    ...toListRow(row),
    graph_hop: hop,
    graph_from: from,
    graph_kind: inward ? INWARD[kind] : outwardName(kind, row.type),
  }
}

/** A commit's subject may name an issue in the same way as its pull request. */
function outwardName(kind: EdgeKind, type: DocumentType): string {
  return kind === 'pull_request' && type !== 'pull_request' ? 'mention' : kind
}
