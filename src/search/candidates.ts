/**
 * The first round trip of a search, two more where a word had to be corrected
 * or the question is long, and one more where the pool was all about too few things: candidates from the
 * pool and the exact lanes, ranked and folded into groups of rows about one thing.
 */
import { documentOf } from '../base/chunk-number.ts'
import { ok } from '../base/result.ts'
import type { Result } from '../base/result.ts'
import type { Index } from '../index/database.ts'
import { laneMatches, poolMatch, POOL_ROWS } from '../index/match.ts'
import { corpusSize, frequenciesOf, laneRows, poolRows } from '../index/pool.ts'
import type { ChunkPlace, LaneRow, LaneWish, PoolRow } from '../index/pool.ts'
import { unfinishedReadings } from '../index/progress.ts'
import type { Reading } from '../index/progress.ts'
import { repositoryName } from '../index/repository-in-scope.ts'
import { known, readTogether } from '../index/sql.ts'
import type { Query } from '../index/sql.ts'
import { aggregate } from '../ranking/aggregate.ts'
import type { Group } from '../ranking/aggregate.ts'
import { rankCandidates } from '../ranking/rank.ts'
import type { LaneKind } from '../ranking/rank.ts'
import { CHOOSING_TERMS, choosingTerms } from '../ranking/prune.ts'
import type { Question, QuestionTerm } from '../text/question.ts'
import { correctSpelling } from './correct.ts'
import type { HybridPlan } from './plan.ts'
import { parseRepository } from './repository-name.ts'

/** A document among the candidates: the chunk that stands for it, its place and its score. */
export interface Hit extends ChunkPlace, Placed {
  readonly document: number
  /** An exact lane found it. */
  readonly isExact: boolean
  /** What each side says of it that found it. */
  readonly byWords?: Placed
  readonly byMeaning?: Placed
  readonly rerankScore?: number
}

export interface Placed {
  /** 1 for the best. */
  readonly rank: number
  readonly score: number
}

export interface Candidates {
  /** All that were ranked, best first. */
  readonly hits: readonly Hit[]
  /** In the order of the answer, more than it shows. */
  readonly groups: readonly Group<Hit>[]
  /** As it was searched. */
  readonly question: Question
  /** Unknown words with the known ones that were searched too. */
  readonly corrected: Readonly<Record<string, string>>
  /** Documents that were ranked. */
  readonly considered: number
  /** The name of the repository asked for. */
  readonly name: string | undefined
  readonly readings: readonly Reading[]
}

/** Candidates from each side for one row of the answer. */
const CANDIDATES_A_ROW = 5
/** How much wider the second pool is. */
const WIDER = 4
/** A lane finds this many rows more than the answer shows. */
const SPARE_LANE_ROWS = 10

export async function findCandidates(index: Index, plan: HybridPlan, asked: Question): Promise<Result<Candidates>> {
  const { scope, filters } = plan.asked
  const limit = Math.max(POOL_ROWS, CANDIDATES_A_ROW * plan.topK)
  const isLong = asked.terms.length > CHOOSING_TERMS
  const first = await readTogether(index, {
    frequencies: frequenciesOf(asked.terms.map(({ term }) => term)),
    corpus: corpusSize(),
    // Which terms of a long question choose, their frequencies say.
    pool: isLong ? known<readonly PoolRow[]>([]) : poolOf(plan, asked.terms, limit),
    name: repositoryName(scope),
    readings: unfinishedReadings(scope),
    lanes: laneRows(scope, filters, laneWishes(asked), plan.topK + SPARE_LANE_ROWS),
  })
  if (!first.ok) return first
  const { name, readings, corpus } = first.value
  const found = first.value.lanes.flat()
  const spelt = await correctSpelling(index, scope, asked, first.value.frequencies)
  if (!spelt.ok) return spelt
  const { question, frequencies, corrected } = spelt.value

  let { pool } = first.value
  const choosing = choosingTerms(question.terms, frequencies, corpus.chunks)
  if (isLong || Object.keys(corrected).length > 0) {
    const again = await readTogether(index, { pool: poolOf(plan, choosing, limit) })
    if (!again.ok) return again
    pool = again.value.pool
  }
  let hits = rank(question, { frequencies, corpus }, pool, found)
  let groups = toGroups(plan, hits)
  if (pool.length === limit && groups.length < plan.topK) {
    const wider = await readTogether(index, { pool: poolOf(plan, choosing, limit * WIDER) })
    if (!wider.ok) return wider
    hits = rank(question, { frequencies, corpus }, wider.value.pool, found)
    groups = toGroups(plan, hits)
  }
  return ok({ hits, groups, question, corrected, considered: hits.length, name, readings })
}

function poolOf(
  { asked: { scope, filters } }: HybridPlan,
  terms: readonly QuestionTerm[],
  limit: number,
): Query<readonly PoolRow[]> {
  const match = poolMatch(terms)
  return match === undefined ? known<readonly PoolRow[]>([]) : poolRows(scope, filters, match, limit)
}

function laneWishes(question: Question): LaneWish[] {
  return laneMatches(question).map(({ repo, ...lane }) => {
    const repository = repo === undefined ? undefined : parseRepository(repo)
    return repository ? { ...lane, repository } : lane
  })
}

type Statistics = {
  readonly frequencies: ReadonlyMap<string, number>
  readonly corpus: { readonly chunks: number; readonly length: number }
}

/** One hit a document, best first. */
function rank(
  question: Question,
  { frequencies, corpus }: Statistics,
  pool: readonly PoolRow[],
  found: readonly LaneRow[],
): Hit[] {
  const byChunk = new Map<number, PoolRow>([...pool, ...found].map((row) => [row.chunk, row]))
  const laneHits = new Map<number, LaneKind[]>()
  for (const { chunk, lane } of found) laneHits.set(chunk, [...(laneHits.get(chunk) ?? []), lane])
  const exact = new Set(found.map(({ chunk }) => documentOf(chunk)))
  return rankCandidates(question, frequencies, corpus, [...byChunk.values()], laneHits).flatMap(
    ({ document, chunk, score }, at) => {
      const row = byChunk.get(chunk)
      const placed = { score, rank: at + 1 }
      return row ? [{ ...row, document, ...placed, isExact: exact.has(document), byWords: placed }] : []
    },
  )
}

/** Groups in the answer's order: by rank, or the best candidates' groups by the time of the row that stands for each. */
export function toGroups({ sort, topK }: HybridPlan, hits: readonly Hit[]): Group<Hit>[] {
  if (sort === 'relevance') return aggregate(hits, ({ referent }) => referent)
  const groups = aggregate(hits.slice(0, CANDIDATES_A_ROW * topK), ({ referent }) => referent)
  const timeOf = ({ first }: Group<Hit>) => (sort === 'created_desc' ? first.createdAt : first.updatedAt)
  return groups.sort((a, b) => timeOf(b) - timeOf(a) || b.first.document - a.first.document)
}
