/**
 * Search with a question: candidates by words and, with an embedder, by vectors;
 * merged, reranked where a reranker is configured, then read and presented. At
 * most six subrequests, those to models included.
 */
import { ok, refuse } from '../base/result.ts'
import type { Result } from '../base/result.ts'
import type { HybridAnswer } from '../contracts/tools/search-answers.ts'
import { readResults } from '../index/documents/read-results.ts'
import type { ResultRows } from '../index/documents/read-results.ts'
import { readScope } from '../index/documents/read-scope.ts'
import type { ScopeState } from '../index/documents/read-scope.ts'
import { readLinkedDocuments } from '../index/links/linked-documents.ts'
import type { LinkedRow } from '../index/links/linked-documents.ts'
import type { IndexReader } from '../index/reader.ts'
import type { NearestChunks, VectorIndex } from '../index/vectors/vector-index.ts'
import { findByWords } from '../index/words/find.ts'
import type { WordLimits } from '../index/words/find.ts'
import type { Embedder } from '../models/embedder/embedder.ts'
import type { Reranker } from '../models/reranker/reranker.ts'
import type { Group } from '../ranking/documents/aggregate.ts'
import { isText } from '../ranking/documents/rank-documents.ts'
import { analyseQuestion } from '../text/question/question.ts'
import type { Question } from '../text/question/question.ts'
import { MIN_VECTOR_CANDIDATES, MIN_WORD_CANDIDATES } from './limits.ts'
import { commitOf, thingOf } from './group-hits.ts'
import { CANDIDATES_PER_ROW, mergeRankings } from './merge-rankings.ts'
import type { DocumentHit, MergedRankings, Rankings } from './merge-rankings.ts'
import type { HybridPlan } from './plan/plan.ts'
import { explainNothing } from './present/explain-nothing.ts'
import { toHybridAnswer } from './present/hybrid-answer.ts'
import { neededRows, toHybridRows } from './present/hybrid-rows.ts'
import { contentDocuments, CONTENT_ANSWER_CHARS, withContents } from './present/inline-content.ts'
import { graphLimit, withGraph } from './present/linked-rows.ts'
import { mostFiles } from './present/row-detail.ts'
import { rerankGroups } from './rerank-groups.ts'

interface HybridDependencies {
  readonly reader: IndexReader
  readonly vectors: VectorIndex
  readonly embedder: Embedder
  readonly reranker: Reranker
}

/** Round trips for candidates by words; fewer beside a vector search, which needs a request to the embedder. */
const WORD_TRIPS = 3
const WORD_TRIPS_BESIDE_VECTORS = 2

/** Rows of an exact reference beyond those that the answer shows. */
const SPARE_REFERENCE_ROWS = 10

/** Milliseconds that a question may wait for its vector. */
const EMBED_TIME_LIMIT_MS = 8_000

const ONLY_SYMBOLS = 'The query has only symbols and no word to search for.'
const NO_PHRASE = 'No row has the quoted phrase; rows that have words of it are shown.'

export async function searchHybrid(deps: HybridDependencies, plan: HybridPlan): Promise<Result<HybridAnswer>> {
  const { reader, embedder, reranker } = deps
  const question = analyseQuestion(plan.words)
  const { scope, ...rankings } = await findRankings(deps, plan, question)
  const merged = mergeRankings(plan, question, rankings, embedder.weight)
  if (!merged.ok) return merged
  if (!scope.ok) return scope
  const reranked = await rerankGroups(reader, reranker, plan, merged.value.groups)
  const read = await readGroups(reader, plan, reranked.groups)
  if (!read.ok) return read
  const found = {
    ...merged.value,
    warnings: [...merged.value.warnings, ...reranked.warnings, ...ofQuestion(question, merged.value)],
    scope: scope.value,
  }
  const rows = toHybridRows(plan, reranked.groups, read.value, merged.value.question)
  if (rows.length > 0) {
    const answer = toHybridAnswer(plan, found, rows, { filters_unmatched: [] }, reranker.reranks)
    const linked = withGraph(plan, answer, read.value.linked)
    return ok(plan.includeContent ? withContents(linked, read.value.documents, read.value.heads) : linked)
  }

  const why = await explainNothing(reader, plan.request, scope.value)
  if (!why.ok) return why
  const { hints, ...nothing } = why.value
  const hinted = { ...found, warnings: [...found.warnings, ...hints] }
  return ok(withGraph(plan, toHybridAnswer(plan, hinted, [], nothing, reranker.reranks), []))
}

