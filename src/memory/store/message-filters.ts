/**
 * The filters of a search in two forms: as filter tokens of the word index and as
 * SQL conditions on messages. A query of the word index uses the tokens and adds
 * the conditions that have no token; any other query uses the conditions alone.
 */
import type { SearchMessagesArguments } from '../../contracts/tools/search-messages.ts'
import type { StoredValue } from './message-database.ts'
import { kindToken, sessionToken, tagToken, tierToken } from './message-index.ts'

export type MessageFilters = Pick<SearchMessagesArguments, 'filters' | 'min_importance'> & {
  /** Number of the session, not its id. */
  readonly session?: number
  /** Absent when the question has no quoted phrase. */
  readonly phrased?: PhraseFilter
}

/** The quoted phrases of a question as a filter. */
export interface PhraseFilter {
  /** JSON list: sequences of the messages that have all phrases. */
  readonly sequences: string
  /** A match of the word index: chunks that have any of them. */
  readonly match: string
}

/** Groups of filter tokens. A message must have at least one token of every group. */
export function tokenGroups({ session, filters: { kinds, tiers, tags } }: MessageFilters): string[][] {
  const groups = [kinds.map(kindToken), tiers.map(tierToken), ...tags.map((tag) => [tagToken(tag)])]
  if (session !== undefined) groups.push([sessionToken(session)])
  return groups.filter((group) => group.length > 0)
}

/** Expressions of the word index, all of which the chunks of a message that passes the tokened filters match. */
export function filterExpressions(filters: MessageFilters): string[] {
  return tokenGroups(filters).map((tokens) => `filters : (${tokens.map((token) => `"${token}"`).join(' OR ')})`)
}

/** SQL conditions on `messages AS m` with the values to bind, in order. */
interface Conditions {
  readonly conditions: readonly string[]
  readonly values: readonly StoredValue[]
}

/** Conditions of the filters that have no token. */
export function untokenedConditions({ filters, min_importance, phrased }: MessageFilters): Conditions {
  const { since, until, hide_superseded } = filters
  return toConditions([
    ['m.importance >= ?', min_importance > 0 ? min_importance : undefined],
    ['m.timestamp >= ?', since],
    ['m.timestamp < ?', until],
    ['m.sequence IN (SELECT value FROM json_each(?))', phrased?.sequences],
    [
      `NOT EXISTS (SELECT 1 FROM relations r WHERE r.target_id = m.message_id AND r.type = ?)`,
      hide_superseded ? 'supersedes' : undefined,
    ],
  ])
}

/** Conditions of all filters. */
export function filterConditions(filters: MessageFilters): Conditions {
  const { kinds, tiers, tags } = filters.filters
  const listed = (words: readonly string[]) => (words.length > 0 ? JSON.stringify(words) : undefined)
  const tokened = toConditions([
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

function toConditions(all: readonly (readonly [condition: string, value: StoredValue | undefined])[]): Conditions {
  const kept = all.flatMap(([condition, value]) => (value === undefined ? [] : [{ condition, value }]))
  return { conditions: kept.map(({ condition }) => condition), values: kept.map(({ value }) => value) }
}
