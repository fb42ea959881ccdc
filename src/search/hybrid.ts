/**
 * Search by words: candidates, then the rows that are shown, with the passages
 * that matched. At most three round trips.
 */
import { ok } from '../base/result.ts'
import type { Result } from '../base/result.ts'
import { toTime } from '../base/time.ts'
import type { HybridAnswer } from '../contracts/tools/search-answers.ts'
import type { HybridRow } from '../contracts/tools/search-rows.ts'
import type { Index } from '../index/database.ts'
import { segmentsOf } from '../index/read-bodies.ts'
import type { SegmentRow } from '../index/read-bodies.ts'
import { briefDocuments, documentsByNumber } from '../index/read-documents.ts'
import type { BriefRow, DocumentRow } from '../index/read-documents.ts'
import { known, readTogether } from '../index/sql.ts'
import type { Group } from '../ranking/aggregate.ts'
import { analyseQuestion } from '../text/question.ts'
import type { Question } from '../text/question.ts'
import { snippetOf } from '../text/snippet.ts'
import { trimToFit } from './budget.ts'
import { findCandidates } from './candidates.ts'
import type { Candidates, Hit } from './candidates.ts'
import { explainNothing } from './nothing-found.ts'
import type { HybridPlan } from './plan.ts'
import { toListRow } from './present.ts'
import { toResolved, toWarnings } from './resolved.ts'
import { urlOf } from './urls.ts'

/** Other rows of one entity that a row names. */
const MAX_OTHERS = 10

export async function hybrid(index: Index, plan: HybridPlan): Promise<Result<HybridAnswer>> {
  const question = analyseQuestion(plan.words)
  const candidates = await findCandidates(index, plan, question)
  if (!candidates.ok) return candidates
  const rows = await readRows(index, plan, question, candidates.value.groups)
  if (!rows.ok) return rows
  if (rows.value.length > 0) return ok(toAnswer(plan, candidates.value, rows.value, { filters_unmatched: [] }))

  const why = await explainNothing(index, plan.asked, known(undefined))
  if (!why.ok) return why
  const warnings = question.symbolsOnly ? ['The query holds no word to look for, only symbols.'] : []
  return ok(toAnswer(plan, candidates.value, [], why.value.found, warnings))
}

/** The second round trip: the rows of the groups, whatever of them is still there and visible. */
async function readRows(
  index: Index,
  plan: HybridPlan,
  question: Question,
  groups: readonly Group<Hit>[],
): Promise<Result<HybridRow[]>> {
  if (groups.length === 0) return ok([])
  const { viewer } = plan.asked.scope
  const firsts = groups.map(({ first }) => first)
  const others = groups.flatMap((group) => group.others.slice(0, MAX_OTHERS).map(({ document }) => document))
  const read = await readTogether(index, {
    documents: documentsByNumber(
      viewer,
      firsts.map(({ document }) => document),
    ),
    others: others.length === 0 ? known<readonly BriefRow[]>([]) : briefDocuments(viewer, others),
    segments: segmentsOf(firsts.map(({ document, start, chars }) => ({ document, start, end: start + chars }))),
  })
  if (!read.ok) return read
  const documents = new Map(read.value.documents.map((row) => [row.document, row]))
  const brief = new Map(read.value.others.map((row) => [row.document, row]))
  const segments = Map.groupBy(read.value.segments, ({ document }) => document)
  const floor = scoreFloors(groups)
  return ok(
    groups.flatMap(({ first, others }, at) => {
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
    }),
  )
}

/**
 * What exact lanes put first stands first whatever its words are worth, so a
 * row's score is at least that of any row ranked behind it.
 */
function scoreFloors(groups: readonly Group<Hit>[]): number[] {
  return groups.map(({ first }) =>
    groups.reduce(
      (most, { first: other }) => (other.rank > first.rank ? Math.max(most, other.score) : most),
      first.score,
    ),
  )
}

function toRow(document: DocumentRow, hit: Hit, score: number): HybridRow {
  return {
    ...toListRow(document),
    score: rounded(score),
    sparse_score: rounded(hit.score),
    sparse_rank: hit.rank,
  }
}

function toSnippet(passage: string, start: number, question: Question): Pick<HybridRow, 'snippet' | 'snippet_offset'> {
  const { text, offset } = snippetOf(passage, start, question)
  return text === '' ? {} : { snippet: text, snippet_offset: offset }
}

/** The chunk's text, put together from the segments it lies in. */
function passageOf(segments: readonly SegmentRow[], { start, chars }: Hit): string {
  return segments
    .map((segment) =>
      segment.text.slice(Math.max(0, start - segment.start), Math.max(0, start + chars - segment.start)),
    )
    .join('')
}

function toEntity(others: readonly Hit[], brief: ReadonlyMap<number, BriefRow>): Pick<HybridRow, 'same_entity'> {
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
        score: rounded(hit.score),
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
  { considered, name, readings }: Candidates,
  rows: readonly HybridRow[],
  told: Pick<HybridAnswer, 'filters_unmatched' | 'suggestions'>,
  warnings: readonly string[] = [],
): HybridAnswer {
  const empty: HybridAnswer = {
    count: 0,
    mode: 'search',
    fusion: plan.fusion,
    fusion_applied: 'words',
    sort: plan.sort,
    dense_candidates: 0,
    sparse_candidates: considered,
    ...told,
    rerank_requested: plan.rerankRequested,
    rerank_applied: false,
    ...toResolved(plan.asked, name),
    ...toWarnings([...plan.asked.warnings, ...warnings], readings),
    results: [],
  }
  const { rows: results, trimmed } = trimToFit(rows, JSON.stringify(empty).length)
  return { ...empty, count: results.length, ...(trimmed && { truncated: true }), results: [...results] }
}
