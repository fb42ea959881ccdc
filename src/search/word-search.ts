/**
 * What words find: candidates from the pool and the exact references, ranked and
 * folded into groups of rows about one thing.
 */
import { documentOf } from '../fts/chunk-number.ts'
import { ok } from '../base/result.ts'
import type { Result } from '../base/result.ts'
import type { Index } from '../index/sql/index-database.ts'
import { referenceMatches, termsMatch, MIN_CANDIDATES } from '../index/words/match.ts'
import { corpusSize, frequenciesOf, referenceRows, candidateRows } from '../index/words/candidates.ts'
import type {
  ChunkPlace,
  ReferenceRow,
  ReferenceLookup,
  CandidateRow,
  CandidateQuery,
} from '../index/words/candidates.ts'
import { unfinishedReadings } from '../index/documents/reading-progress.ts'
import type { ReadingProgress } from '../index/documents/reading-progress.ts'
import { repositoryName } from '../index/documents/repository-in-scope.ts'
import { mostFrequentOf, orMostFrequentOf } from '../index/words/known-terms.ts'
import { known, runQueries } from '../index/sql/sql.ts'
import type { Query } from '../index/sql/sql.ts'
import { aggregate } from '../ranking/documents/aggregate.ts'
import type { Group } from '../ranking/documents/aggregate.ts'
import { rankCandidates } from '../ranking/documents/rank-documents.ts'
import type { ReferenceKind } from '../ranking/documents/rank-documents.ts'
import { SELECTIVE_TERMS, selectiveTerms } from '../ranking/selective-terms.ts'
import type { QuestionTerm } from '../text/question/question-terms.ts'
import type { Question } from '../text/question/question.ts'
import { correctable, slipsOf, withCorrections } from './correct-spelling.ts'
import type { Corrected } from './correct-spelling.ts'
import type { HybridPlan } from './plan/plan.ts'
import { parseRepository } from './plan/repository-reference.ts'

/** A document among the candidates: the chunk that stands for it, its place and its score. */
export interface DocumentHit extends ChunkPlace, Placed {
  readonly document: number
  /** An exact lane found it. */
  readonly isExact: boolean
  /** What each side says of it that found it. */
  readonly byWords?: Placed
  readonly byVector?: Placed
  readonly rerankScore?: number
}

export interface Placed {
  /** 1 for the best. */
  readonly rank: number
  readonly score: number
}

export interface Candidates {
  /** All that were ranked, best first. */
  readonly hits: readonly DocumentHit[]
  /** In the order of the answer, more than it shows. */
  readonly groups: readonly Group<DocumentHit>[]
  /** As it was searched. */
  readonly question: Question
  /** Unknown words with the known ones that were searched too. */
  readonly corrected: Readonly<Record<string, string>>
  /** Documents that were ranked. */
  readonly considered: number
  /** The name of the repository asked for. */
  readonly name: string | undefined
  readonly readings: readonly ReadingProgress[]
}

/** Of a search that does without words, or to which the word index does not answer. */
export const NO_CANDIDATES: Omit<Candidates, 'question'> = {
  hits: [],
  groups: [],
  corrected: {},
  considered: 0,
  name: undefined,
  readings: [],
}

/** Candidates from each side for one row of the answer. */
const CANDIDATES_A_ROW = 5
/** How much wider the second pool is. */
const WIDER = 4
/** A lane finds this many rows more than the answer shows. */
const SPARE_REFERENCE_ROWS = 10

/**
 * In one round trip; in two where a word is unknown or the question long. One
 * more, where the pool is all about too few things, within `maxTrips`.
 */
