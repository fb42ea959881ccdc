/**
 * The first round trip of a search, and a second one where the pool was all
 * about too few things: candidates from the pool and the exact lanes, ranked
 * and folded into groups of rows about one thing.
 */
import { ok } from '../base/result.ts'
import type { Result } from '../base/result.ts'
import type { Index } from '../index/database.ts'
import { laneMatches, poolMatch, POOL_ROWS } from '../index/match.ts'
import { corpusSize, frequenciesOf, laneRows, poolRows } from '../index/pool.ts'
import type { LaneRow, LaneWish, PoolRow } from '../index/pool.ts'
import { unfinishedReadings } from '../index/progress.ts'
import type { Reading } from '../index/progress.ts'
import { repositoryName } from '../index/repository-in-scope.ts'
import { known, readTogether } from '../index/sql.ts'
import { aggregate } from '../ranking/aggregate.ts'
import type { Group } from '../ranking/aggregate.ts'
import { rankCandidates } from '../ranking/rank.ts'
import type { LaneKind } from '../ranking/rank.ts'
import type { Question } from '../text/question.ts'
import type { HybridPlan } from './plan.ts'
import { parseRepository } from './repository-name.ts'

/** A document among the candidates: the chunk that stands for it, its place and its score by words. */
export interface Hit extends PoolRow {
  readonly document: number
  /** 1 for the best. */
  readonly rank: number
  readonly score: number
}

export interface Candidates {
  /** In the order of the answer; at most `topK`. */
  readonly groups: readonly Group<Hit>[]
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

export async function findCandidates(index: Index, plan: HybridPlan, question: Question): Promise<Result<Candidates>> {
  const { scope, filters } = plan.asked
  const limit = Math.max(POOL_ROWS, CANDIDATES_A_ROW * plan.topK)
  const match = poolMatch(question)
  const first = await readTogether(index, {
    frequencies: frequenciesOf(question.terms.map(({ term }) => term)),
    corpus: corpusSize(),
    pool: match === undefined ? known<readonly PoolRow[]>([]) : poolRows(scope, filters, match, limit),
    name: repositoryName(scope),
    readings: unfinishedReadings(scope),
    lanes: laneRows(scope, filters, laneWishes(question), plan.topK + SPARE_LANE_ROWS),
  })
  if (!first.ok) return first
  const { name, readings } = first.value
  const found = first.value.lanes.flat()

  let hits = rank(question, first.value, first.value.pool, found)
  let groups = toGroups(plan, hits)
  if (match !== undefined && first.value.pool.length === limit && groups.length < plan.topK) {
    const second = await readTogether(index, { pool: poolRows(scope, filters, match, limit * WIDER) })
    if (!second.ok) return second
    hits = rank(question, first.value, second.value.pool, found)
    groups = toGroups(plan, hits)
  }
  return ok({ groups: groups.slice(0, plan.topK), considered: hits.length, name, readings })
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
  return rankCandidates(question, frequencies, corpus, [...byChunk.values()], laneHits).flatMap(
    ({ document, chunk, score }, at) => {
      const row = byChunk.get(chunk)
      return row ? [{ ...row, document, score, rank: at + 1 }] : []
    },
  )
}

/** Groups in the answer's order: by rank, or the best candidates' groups by the time of the row that stands for each. */
function toGroups({ sort, topK }: HybridPlan, hits: readonly Hit[]): Group<Hit>[] {
  if (sort === 'relevance') return aggregate(hits, ({ referent }) => referent)
  const groups = aggregate(hits.slice(0, CANDIDATES_A_ROW * topK), ({ referent }) => referent)
  const timeOf = ({ first }: Group<Hit>) => (sort === 'created_desc' ? first.createdAt : first.updatedAt)
  return groups.sort((a, b) => timeOf(b) - timeOf(a) || b.first.document - a.first.document)
}
