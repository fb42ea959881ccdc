/**
 * Finds the documents that match a question by words: candidate chunks and
 * exact references, read in one to three round trips, scored by src/ranking/
 * and reduced to the best chunk of each document. Spelling is corrected on the
 * way. Grouping, fusion with other rankings and presentation are not done here.
 */
import { ok } from '../../base/result.ts'
import type { Result } from '../../base/result.ts'
import type { CorpusStatistics } from '../../ranking/documents/chunk-score.ts'
import { rankCandidates } from '../../ranking/documents/rank-documents.ts'
import type { ReferenceKind } from '../../ranking/documents/reference-effects.ts'
import { SELECTIVE_TERMS } from '../../ranking/selective-terms.ts'
import type { Question } from '../../text/question/question.ts'
import { filterTail } from '../filters/filters.ts'
import type { Filters } from '../filters/filters.ts'
import { parseRepository } from '../filters/repository-reference.ts'
import type { Scope } from '../filters/visibility.ts'
import type { IndexReader } from '../reader.ts'
import { knownValue, runQueries } from '../sql/sql.ts'
import type { Query } from '../sql/sql.ts'
import { candidateRows, referenceRows } from './candidates.ts'
import type { CandidateQuery, CandidateRow, ChunkPlace, ReferenceLookup, ReferenceRow } from './candidates.ts'
import { chooseTerms, type ChosenTerms, type TermChoice } from './choose-terms.ts'
import {
  correctableTerms,
  correctionArm,
  correctionOf,
  limitIfAllInScope,
  neighboursInScope,
  termsInScope,
  unknownWords,
  withCorrections,
} from './correct-spelling.ts'
import type { CorrectedQuestion } from './correct-spelling.ts'
import { referenceMatches, termsMatch } from './match.ts'
import { corpusSize, frequenciesOf, limitIfFewRows } from './term-counts.ts'

export interface WordLimits {
  /** Chunks of the first set of candidates; a wider set is four times as large. */
  readonly candidates: number
  /** Rows of each exact reference. */
  readonly references: number
  /**
   * A wider set is read where the first `ranked` documents are about fewer than
   * `entities` things, by `thingOf`, and the index has more candidates.
   */
  readonly entities: number
  readonly ranked: number
  readonly thingOf: (place: ChunkPlace) => string
  /** Round trips: a corrected or long question needs two, a wider set one more. */
  readonly trips: number
}

/** A document that matches by words, with its best chunk. */
export interface WordHit extends ChunkPlace {
  readonly document: number
  /** 1 for the best. */
  readonly rank: number
  /** Of the words alone. A document that an exact reference names comes first, however low its score is. */
  readonly score: number
  readonly isExact: boolean
  /** Further passages that match nearly as well, best first. */
  readonly passages: readonly ChunkPlace[]
}

export interface WordCandidates {
  /** Best first. */
  readonly hits: readonly WordHit[]
  /** The question as it was searched, corrections included. */
  readonly question: Question
  /** Word as typed -> the known word that was searched too. */
  readonly corrected: Readonly<Record<string, string>>
}

/** How much larger the wider set of candidates is. */
const WIDER = 4

/** UNAVAILABLE where a read fails. */
export async function findByWords(
  reader: IndexReader,
  question: Question,
  scope: Scope,
  filters: Filters,
  limits: WordLimits,
): Promise<Result<WordCandidates>> {
  const context = { reader, scope, filters }
  const first = await readFirst(context, question, limits)
  if (!first.ok) return first
  const { candidates, isFull, searched, corpus, references, trips } = first.value
  const toHits = (rows: readonly CandidateRow[]) => rank(searched, corpus, rows, references)
  const { corrected } = searched
  const hits = toHits(candidates)
  const found = ok({ hits, question: searched.question, corrected })
  const again = chooseAgain(first.value, limits, isFull && countEntities(hits, limits) < limits.entities)
  if (again === undefined || trips >= limits.trips) return found
  const wider = await runQueries(reader, {
    rows: again.reads.map((choice) => candidateQuery(context, choice, { limit: limits.candidates * again.times })),
  })
  return wider.ok ? ok({ hits: toHits(wider.value.rows.flat()), question: searched.question, corrected }) : wider
}

/**
 * Chooses a further read: more rows of the same terms where the first are about too
 * few things, or all terms where too few rows are left of those that a bound admitted.
 */
function chooseAgain(
  { searched, corpus, isFull, isBounded }: FirstRead,
  limits: WordLimits,
  isNarrow: boolean,
): (Pick<ChosenTerms, 'reads'> & { readonly times: number }) | undefined {
  const { question, frequencies } = searched
  const choose = (mostRows?: number) =>
    chooseTerms(question.terms, frequencies, corpus.chunks, limits.candidates * WIDER, mostRows)
  if (isBounded && !isFull) return { ...choose(Infinity), times: 1 }
  return isNarrow ? { ...choose(isBounded ? undefined : Infinity), times: WIDER } : undefined
}

interface FindContext {
  readonly reader: IndexReader
  readonly scope: Scope
  readonly filters: Filters
}

