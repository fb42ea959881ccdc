/**
 * Search with a question: candidates by words and, with an embedder, by meaning;
 * a model's second look, where there is one; then the rows that are shown, with
 * the passages that matched. At most six subrequests, models included.
 */
import { ok } from '../base/result.ts'
import type { Result } from '../base/result.ts'
import { toTime } from '../base/time.ts'
import type { HybridAnswer } from '../contracts/tools/search-answers.ts'
import type { HybridRow } from '../contracts/tools/search-rows.ts'
import type { Index } from '../index/sql/index-database.ts'
import { batchTogether } from '../index/sql/query-batching.ts'
import { linkedRows } from '../index/links/linked-documents.ts'
import type { LinkedRow } from '../index/links/linked-documents.ts'
import { segmentsOf } from '../index/documents/read-bodies.ts'
import type { SegmentRow } from '../index/documents/read-bodies.ts'
import { briefDocuments, documentsByNumber } from '../index/documents/read-documents.ts'
import type { BriefRow, DocumentRow } from '../index/documents/read-documents.ts'
import { known, runQueries } from '../index/sql/sql.ts'
import { d1Vectors } from '../index/vectors/d1-vectors.ts'
import type { NearestChunks } from '../index/vectors/vector-index.ts'
import type { Embedder } from '../models/embedder/embedder.ts'
import type { Reranker } from '../models/reranker/reranker.ts'
import type { Group } from '../ranking/documents/aggregate.ts'
import { analyseQuestion } from '../text/question/question.ts'
import type { Question } from '../text/question/question.ts'
import { snippetOf } from '../text/snippet.ts'
import { sizeOf, trimToFit } from './present/answer-budget.ts'
import { findCandidates, readSurroundings } from './word-search.ts'
import type { Candidates, DocumentHit } from './word-search.ts'
import { graphLimit, withGraph } from './present/linked-rows.ts'
import { contentRanges, withContents } from './present/inline-content.ts'
import { findByVector, usesVectors } from './vector-search.ts'
import { explainNothing } from './present/explain-nothing.ts'
import { passageOf } from './passage.ts'
import type { HybridPlan } from './plan/plan.ts'
import { toListRow, urlOf } from './present/present.ts'
import { rerankGroups } from './rerank-groups.ts'
import { toResolved, toWarnings } from './present/resolved-query.ts'
import { mergeRankings } from './merge-rankings.ts'
import type { MergedRankings } from './merge-rankings.ts'

/** Of a row that an exact lane found and no word: it is a hit all the same. */
const LEAST_SCORE = 0.0001

/** Other rows of one entity that a row names. */
const MAX_OTHERS = 10

/** Round trips for candidates by words; beside meaning fewer, since the question's vector is a request too. */
const WORD_TRIPS = 3
const WORD_TRIPS_BESIDE_VECTORS = 2

export interface HybridDependencies {
  readonly index: Index
  readonly embedder: Embedder
  readonly reranker: Reranker
}

export async function hybrid(deps: HybridDependencies, plan: HybridPlan): Promise<Result<HybridAnswer>> {
  const { index } = deps
  const question = analyseQuestion(plan.words)
  const [byWords, byMeaning] = await findRankings(deps, plan, question)
  const sides = mergeRankings(plan, question, byWords, byMeaning, deps.embedder.weight)
  if (!sides.ok) return sides
  const reranked = await rerankGroups(index, deps.reranker, plan, sides.value.groups)
  const found = { ...sides.value, warnings: [...sides.value.warnings, ...reranked.warnings] }
  const read = await readRows(index, plan, found.words.question, reranked.groups)
  if (!read.ok) return read
  const { rows, linked, documents, contents } = read.value
  if (rows.length > 0) {
    const answer = withGraph(plan, toAnswer(plan, found, rows, { filters_unmatched: [] }), linked)
    return ok(plan.includeContent ? withContents(answer, documents, contents) : answer)
  }

  const why = await explainNothing(index, plan.request, known(undefined))
  if (!why.ok) return why
  const warnings = question.symbolsOnly ? ['The query holds no word to look for, only symbols.'] : []
  return ok(withGraph(plan, toAnswer(plan, found, [], why.value.found, warnings), []))
}

/** Words, meaning or both. Two round trips beside meaning, three alone, but for what only fails when asked together. */
async function findRankings(
  { index, embedder }: HybridDependencies,
  plan: HybridPlan,
  question: Question,
): Promise<[Result<Candidates>, Result<NearestChunks> | undefined]> {
  if (!usesVectors(plan, embedder, !question.symbolsOnly)) {
    return [await findCandidates(index, plan, question, WORD_TRIPS), undefined]
  }
  return batchTogether(
    index,
    (one) =>
      plan.fusion === 'dense_only'
        ? readSurroundings(one, plan, question)
        : findCandidates(one, plan, question, WORD_TRIPS_BESIDE_VECTORS),
    (one) => findByVector({ embedder, vectors: d1Vectors(one) }, plan),
  )
}

interface Read {
  readonly rows: readonly HybridRow[]
  /** Rows linked with them, where the plan asks for such. */
  readonly linked: readonly LinkedRow[]
  readonly documents: readonly DocumentRow[]
  /** Bodies of rows whose text is shown. */
  readonly contents: readonly SegmentRow[]
}

