/**
 * Reranking: the best-matching chunk of each candidate to a model that reads it
 * with the question. What it scores comes first in its order, but for what
 * exact lanes found; the rest keeps its place behind. An outage changes nothing
 * and is told.
 */
import type { Index } from '../index/sql/index-database.ts'
import { segmentsOf } from '../index/documents/read-bodies.ts'
import { runQueries } from '../index/sql/sql.ts'
import type { Reranker } from '../models/reranker/reranker.ts'
import type { Group } from '../ranking/documents/aggregate.ts'
import type { DocumentHit } from './word-search.ts'
import { passageOf } from './passage.ts'
import type { HybridPlan } from './plan/plan.ts'

/** Candidates that a model reads, beyond what the answer shows. */
const LEAST_CANDIDATES = 30

/** What an answer may wait for the model. */
const TIME_LIMIT_MS = 8_000

export interface Reranked {
  readonly groups: readonly Group<DocumentHit>[]
  readonly warnings: readonly string[]
}

/** The groups of the answer, at most `topK`. An order by time stays one, so then nothing is asked. */
export async function rerankGroups(
  index: Index,
  reranker: Reranker,
  plan: HybridPlan,
  groups: readonly Group<DocumentHit>[],
): Promise<Reranked> {
  const asIs = { groups: groups.slice(0, plan.topK), warnings: [] }
  if (!reranker.reranks || !plan.rerankRequested || plan.sort !== 'relevance') return asIs
  const candidates = groups
    .filter(({ first }) => !first.isExact)
    .slice(0, Math.max(plan.topK, LEAST_CANDIDATES))
    .map(({ first }) => first)
  // One candidate has nobody to be ordered against.
  if (candidates.length < 2) return asIs
  const texts = await readTexts(index, candidates)
  const asked = candidates.filter((hit) => texts.has(hit.document))
  if (asked.length < 2) return asIs
  const scored = await reranker.rerank(
    plan.words,
    asked.map((hit) => texts.get(hit.document) ?? ''),
    TIME_LIMIT_MS,
  )
  if (!scored.ok) {
    return { ...asIs, warnings: [`${scored.failure.message} Rows stand in the order they were found.`] }
  }
  const scores = new Map(asked.map((hit, at) => [hit.document, scored.value[at]]))
  return { groups: inOrder(groups, scores).slice(0, plan.topK), warnings: [] }
}

function inOrder(
  groups: readonly Group<DocumentHit>[],
  scores: ReadonlyMap<number, number | undefined>,
): Group<DocumentHit>[] {
  const withScores = groups.map((group) => {
    const rerankScore = scores.get(group.first.document)
    return rerankScore === undefined ? group : { ...group, first: { ...group.first, rerankScore } }
  })
  const scoreOf = ({ first }: Group<DocumentHit>) => (first.isExact ? Infinity : (first.rerankScore ?? -Infinity))
  // Equal ones, infinities among them, keep their order.
  return withScores.sort((a, b) => (scoreOf(a) === scoreOf(b) ? 0 : scoreOf(b) - scoreOf(a)))
}

/** The passages that are not empty, by document; none where they could not be read. */
async function readTexts(index: Index, hits: readonly DocumentHit[]): Promise<Map<number, string>> {
  const stretches = hits.map(({ document, start, chars }) => ({ document, start, end: start + chars }))
  const read = await runQueries(index, { segments: segmentsOf(stretches) })
  const segments = Map.groupBy(read.ok ? read.value.segments : [], ({ document }) => document)
  const texts = hits.map((hit) => [hit.document, passageOf(segments.get(hit.document) ?? [], hit).trim()] as const)
  return new Map(texts.filter(([, text]) => text !== ''))
}