interface FirstRead {
  readonly candidates: readonly CandidateRow[]
  /** The index has more candidates than were read. */
  readonly isFull: boolean
  /** Rows that match may have been omitted, because the terms are in too many. */
  readonly isBounded: boolean
  readonly references: readonly ReferenceRow[]
  readonly searched: CorrectedQuestion
  readonly corpus: CorpusStatistics
  readonly trips: 1 | 2
}

/** True where a third round trip can read what a bound omitted, or no filter can leave less than the bound admits. */
function mayBound({ scope, filters }: FindContext, { trips }: WordLimits): boolean {
  const { viewer, repository, owner, except } = scope
  const isWhole = viewer.privateRepositories === 'all' && !repository && owner === undefined && !except
  return trips > 2 || (isWhole && filters.release === undefined && filterTail(filters) === '')
}

/**
 * Statistics, references and candidates in one round trip. The second one reads
 * the candidates of a question that is long or whose terms are in very many rows,
 * since the statistics name its selective terms, or of one with unknown words.
 */
async function readFirst(context: FindContext, question: Question, limits: WordLimits): Promise<Result<FirstRead>> {
  const { reader, scope, filters } = context
  const limit = limits.candidates
  const isLong = question.terms.length > SELECTIVE_TERMS
  const isBound = mayBound(context, limits)
  const correctable = correctableTerms(question)
  const terms = question.terms.map(({ term }) => term)
  const ifInScope = limitIfAllInScope(scope, correctable, limit)
  const read = await runQueries(reader, {
    frequencies: frequenciesOf(terms),
    corpus: corpusSize(),
    known: termsInScope(scope, correctable),
    candidates: isLong
      ? NO_CANDIDATES
      : candidateQuery(context, question, { limit: isBound ? limitIfFewRows(terms, ifInScope) : ifInScope }),
    references: referenceRows(scope, filters, referenceLookups(question), limits.references),
  })
  if (!read.ok) return read
  const { frequencies, corpus, known, candidates } = read.value
  const references = read.value.references.flat()
  const unknown = unknownWords(question, known)
  const chosen = chooseTerms(question.terms, frequencies, corpus.chunks, limit, isBound ? undefined : Infinity)
  if (!isLong && unknown.length === 0 && !chosen.isBounded) {
    const searched = { question, frequencies, corrected: {} }
    const isFull = candidates.length === limit
    return ok({ candidates, isFull, isBounded: false, references, searched, corpus, trips: 1 })
  }
  const [best, ...others] = chosen.reads
  // A MATCH expression cannot begin with an arm, so without a known term it begins with unknown ones.
  const first = best?.terms.length ? best : { terms: question.terms.slice(0, SELECTIVE_TERMS) }
  const second = await runQueries(reader, {
    chosen: unknown.map((word) => correctionOf(scope, word)),
    forms: unknown.map((word) => neighboursInScope(scope, word)),
    candidates: [
      candidateQuery(context, first, { limit, arms: unknown.map((word) => correctionArm(scope, word)) }),
      ...others.map((choice) => candidateQuery(context, choice, { limit })),
    ],
  })
  if (!second.ok) return second
  const searched = withCorrections(question, frequencies, unknown, second.value.chosen, second.value.forms)
  const rows = second.value.candidates
  const isFull = rows.some(({ length }) => length === limit)
  return ok({ candidates: rows.flat(), isFull, isBounded: chosen.isBounded, references, searched, corpus, trips: 2 })
}

const NO_CANDIDATES = knownValue<readonly CandidateRow[]>([])

function candidateQuery(
  { scope, filters }: FindContext,
  { terms, inTitles, newest }: TermChoice,
  query: Pick<CandidateQuery, 'limit' | 'arms'>,
): Query<readonly CandidateRow[]> {
  const match = termsMatch(terms, inTitles)
  const share = newest === undefined ? {} : { newest }
  return match === undefined ? NO_CANDIDATES : candidateRows(scope, filters, { ...query, ...share, match })
}

function referenceLookups(question: Question): ReferenceLookup[] {
  return referenceMatches(question).map(({ repo, ...reference }) => {
    const repository = repo === undefined ? undefined : parseRepository(repo)
    return repository ? { ...reference, repository } : reference
  })
}

/** One hit for each document, best first. */
function rank(
  { question, frequencies }: CorrectedQuestion,
  corpus: CorpusStatistics,
  candidates: readonly CandidateRow[],
  references: readonly ReferenceRow[],
): WordHit[] {
  const byChunk = new Map<number, CandidateRow>([...candidates, ...references].map((row) => [row.chunk, row]))
  const kinds = new Map<number, ReferenceKind[]>()
  for (const { chunk, reference } of references) kinds.set(chunk, [...(kinds.get(chunk) ?? []), reference])
  return rankCandidates(question, frequencies, corpus, [...byChunk.values()], kinds).flatMap(
    ({ document, chunk, score, isExact, otherChunks }, at) => {
      const row = byChunk.get(chunk)
      const passages = otherChunks.flatMap((other) => byChunk.get(other) ?? [])
      return row ? [{ ...row, document, score, rank: at + 1, isExact, passages }] : []
    },
  )
}

function countEntities(hits: readonly WordHit[], { ranked, thingOf }: WordLimits): number {
  return new Set(hits.slice(0, ranked).map(thingOf)).size
}
