/**
 * Finds the speakers of conversations that are written as `Name: text`. A name
 * counts as a speaker only in a session where most messages begin with one:
 * elsewhere `Note:` is a word.
 */
import type { RankingCandidate } from './message-windows.ts'

/** Share of the given messages of a session that must name their speakers. */
const NAMING_SHARE = 0.5

export interface Speakers {
  /** Term keys of the names of all speakers. */
  readonly keys: ReadonlySet<number>
  /** Whether a message is by the speaker that the question names; false if it names none or several. */
  isNamed(message: RankingCandidate): boolean
  /** Whether the question names speakers, and all of them are in other sessions than the message. */
  isElsewhere(message: RankingCandidate): boolean
}

/** `questionKeys` are the term keys of the question's words. */
export function findSpeakers(messages: readonly RankingCandidate[], questionKeys: ReadonlySet<number>): Speakers {
  const speaking = [...Map.groupBy(messages, ({ message }) => message.session).values()].flatMap(speakingIn)
  const keys = new Set(speaking.flatMap(({ traits }) => traits.speaker))
  const matchingWords = ({ traits }: RankingCandidate): number =>
    traits.speaker.filter((key) => questionKeys.has(key)).length
  const maxWords = Math.max(0, ...speaking.map(matchingWords))
  const named = maxWords === 0 ? [] : speaking.filter((message) => matchingWords(message) === maxWords)
  const names = new Set(named.map(nameOf))
  const sessions = new Set(named.map(({ message }) => message.session))
  return {
    keys,
    isNamed: (message) => names.size === 1 && names.has(nameOf(message)),
    isElsewhere: ({ message }) => names.size > 0 && !sessions.has(message.session),
  }
}

/** The messages of a session that name their speakers; none if most do not. */
function speakingIn(messages: readonly RankingCandidate[]): readonly RankingCandidate[] {
  const speaking = messages.filter(({ traits }) => traits.speaker.length > 0)
  return speaking.length >= 2 && speaking.length >= messages.length * NAMING_SHARE ? speaking : []
}

function nameOf({ traits }: RankingCandidate): string {
  return traits.speaker.join(' ')
}
