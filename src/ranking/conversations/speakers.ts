/**
 * Who speaks, where conversations are written as `Name: text`. A name is known
 * for a speaker's only in sessions where most messages begin so: `Note:` in one
 * of them is a word.
 */
import type { RankingCandidate } from './message-windows.ts'

/** This share of the messages read of a session must name their speakers. */
const NAMING_SHARE = 0.5

export interface Speakers {
  /** Keys of all words of all speakers' names. */
  readonly keys: ReadonlySet<number>
  /** Whether a message is by the one speaker whom the question names; never, when it names several or none. */
  isNamed(reading: RankingCandidate): boolean
  /** Whether the question names speakers, and none of them speaks in the message's session. */
  isElsewhere(reading: RankingCandidate): boolean
}

/** `asked`: keys of the question's words. */
export function findSpeakers(readings: readonly RankingCandidate[], asked: ReadonlySet<number>): Speakers {
  const speaking = [...Map.groupBy(readings, ({ message }) => message.session).values()].flatMap(speakingIn)
  const keys = new Set(speaking.flatMap(({ traits }) => traits.speaker))
  const wordsAsked = ({ traits }: RankingCandidate): number => traits.speaker.filter((key) => asked.has(key)).length
  const most = Math.max(0, ...speaking.map(wordsAsked))
  const named = most === 0 ? [] : speaking.filter((reading) => wordsAsked(reading) === most)
  const names = new Set(named.map(nameOf))
  const sessions = new Set(named.map(({ message }) => message.session))
  return {
    keys,
    isNamed: (reading) => names.size === 1 && names.has(nameOf(reading)),
    isElsewhere: ({ message }) => names.size > 0 && !sessions.has(message.session),
  }
}

/** The messages of a session that name their speakers, if most do. */
function speakingIn(readings: readonly RankingCandidate[]): readonly RankingCandidate[] {
  const speaking = readings.filter(({ traits }) => traits.speaker.length > 0)
  return speaking.length >= 2 && speaking.length >= readings.length * NAMING_SHARE ? speaking : []
}

function nameOf({ traits }: RankingCandidate): string {
  return traits.speaker.join(' ')
}
