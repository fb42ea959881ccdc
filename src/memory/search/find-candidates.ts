/**
 * Decides which terms of a question look up candidates, and among which messages.
 * The word index scores every row that a looked up term is in, so common terms of a
 * large store would make the time grow with it. The most informative terms are
 * looked up in the whole store, all of them only among its newest messages. A
 * lookup without a bound follows where filters leave too few of these.
 */
import { documentOf } from '../../fts/chunk-number.ts'
import { selectiveTerms } from '../../ranking/selective-terms.ts'
import type { QuestionTerm } from '../../text/question/question-terms.ts'
import { MAX_CANDIDATE_ROWS } from '../limits.ts'
import type { Store } from '../store/store-state.ts'
import type { CandidateLookup } from './message-candidates.ts'

/** Reads of the word index. */
interface CandidateReads {
  /** Number of messages to find. */
  readonly limit: number
  /** Chunks of at most `limit` messages, best first. */
  readonly find: (lookup: CandidateLookup) => number[]
  /** The most chunks that the filters can leave. */
  readonly countFiltered: () => number
}

/** Chunks of at most `limit` messages. */
export function findCandidates(
  terms: readonly QuestionTerm[],
  frequencies: ReadonlyMap<string, number>,
  { chunks, last_sequence }: Pick<Store, 'chunks' | 'last_sequence'>,
  { limit, find, countFiltered }: CandidateReads,
): number[] {
  const indexed = terms.filter(({ term }) => frequencies.has(term))
  if (indexed.length === 0) return []
  const rowsOf = (some: readonly QuestionTerm[], most = Infinity): number =>
    some.reduce((sum, { term }) => sum + Math.min(most, frequencies.get(term) ?? 0), 0)

  const selective = selectiveTerms(indexed, frequencies, chunks, MAX_CANDIDATE_ROWS)
  const areFew = rowsOf(selective) <= MAX_CANDIDATE_ROWS
  const first = areFew ? find({ terms: selective }) : []
  const isWhole = areFew && selective.length === indexed.length
  if (isWhole || countMessages(first) >= limit) return first

  if (rowsOf(indexed, countFiltered()) > MAX_CANDIDATE_ROWS) {
    const share = MAX_CANDIDATE_ROWS / rowsOf(indexed)
    const newest = find({ terms: indexed, after: Math.round(last_sequence * (1 - share)) })
    const found = [...new Set([...first, ...newest])]
    if (countMessages(found) >= limit) return found
  }
  return find({ terms: indexed })
}

function countMessages(chunks: readonly number[]): number {
  return new Set(chunks.map(documentOf)).size
}
