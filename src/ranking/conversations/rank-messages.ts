/**
 * Ranks messages of conversations: the candidates of the word index and the
 * messages around them, scored on their packed signals. A hit contains at least
 * one term of the question; neighbours, speakers and the kind of question only
 * change the order. Pure and deterministic.
 */
import type { SearchedField } from '../../base/vocabulary.ts'
import { termKey } from '../../fts/packed-terms.ts'
import { idf } from '../bm25.ts'
import { expansionWeights, type RankedCandidate } from './relevance-feedback.ts'
import { messageScorer, type TermWeights } from './message-score.ts'
import { around, neighbourEvidence } from './neighbour-evidence.ts'
import { CONVERSATION_WEIGHTS, type ConversationWeights } from './conversation-weights.ts'
import { lowerRepeatedSessions, toStanding, type Standing } from './session-standing.ts'
import { unpackWindows, type RankingCandidate, type MessageWindow } from './message-windows.ts'
import { findSpeakers, type Speakers } from './speakers.ts'
import { compareTies } from './tie-order.ts'

/** The parts of a question that the ranking uses. */
export interface ConversationQuestion {
  /** Distinct terms. The weight is 1 for a word, less for a term that is derived from one. */
  readonly terms: readonly { readonly term: string; readonly weight: number }[]
  /** Terms that are not searched but may be the name of a speaker. */
  readonly names: readonly string[]
  readonly asksWhen: boolean
  readonly asksHowMany: boolean
  /** The role whose message would answer. */
  readonly saidBy?: 'user' | 'assistant' | undefined
}

/** Number of all live chunks of the store, and the sum of their lengths. */
interface ChunkStatistics {
  readonly chunks: number
  readonly length: number
}

export interface RankedHit {
  readonly id: string
  /** Above 0. */
  readonly score: number
  /** Score of the message's own words by field; at least one is above 0. */
  readonly breakdown: Readonly<Record<SearchedField, number>>
  /** Position of the best matching chunk among the given chunks. */
  readonly chunk: number
}

/**
 * All wanted messages that contain any of the terms, best first; ties by
 * compareTies. `windows` are the candidates with four neighbours on each side, or
 * fewer: a missing neighbour adds nothing. `frequencies` is the number of chunks
 * that contain a term; absent means 0.
 */
export function rankConversation(
  question: ConversationQuestion,
  frequencies: ReadonlyMap<string, number>,
  statistics: ChunkStatistics,
  windows: readonly MessageWindow[],
  tuning: ConversationWeights = CONVERSATION_WEIGHTS,
): RankedHit[] {
  const candidates = unpackWindows(windows)
  const speakers = findSpeakers(candidates, wordsOf(question))
  const weights = weigh(question, frequencies, statistics, speakers, tuning)
  const averageLength = statistics.length / Math.max(1, statistics.chunks)
  const score = messageScorer(weights, averageLength, tuning.shape)
  for (const candidate of candidates) {
    candidate.own = score(candidate.chunks)
    candidate.evidence = candidate.own.score
  }
  const termWeights = Array.from(weights.values(), ({ weight }) => weight)
  const found = candidates
    .filter(({ message, own }) => message.isWanted && own.score > 0)
    .map((candidate) => {
      const fit = traitFactor(candidate, question, speakers, tuning)
      return { candidate, score: candidate.own.score * fit, factor: fit * coverage(candidate, termWeights, tuning) }
    })
  const standing = toStanding(found, tuning)
  const first = rank(found, standing, tuning)
  const expansion = expansionWeights(first, candidates, weights, tuning)
  if (expansion.size > 0) {
    const scoreExpansion = messageScorer(expansion, averageLength, tuning.shape)
    for (const candidate of candidates) candidate.evidence += scoreExpansion(candidate.chunks).score
  }
  const last = expansion.size > 0 ? rank(found, standing, tuning) : first
  return inOrder(lowerRepeatedSessions(last, standing, tuning)).map(({ candidate: { message, own }, score }) => {
    return { id: message.id, score, breakdown: own.breakdown, chunk: own.chunk }
  })
}

/** Term keys of the question's words and names. */
function wordsOf({ terms, names }: ConversationQuestion): ReadonlySet<number> {
  const words = terms.filter(({ weight }) => weight === 1).map(({ term }) => term)
  return new Set([...words, ...names].map(termKey))
}

function weigh(
  { terms }: ConversationQuestion,
  frequencies: ReadonlyMap<string, number>,
  { chunks }: ChunkStatistics,
  { keys }: Speakers,
  { nameWeight }: ConversationWeights,
): TermWeights {
  const weights = new Map<number, { at: number; weight: number }>()
  for (const { term, weight } of terms) {
    const frequency = frequencies.get(term) ?? 0
    // A term that no chunk contains cannot distinguish messages.
    if (frequency === 0) continue
    const key = termKey(term)
    const informative = weight * idf(chunks, frequency) * (keys.has(key) ? nameWeight : 1)
    weights.set(key, { at: weights.size, weight: informative })
  }
  return weights
}

/** Factor for the share of the question's term weights that the message contains, alone and with its neighbours. */
function coverage(candidate: RankingCandidate, termWeights: readonly number[], tuning: ConversationWeights): number {
  const together = new Set<number>()
  for (const { own } of around(candidate, tuning.windowReach)) for (const term of own.matched) together.add(term)
  const whole = sumOf(termWeights.keys(), termWeights)
  const ofWindow = sumOf(together, termWeights) / whole
  return (
    (1 + (tuning.coverage * sumOf(candidate.own.matched, termWeights)) / whole) * (1 + tuning.windowCoverage * ofWindow)
  )
}

function sumOf(terms: Iterable<number>, termWeights: readonly number[]): number {
  let sum = 0
  for (const term of terms) sum += termWeights[term]!
  return sum
}

/** Factor for how well the traits of the message fit the kind of question. */
function traitFactor(
  candidate: RankingCandidate,
  question: ConversationQuestion,
  speakers: Speakers,
  tuning: ConversationWeights,
): number {
  const { isQuestion, hasTime, hasNumber, role } = candidate.traits
  let factor = 1
  if (speakers.isNamed(candidate)) factor *= tuning.speaker
  if (speakers.isElsewhere(candidate)) factor *= tuning.elsewhere
  if (isQuestion) factor *= tuning.asking
  if (question.asksWhen && hasTime) factor *= tuning.time
  if (question.asksHowMany && hasNumber) factor *= tuning.number
  if (question.saidBy === role) factor *= tuning.role
  return factor
}

/** Candidates by evidence and factor, best first. */
function rank(
  found: readonly { readonly candidate: RankingCandidate; readonly factor: number }[],
  standing: Standing,
  tuning: ConversationWeights,
): RankedCandidate[] {
  const { elsewhereEvidence } = tuning
  const ranked = found.map(({ candidate, factor }) => {
    const share = elsewhereEvidence + (1 - elsewhereEvidence) * standing(candidate.message)
    return { candidate, score: (candidate.evidence + share * neighbourEvidence(candidate, tuning)) * factor }
  })
  return inOrder(ranked)
}

function inOrder(ranked: readonly RankedCandidate[]): RankedCandidate[] {
  return ranked.toSorted((a, b) => b.score - a.score || compareTies(a.candidate.message, b.candidate.message))
}