/** Warnings about what the question asked for. */
function ofQuestion(question: Question, { groups }: MergedRankings): string[] {
  if (question.symbolsOnly) return [ONLY_SYMBOLS]
  return question.phrases.length > 0 &&
    !isText(question) &&
    groups.length > 0 &&
    !groups.some(({ first }) => first.isExact)
    ? [NO_PHRASE]
    : []
}

/** Candidates by words, by vectors or by both, and the state of the scope. Simultaneous reads share a round trip. */
async function findRankings(
  { reader, vectors, embedder }: HybridDependencies,
  plan: HybridPlan,
  question: Question,
): Promise<Rankings & { readonly scope: Result<ScopeState> }> {
  const { scope, filters } = plan.request
  const byVectors = !question.symbolsOnly && usesVectors(plan, embedder)
  const byWords = !byVectors || plan.fusion !== 'dense_only'
  const limits = wordLimits(plan, byVectors ? WORD_TRIPS_BESIDE_VECTORS : WORD_TRIPS)
  const noWords = { hits: [], question, corrected: {} }
  const [words, near, state] = await reader.together(
    async (part) => (byWords ? findByWords(part, question, scope, filters, limits) : ok(noWords)),
    async (part) => (byVectors ? findNearest(part, vectors, embedder, plan) : undefined),
    (part) => readScope(part, scope),
  )
  return { words, near, scope: state }
}

function usesVectors({ fusion }: HybridPlan, { weight }: Embedder): boolean {
  return fusion !== 'sparse_only' && (weight > 0 || fusion === 'dense_only')
}

function wordLimits({ topK, sort, group }: HybridPlan, trips: number): WordLimits {
  return {
    candidates: Math.max(MIN_WORD_CANDIDATES, CANDIDATES_PER_ROW * topK),
    references: topK + SPARE_REFERENCE_ROWS,
    entities: topK,
    thingOf: thingOf(group),
    // An order by time shows rows of the best candidates only.
    ranked: sort === 'relevance' ? Infinity : CANDIDATES_PER_ROW * topK,
    trips,
  }
}

/** One request to the embedder and two round trips. Chunks whose vector points the other way are no candidates. */
async function findNearest(
  reader: IndexReader,
  vectors: VectorIndex,
  embedder: Embedder,
  { words, topK, request: { scope, filters } }: HybridPlan,
): Promise<Result<NearestChunks>> {
  const embedded = await embedder.embed([words], EMBED_TIME_LIMIT_MS)
  if (!embedded.ok) return embedded
  const vector = embedded.value[0]
  if (vector === undefined) {
    return refuse({ code: 'UNAVAILABLE', message: 'The embedder refuses the question.', hint: 'Word it differently.' })
  }
  const limit = Math.max(MIN_VECTOR_CANDIDATES, CANDIDATES_PER_ROW * topK)
  const near = await vectors.nearest(reader, scope, filters, { vector, model: embedder.model }, limit)
  if (!near.ok) return near
  return ok({ ...near.value, rows: near.value.rows.filter(({ similarity }) => similarity > 0) })
}

/** The last round trip: the rows that the answer shows and those that are linked with them. */
async function readGroups(
  reader: IndexReader,
  plan: HybridPlan,
  groups: readonly Group<DocumentHit>[],
): Promise<Result<ResultRows & { readonly linked: readonly LinkedRow[] }>> {
  const { scope, filters } = plan.request
  const firsts = groups.map(({ first }) => first)
  const seeds = groups.map((group) => commitOf(plan, group)?.document ?? group.first.document)
  const walk = { seeds, hops: plan.graphHops, limit: graphLimit(plan), files: mostFiles(plan) }
  const [read, linked] = await reader.together(
    (part) =>
      readResults(part, scope.viewer, {
        ...neededRows(plan, groups),
        heads: { documents: plan.includeContent ? contentDocuments(firsts) : [], chars: CONTENT_ANSWER_CHARS },
      }),
    async (part) =>
      groups.length > 0 && plan.graphHops > 0 ? readLinkedDocuments(part, scope, filters, walk) : ok([]),
  )
  if (!read.ok) return read
  return linked.ok ? ok({ ...read.value, linked: linked.value }) : linked
}
