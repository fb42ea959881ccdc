/**
 * Reranking: a model scores the best chunk of each candidate against the
 * question. Scored rows come first, in the model's order, after the rows of
 * exact references, which keep their places; the others follow in their order.
 * If the model fails, nothing changes but a warning.
 */
import { readPassages } from '../index/documents/read-bodies.ts'
import type { IndexReader } from '../index/reader.ts'
import type { Reranker } from '../models/reranker/reranker.ts'
import type { Group } from '../ranking/documents/aggregate.ts'
import { MIN_RERANKED } from './limits.ts'
import type { DocumentHit } from './merge-rankings.ts'
import type { HybridPlan } from './plan/plan.ts'

/** Milliseconds that an answer may wait for the model. */
const RERANK_TIME_LIMIT_MS = 8_000

interface RerankedGroups {
  readonly groups: readonly Group<DocumentHit>[]
  readonly warnings: readonly string[]
}

/**
 * The groups of the answer, at most `topK`. An order by time is not reranked. One
 * round trip and one request to the model, or neither where nothing is reranked.
 */
export async function rerankGroups(
  reader: IndexReader,
  reranker: Reranker,
  plan: HybridPlan,
  groups: readonly Group<DocumentHit>[],
): Promise<RerankedGroups> {
  const asIs = { groups: groups.slice(0, plan.topK), warnings: [] }
  if (!reranker.reranks || !plan.rerankRequested || plan.sort !== 'relevance') return asIs
  const candidates = groups
    .filter(({ first }) => !first.isExact)
    .slice(0, Math.max(plan.topK, MIN_RERANKED))
    .map(({ first }) => first)
  // A single candidate has no order.
  if (candidates.length < 2) return asIs
  const texts = await readTexts(reader, candidates)
  const withText = candidates.filter((hit) => texts.has(hit.chunk))
  if (withText.length < 2) return asIs
  const scored = await reranker.rerank(
    plan.words,
    withText.map((hit) => texts.get(hit.chunk) ?? ''),
    RERANK_TIME_LIMIT_MS,
  )
  if (!scored.ok) {
    return { ...asIs, warnings: [`${scored.failure.message} Rows are in the order in which they were found.`] }
  }
  const scores = new Map(withText.map((hit, at) => [hit.document, scored.value[at]]))
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
  // Equal scores, infinite ones among them, keep their order.
  return withScores.sort((a, b) => (scoreOf(a) === scoreOf(b) ? 0 : scoreOf(b) - scoreOf(a)))
}

/** The passages that are not empty, by chunk; empty where they could not be read. */
async function readTexts(reader: IndexReader, hits: readonly DocumentHit[]): Promise<Map<number, string>> {
  const read = await readPassages(reader, hits)
  const texts = [...(read.ok ? read.value : [])].map(([chunk, text]) => [chunk, text.trim()] as const)
  return new Map(texts.filter(([, text]) => text !== ''))
}
