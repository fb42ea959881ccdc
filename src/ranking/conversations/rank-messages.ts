/**
 * The second stage of a search in conversations: messages around those the
 * word index found, scored on their signals with our own statistics. What is
 * found must hold something of the question itself; neighbours, speakers and
 * the kind of question only move it. Pure and deterministic.
 */
import { termKey } from '../../fts/packed-terms.ts'
import { idf } from '../bm25.ts'
import { expansionWeights, type RankedCandidate } from './relevance-feedback.ts'
import { messageScorer, type TermWeights } from './message-score.ts'
import type { Field } from './message-signals.ts'
import { around, neighbourEvidence } from './neighbour-evidence.ts'
import { CONVERSATION_WEIGHTS, type ConversationWeights } from './conversation-weights.ts'
import { unpackWindows, type RankingCandidate, type MessageWindow } from './message-windows.ts'
import { findSpeakers, type Speakers } from './speakers.ts'

/** What ranking needs of a question. */
export interface ConversationQuestion {
  /** Distinct terms; the weight is 1 for a word, less for what only stands for one. */
  readonly terms: readonly { readonly term: string; readonly weight: number }[]
  /** Terms that can only be names: not searched, but a speaker may be called so. */
  readonly names: readonly string[]
  readonly asksWhen: boolean
  readonly asksHowMany: boolean
  /** Whose message would answer. */
  readonly saidBy?: 'user' | 'assistant' | undefined
}

/** All live chunks of the store: how many, and the sum of their lengths. */
export interface ChunkStatistics {
  readonly chunks: number
  readonly length: number
}

export interface RankedHit {
  readonly id: string
  /** Above 0. */
  readonly score: number
  /** What the message's own words score, by field. At least one is above 0. */
  readonly breakdown: Readonly<Record<Field, number>>
  /** Which of the given chunks matches best, by its place. */
  readonly chunk: number
}

/**
 * All wanted messages that hold any of the terms, best first; equal ones by
 * importance, then the newer, then by id. `windows` are the messages the index
 * found with their neighbours, four on each side: fewer are judged without what
 * was not given. `frequencies` says how many chunks hold a term; absent means none.
 */
export function rankConversation(
  question: ConversationQuestion,
  frequencies: ReadonlyMap<string, number>,
  statistics: ChunkStatistics,
  windows: readonly MessageWindow[],
  preset: ConversationWeights = CONVERSATION_WEIGHTS,
): RankedHit[] {
  const readings = unpackWindows(windows)
  const speakers = findSpeakers(readings, wordsOf(question))
  const weights = weigh(question, frequencies, statistics, speakers, preset)
  const averageLength = statistics.length / Math.max(1, statistics.chunks)
  const score = messageScorer(weights, averageLength, preset.shape)
  for (const reading of readings) {
    reading.own = score(reading.chunks)
    reading.evidence = reading.own.score
  }
  const telling = Array.from(weights.values(), ({ weight }) => weight)
  const found = readings
    .filter(({ message, own }) => message.isWanted && own.score > 0)
    .map((reading) => {
      const factor = coverage(reading, telling, preset) * likeliness(reading, question, speakers, preset)
      return { reading, factor }
    })
  const first = rank(found, preset)
  const lent = expansionWeights(first, readings, weights, preset)
  if (lent.size > 0) {
    const scoreLent = messageScorer(lent, averageLength, preset.shape)
    for (const reading of readings) reading.evidence += scoreLent(reading.chunks).score
  }
  const last = lent.size > 0 ? rank(found, preset) : first
  return last.map(({ reading: { message, own }, score }) => {
    return { id: message.id, score, breakdown: own.breakdown, chunk: own.chunk }
  })
}

/** Keys of the question's words, names among them. */
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
    // What is nowhere held cannot tell messages apart.
    if (frequency === 0) continue
    const key = termKey(term)
    const telling = weight * idf(chunks, frequency) * (keys.has(key) ? nameWeight : 1)
    weights.set(key, { at: weights.size, weight: telling })
  }
  return weights
}

/** By how much of the question's information the message holds itself, and how much together with its neighbours. */
function coverage(reading: RankingCandidate, telling: readonly number[], preset: ConversationWeights): number {
  const together = new Set<number>()
  for (const { own } of around(reading, preset.windowReach)) for (const term of own.matched) together.add(term)
  const whole = sumOf(telling.keys(), telling)
  const ofWindow = sumOf(together, telling) / whole
  return (1 + (preset.coverage * sumOf(reading.own.matched, telling)) / whole) * (1 + preset.windowCoverage * ofWindow)
}

function sumOf(terms: Iterable<number>, telling: readonly number[]): number {
  let sum = 0
  for (const term of terms) sum += telling[term]!
  return sum
}

/** By what the question wants and what the message is. */
function likeliness(
  reading: RankingCandidate,
  question: ConversationQuestion,
  speakers: Speakers,
  preset: ConversationWeights,
): number {
  const { isQuestion, hasTime, hasNumber, role } = reading.traits
  let factor = 1
  if (speakers.isNamed(reading)) factor *= preset.speaker
  if (speakers.isElsewhere(reading)) factor *= preset.elsewhere
  if (isQuestion) factor *= preset.asking
  if (question.asksWhen && hasTime) factor *= preset.time
  if (question.asksHowMany && hasNumber) factor *= preset.number
  if (question.saidBy === role) factor *= preset.role
  return factor
}

/** Scores from evidence and factors; a session that holds much of what is best is likelier the one that is meant. */
function rank(
  found: readonly { readonly reading: RankingCandidate; readonly factor: number }[],
  preset: ConversationWeights,
): RankedCandidate[] {
  const ranked = found.map(({ reading, factor }) => {
    return { reading, score: (reading.evidence + neighbourEvidence(reading, preset)) * factor }
  })
  const best = inOrder(ranked).slice(0, preset.sessionDepth)
  const ofSessions = new Map<string, number>()
  let whole = 0
  for (const { reading, score } of best) {
    const { session } = reading.message
    ofSessions.set(session, (ofSessions.get(session) ?? 0) + score)
    whole += score
  }
  const shareOf = ({ message }: RankingCandidate): number => (ofSessions.get(message.session) ?? 0) / whole
  return inOrder(
    ranked.map(({ reading, score }) => ({ reading, score: score * (1 + preset.session * shareOf(reading)) })),
  )
}

function inOrder(ranked: readonly RankedCandidate[]): RankedCandidate[] {
  return ranked.toSorted((a, b) => {
    const [one, other] = [a.reading.message, b.reading.message]
    return (
      b.score - a.score ||
      other.importance - one.importance ||
      other.timestamp - one.timestamp ||
      (one.id < other.id ? -1 : 1)
    )
  })
}
