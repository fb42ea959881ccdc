/** People of the generated sets, with the share of their sessions that plain FTS5 finds among its first ten results. */
import type { Fact, Topics } from '../../scripts/bench/memory/mixed-sessions.ts'
import { sessionsOfFacts } from '../../scripts/bench/memory/mixed-sessions.ts'
import ingrid from '../questions/mixed/ingrid.json'
import rafael from '../questions/mixed/rafael.json'
import topics from '../questions/mixed/topics.json'

export const PEOPLE = {
  Ingrid: { facts: ingrid as readonly Fact[], plainShare: 0.7504 },
  Rafael: { facts: rafael as readonly Fact[], plainShare: 0.7055 },
}

/** The sessions of a person to which the share of plain FTS5 belongs. */
export function sessionsOf(person: keyof typeof PEOPLE) {
  return sessionsOfFacts(PEOPLE[person].facts, topics satisfies Topics, 150, 1)
}
