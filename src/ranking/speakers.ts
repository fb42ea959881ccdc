/**
 * Who speaks, where conversations are written as `Name: text`. A name is known
 * for a speaker's only where most messages begin so: `Note:` in one of them is
 * a word.
 */
import type { Reading } from './readings.ts'

/** This share of the messages read must name their speakers. */
const NAMING_SHARE = 0.5

export interface Speakers {
  /** Keys of all words of all speakers' names. */
  readonly keys: ReadonlySet<number>
  /** Whether a message is by the one speaker whom the question names; never, when it names several or none. */
  isNamed(reading: Reading): boolean
}

const NOBODY: Speakers = { keys: new Set(), isNamed: () => false }

/** `asked`: keys of the question's words. */
export function findSpeakers(readings: readonly Reading[], asked: ReadonlySet<number>): Speakers {
  const speaking = readings.filter(({ traits }) => traits.speaker.length > 0)
  if (speaking.length < 2 || speaking.length < readings.length * NAMING_SHARE) return NOBODY
  const keys = new Set(speaking.flatMap(({ traits }) => traits.speaker))
  const named = new Map<string, number>()
  for (const { traits } of speaking) {
    const words = traits.speaker.filter((key) => asked.has(key)).length
    if (words > 0) named.set(nameOf(traits.speaker), words)
  }
  const most = Math.max(0, ...named.values())
  const [only, ...others] = [...named].filter(([, words]) => words === most).map(([name]) => name)
  if (only === undefined || others.length > 0) return { keys, isNamed: () => false }
  return { keys, isNamed: ({ traits }) => nameOf(traits.speaker) === only }
}

function nameOf(speaker: readonly number[]): string {
  return speaker.join(' ')
}
