/**
 * Finds the documents that match a question by words: candidate chunks and
 * exact references, read in one to three round trips, scored by src/ranking/
 * and reduced to the best chunk of each document. Spelling is corrected on the
 * way. Grouping, fusion with other rankings and presentation are not done here.
 */
import { ok } from '../../base/result.ts'
import type { Result } from '../../base/result.ts'
import { rankCandidates } from '../../ranking/documents/rank-documents.ts'
import type { CorpusStatistics, ReferenceKind } from '../../ranking/documents/rank-documents.ts'
import { SELECTIVE_TERMS, selectiveTerms } from '../../ranking/selective-terms.ts'
import type { QuestionTerm } from '../../text/question/question-terms.ts'
import type { Question } from '../../text/question/question.ts'
import type { Filters } from '../filters/filters.ts'
import { parseRepository } from '../filters/repository-reference.ts'
import type { Scope } from '../filters/visibility.ts'
import type { IndexReader } from '../reader.ts'
import { knownValue, runQueries, runQuery } from '../sql/sql.ts'
import type { Query } from '../sql/sql.ts'
import { candidateRows, corpusSize, frequenciesOf, referenceRows } from './candidates.ts'
import type { CandidateQuery, CandidateRow, ChunkPlace, ReferenceLookup, ReferenceRow } from './candidates.ts'
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
  const { candidates, searched, corpus, references, trips } = first.value
  const toHits = (rows: readonly CandidateRow[]) => rank(searched, corpus, rows, references)
  const { corrected } = searched
  const hits = toHits(candidates)
  const isFull = candidates.length === limits.candidates
  if (!isFull || trips >= limits.trips || countEntities(hits, limits) >= limits.entities) {
    return ok({ hits, question: searched.question, corrected })
  }
  const terms = selectiveTerms(searched.question.terms, searched.frequencies, corpus.chunks)
  const wider = await runQuery(reader, candidateQuery(context, terms, { limit: limits.candidates * WIDER }))
  return wider.ok ? ok({ hits: toHits(wider.value), question: searched.question, corrected }) : wider
}

interface FindContext {
  readonly reader: IndexReader
  readonly scope: Scope
  readonly filters: Filters
}

interface FirstRead {
  readonly candidates: readonly CandidateRow[]
  readonly references: readonly ReferenceRow[]
  readonly searched: CorrectedQuestion
  readonly corpus: CorpusStatistics
  readonly trips: 1 | 2
}

/**
 * Statistics, references and candidates in one round trip. The second one reads
 * the candidates of a long question, whose selective terms the statistics name,
 * or of one with unknown words.
 */
async function readFirst(context: FindContext, question: Question, limits: WordLimits): Promise<Result<FirstRead>> {
  const { reader, scope, filters } = context
  const limit = limits.candidates
  const isLong = question.terms.length > SELECTIVE_TERMS
  const correctable = correctableTerms(question)
  const read = await runQueries(reader, {
    frequencies: frequenciesOf(question.terms.map(({ term }) => term)),
    corpus: corpusSize(),
    known: termsInScope(scope, correctable),
    candidates: isLong
      ? NO_CANDIDATES
      : candidateQuery(context, question.terms, { limit: limitIfAllInScope(scope, correctable, limit) }),
    references: referenceRows(scope, filters, referenceLookups(question), limits.references),
  })
  if (!read.ok) return read
  const { frequencies, corpus, known, candidates } = read.value
  const references = read.value.references.flat()
  const unknown = unknownWords(question, known)
  if (!isLong && unknown.length === 0) {
    return ok({ candidates, references, searched: { question, frequencies, corrected: {} }, corpus, trips: 1 })
  }
  const selective = selectiveTerms(question.terms, frequencies, corpus.chunks)
  // A MATCH expression cannot begin with an arm, so without a known term it begins with unknown ones.
  const terms = selective.length > 0 ? selective : question.terms.slice(0, SELECTIVE_TERMS)
  const second = await runQueries(reader, {
    chosen: unknown.map((word) => correctionOf(scope, word)),
    forms: unknown.map((word) => neighboursInScope(scope, word)),
    candidates: candidateQuery(context, terms, { limit, arms: unknown.map((word) => correctionArm(scope, word)) }),
  })
  if (!second.ok) return second
  const searched = withCorrections(question, frequencies, unknown, second.value.chosen, second.value.forms)
  return ok({ candidates: second.value.candidates, references, searched, corpus, trips: 2 })
}

const NO_CANDIDATES = knownValue<readonly CandidateRow[]>([])

function candidateQuery(
  { scope, filters }: FindContext,
  terms: readonly QuestionTerm[],
  query: Omit<CandidateQuery, 'match'>,
): Query<readonly CandidateRow[]> {
  const match = termsMatch(terms)
  return match === undefined ? NO_CANDIDATES : candidateRows(scope, filters, { ...query, match })
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