/** The last round trip: the rows of the groups, whatever of them is still there and visible. */
async function readRows(
  index: Index,
  plan: HybridPlan,
  question: Question,
  groups: readonly Group<DocumentHit>[],
): Promise<Result<Read>> {
  if (groups.length === 0) return ok({ rows: [], linked: [], documents: [], contents: [] })
  const { scope, filters } = plan.request
  const { viewer } = scope
  const firsts = groups.map(({ first }) => first)
  const others = groups.flatMap((group) => group.others.slice(0, MAX_OTHERS).map(({ document }) => document))
  const read = await runQueries(index, {
    documents: documentsByNumber(
      viewer,
      firsts.map(({ document }) => document),
    ),
    others: others.length === 0 ? known<readonly BriefRow[]>([]) : briefDocuments(viewer, others),
    contents: plan.includeContent
      ? segmentsOf(contentRanges(groups.map(({ first }) => first)))
      : known<readonly SegmentRow[]>([]),
    linked:
      plan.graphHops === 0
        ? known<readonly LinkedRow[]>([])
        : linkedRows(scope, filters, {
            seeds: firsts.map(({ document }) => document),
            hops: plan.graphHops,
            limit: graphLimit(plan),
          }),
    segments: segmentsOf(firsts.map(({ document, start, chars }) => ({ document, start, end: start + chars }))),
  })
  if (!read.ok) return read
  const documents = new Map(read.value.documents.map((row) => [row.document, row]))
  const brief = new Map(read.value.others.map((row) => [row.document, row]))
  const segments = Map.groupBy(read.value.segments, ({ document }) => document)
  const floor = scoreFloors(groups)
  const rows = groups.flatMap(({ first, others }, at) => {
    const document = documents.get(first.document)
    if (!document) return []
    const passage = passageOf(segments.get(first.document) ?? [], first)
    return [
      {
        ...toRow(document, first, floor[at] ?? first.score),
        ...toSnippet(passage, first.start, question),
        ...toEntity(others, brief),
      },
    ]
  })
  return ok({ ...read.value, rows })
}

/**
 * What exact lanes put first stands first whatever its words are worth, so a
 * row's score is at least that of any row ranked behind it.
 */
function scoreFloors(groups: readonly Group<DocumentHit>[]): number[] {
  return groups.map(({ first }) =>
    groups.reduce(
      (most, { first: other }) => (other.rank > first.rank ? Math.max(most, other.score) : most),
      Math.max(first.score, LEAST_SCORE),
    ),
  )
}

function toRow(document: DocumentRow, hit: DocumentHit, score: number): HybridRow {
  return {
    ...toListRow(document),
    score: rounded(score),
    ...(hit.byVector && { dense_score: rounded(hit.byVector.score), dense_rank: hit.byVector.rank }),
    ...(hit.byWords && { sparse_score: rounded(hit.byWords.score), sparse_rank: hit.byWords.rank }),
    ...(hit.rerankScore !== undefined && { rerank_score: rounded(hit.rerankScore) }),
  }
}

function toSnippet(passage: string, start: number, question: Question): Pick<HybridRow, 'snippet' | 'snippet_offset'> {
  const { text, offset } = snippetOf(passage, start, question)
  return text === '' ? {} : { snippet: text, snippet_offset: offset }
}

function toEntity(
  others: readonly DocumentHit[],
  brief: ReadonlyMap<number, BriefRow>,
): Pick<HybridRow, 'same_entity'> {
  if (others.length === 0) return {}
  const named = others.slice(0, MAX_OTHERS).flatMap((hit) => {
    const row = brief.get(hit.document)
    if (!row) return []
    const url = urlOf(row)
    return [
      {
        vector_id: row.vectorId,
        type: row.type,
        ...(url !== undefined && { url }),
        updated_at: toTime(row.updatedAt),
        score: rounded(Math.max(hit.score, LEAST_SCORE)),
        ...(row.commitSha !== undefined && { commit_sha: row.commitSha }),
      },
    ]
  })
  return { same_entity: { count: others.length + 1, others: named } }
}

function rounded(score: number): number {
  return Math.round(score * 10_000) / 10_000
}

function toAnswer(
  plan: HybridPlan,
  sides: MergedRankings,
  rows: readonly HybridRow[],
  told: Pick<HybridAnswer, 'filters_unmatched' | 'suggestions'>,
  warnings: readonly string[] = [],
): HybridAnswer {
  const { considered, corrected, name, readings } = sides.words
  const empty: HybridAnswer = {
    count: 0,
    mode: 'search',
    fusion: plan.fusion,
    fusion_applied: sides.fusion_applied,
    ...(sides.fusion_weight !== undefined && { fusion_weight: sides.fusion_weight }),
    ...(Object.keys(corrected).length > 0 && { corrected: { ...corrected } }),
    sort: plan.sort,
    dense_candidates: sides.dense_candidates,
    sparse_candidates: considered,
    ...told,
    rerank_requested: plan.rerankRequested,
    rerank_applied: rows.some((row) => row.rerank_score !== undefined),
    ...toResolved(plan.request, name),
    ...toWarnings([...plan.request.warnings, ...sides.warnings, ...warnings], readings),
    results: [],
  }
  const { rows: results, trimmed } = trimToFit(rows, sizeOf(empty))
  return { ...empty, count: results.length, ...(trimmed && { truncated: true }), results: [...results] }
}
