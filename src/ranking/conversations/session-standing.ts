/**
 * How far a session stands out, by its share in the best scores of messages for
 * their own words. In a session that has them all, neighbours are evidence and every
 * result is wanted. Where many sessions match, neighbours would fill the list from
 * the few that say most about a subject, so they count less, and so does each
 * further result of a session.
 */
import type { ConversationWeights } from './conversation-weights.ts'
import type { RankedCandidate } from './relevance-feedback.ts'

/** The square of the share of a message's session in the best scores: 1 if all are of one session, .11 for each of three equal ones. */
export type Standing = (message: { readonly session: string }) => number

/** `scored` are the candidates, in any order, with the scores of their own words. */
export function toStanding(scored: readonly RankedCandidate[], tuning: ConversationWeights): Standing {
  const scores = scored.map(({ candidate, score }) => ({ session: candidate.message.session, score }))
  const shares = sessionShares(scores, tuning)
  return ({ session }) => (shares.get(session) ?? 0) ** 2
}

/** How far the best scores are of one session: the sum of the squared shares of all sessions. 1 if they are of one, or there is none. */
export function concentration<Session>(
  scored: readonly { readonly session: Session; readonly score: number }[],
  tuning: ConversationWeights,
): number {
  if (scored.length === 0) return 1
  let sum = 0
  for (const share of sessionShares(scored, tuning).values()) sum += share ** 2
  return sum
}

/** The share of each session in the best scores. */
function sessionShares<Session>(
  scored: readonly { readonly session: Session; readonly score: number }[],
  { standingDepth }: ConversationWeights,
): ReadonlyMap<Session, number> {
  const best = scored.toSorted((a, b) => b.score - a.score).slice(0, standingDepth)
  const sums = new Map<Session, number>()
  let whole = 0
  for (const { session, score } of best) {
    sums.set(session, (sums.get(session) ?? 0) + score)
    whole += score
  }
  return new Map(Array.from(sums, ([session, sum]) => [session, sum / whole]))
}

/**
 * Divides the score of the n-th further message of a session by 1 + n * `further`,
 * less where the session stands out. `ranked` are best first, the result is not.
 */
export function lowerRepeatedSessions(
  ranked: readonly RankedCandidate[],
  standing: Standing,
  { further }: ConversationWeights,
): RankedCandidate[] {
  const counts = new Map<string, number>()
  return ranked.map(({ candidate, score }) => {
    const { message } = candidate
    const before = counts.get(message.session) ?? 0
    counts.set(message.session, before + 1)
    return { candidate, score: score / (1 + before * further * (1 - standing(message))) }
  })
}