export async function findCandidates(
  index: Index,
  plan: HybridPlan,
  asked: Question,
  maxTrips: number,
): Promise<Result<Candidates>> {
  const { scope } = plan.request
  const limit = Math.max(MIN_CANDIDATES, CANDIDATES_A_ROW * plan.topK)
  const isLong = asked.terms.length > SELECTIVE_TERMS
  const first = await runQueries(index, {
    frequencies: frequenciesOf(asked.terms.map(({ term }) => term)),
    corpus: corpusSize(),
    // Which terms of a long question choose, their frequencies say; and what unknown words may be, nobody knows yet.
    pool: isLong ? NO_ROWS : candidateQuery(plan, asked.terms, { limit, onlyWith: correctable(asked) }),
    references: referenceRows(scope, plan.request.filters, referenceLookups(asked), plan.topK + SPARE_REFERENCE_ROWS),
    ...surroundings(plan),
  })
  if (!first.ok) return first
  const { name, readings, corpus, references } = first.value
  let { pool } = first.value
  let trips = 1

  const slips = slipsOf(asked, first.value.frequencies)
  let spelt: Corrected = { question: asked, frequencies: first.value.frequencies, corrected: {} }
  const choosing = (): QuestionTerm[] => selectiveTerms(spelt.question.terms, spelt.frequencies, corpus.chunks)
  if (isLong || slips.length > 0) {
    const arms = slips.map(({ neighbours }) => orMostFrequentOf(scope, [...neighbours.keys()]))
    // Where nothing is known the arms need something to stand beside.
    const terms = choosing().length > 0 ? choosing() : asked.terms.slice(0, SELECTIVE_TERMS)
    const again = await runQueries(index, {
      chosen: slips.map(({ neighbours }) => mostFrequentOf(scope, [...neighbours.keys()])),
      pool: candidateQuery(plan, terms, { limit, arms }),
    })
    if (!again.ok) return again
    spelt = withCorrections(asked, spelt.frequencies, slips, again.value.chosen)
    pool = again.value.pool
    trips += 1
  }
  const { question, frequencies, corrected } = spelt
  const found = references.flat()
  let hits = rank(question, { frequencies, corpus }, pool, found)
  let groups = toGroups(plan, hits)
  if (pool.length === limit && groups.length < plan.topK && trips < maxTrips) {
    const wider = await runQueries(index, { pool: candidateQuery(plan, choosing(), { limit: limit * WIDER }) })
    if (!wider.ok) return wider
    hits = rank(question, { frequencies, corpus }, wider.value.pool, found)
    groups = toGroups(plan, hits)
  }
  return ok({ hits, groups, question, corrected, considered: hits.length, name, readings })
}

/** What an answer says beside its rows, where words are not searched. */
export async function readSurroundings(
  index: Index,
  plan: HybridPlan,
  question: Question,
): Promise<Result<Candidates>> {
  const read = await runQueries(index, surroundings(plan))
  return read.ok ? ok({ ...NO_CANDIDATES, question, ...read.value }) : read
}

function surroundings({ request: { scope } }: HybridPlan) {
  return { name: repositoryName(scope), readings: unfinishedReadings(scope) }
}

const NO_ROWS = known<readonly CandidateRow[]>([])

function candidateQuery(
  { request: { scope, filters } }: HybridPlan,
  terms: readonly QuestionTerm[],
  wish: Omit<CandidateQuery, 'match'>,
): Query<readonly CandidateRow[]> {
  const match = termsMatch(terms)
  return match === undefined ? NO_ROWS : candidateRows(scope, filters, { ...wish, match })
}

function referenceLookups(question: Question): ReferenceLookup[] {
  return referenceMatches(question).map(({ repo, ...reference }) => {
    const repository = repo === undefined ? undefined : parseRepository(repo)
    return repository ? { ...reference, repository } : reference
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
  pool: readonly CandidateRow[],
  found: readonly ReferenceRow[],
): DocumentHit[] {
  const byChunk = new Map<number, CandidateRow>([...pool, ...found].map((row) => [row.chunk, row]))
  const referenceHits = new Map<number, ReferenceKind[]>()
  for (const { chunk, reference } of found) referenceHits.set(chunk, [...(referenceHits.get(chunk) ?? []), reference])
  const exact = new Set(found.map(({ chunk }) => documentOf(chunk)))
  return rankCandidates(question, frequencies, corpus, [...byChunk.values()], referenceHits).flatMap(
    ({ document, chunk, score }, at) => {
      const row = byChunk.get(chunk)
      const placed = { score, rank: at + 1 }
      return row ? [{ ...row, document, ...placed, isExact: exact.has(document), byWords: placed }] : []
    },
  )
}

/** Groups in the answer's order: by rank, or the best candidates' groups by the time of the row that stands for each. */
export function toGroups({ sort, topK }: HybridPlan, hits: readonly DocumentHit[]): Group<DocumentHit>[] {
  if (sort === 'relevance') return aggregate(hits, ({ entity }) => entity)
  const groups = aggregate(hits.slice(0, CANDIDATES_A_ROW * topK), ({ entity }) => entity)
  const timeOf = ({ first }: Group<DocumentHit>) => (sort === 'created_desc' ? first.createdAt : first.updatedAt)
  return groups.sort((a, b) => timeOf(b) - timeOf(a) || b.first.document - a.first.document)
}
