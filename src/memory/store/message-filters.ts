/**
 * What a question is narrowed by, as words of the index and as conditions on
 * messages. Both say the same; who asks the index gives it those that it knows,
 * and the rest as conditions.
 */
import type { SearchMessagesArguments } from '../../contracts/tools/search-messages.ts'
import type { Value } from './message-database.ts'
import { kindToken, sessionToken, tagToken, tierToken } from './message-index.ts'

/** What a question may be narrowed by. */
export type MessageFilters = Pick<SearchMessagesArguments, 'filters' | 'min_importance'> & {
  /** The session's number. */
  readonly session?: number
}

/** Filters that are words of the index: of each group one must be there. */
export function tokenGroups({ session, filters: { kinds, tiers, tags } }: MessageFilters): string[][] {
  const groups = [kinds.map(kindToken), tiers.map(tierToken), ...tags.map((tag) => [tagToken(tag)])]
  if (session !== undefined) groups.push([sessionToken(session)])
  return groups.filter((group) => group.length > 0)
}

/** Conditions on `messages AS m`, and the values they are bound to in order. */
export interface Conditions {
  readonly conditions: readonly string[]
  readonly values: readonly Value[]
}

/** The filters that no token speaks of. */
export function untokenedConditions({ filters, min_importance }: MessageFilters): Conditions {
  const { since, until, hide_superseded } = filters
  return given([
    ['m.importance >= ?', min_importance > 0 ? min_importance : undefined],
    ['m.timestamp >= ?', since],
    ['m.timestamp < ?', until],
    [
      `NOT EXISTS (SELECT 1 FROM relations r WHERE r.target_id = m.message_id AND r.type = ?)`,
      hide_superseded ? 'supersedes' : undefined,
    ],
  ])
}

/** All filters, for a search that does not go through the word index. */
export function filterConditions(filters: MessageFilters): Conditions {
  const { kinds, tiers, tags } = filters.filters
  const listed = (words: readonly string[]) => (words.length > 0 ? JSON.stringify(words) : undefined)
  const tokened = given([
    ['m.session = ?', filters.session],
    ['m.memory_kind IN (SELECT value FROM json_each(?))', listed(kinds)],
    ['m.memory_tier IN (SELECT value FROM json_each(?))', listed(tiers)],
    [
      `NOT EXISTS (SELECT 1 FROM json_each(?) w WHERE w.value NOT IN (SELECT t.value FROM json_each(m.tags) t))`,
      listed(tags),
    ],
  ])
  const rest = untokenedConditions(filters)
  return {
    conditions: [...tokened.conditions, ...rest.conditions],
    values: [...tokened.values, ...rest.values],
  }
}

function given(all: readonly (readonly [condition: string, value: Value | undefined])[]): Conditions {
  const kept = all.flatMap(([condition, value]) => (value === undefined ? [] : [{ condition, value }]))
  return { conditions: kept.map(({ condition }) => condition), values: kept.map(({ value }) => value) }
}
