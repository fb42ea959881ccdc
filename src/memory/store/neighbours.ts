/** The live messages directly before and after a message in its session. */
import { rows, type Database } from './message-database.ts'
import { MESSAGE_COLUMNS, type MessageRow } from './message-row.ts'

/** Both lists start with the nearest. */
export interface Neighbours<Item> {
  readonly before: readonly Item[]
  readonly after: readonly Item[]
}

export function findNeighbours(
  database: Database,
  { session, sequence }: Pick<MessageRow, 'session' | 'sequence'>,
  before: number,
  after: number,
): Neighbours<MessageRow> {
  const side = (comparison: '<' | '>', order: 'DESC' | 'ASC', limit: number): MessageRow[] =>
    limit === 0
      ? []
      : rows(
          database,
          `SELECT ${MESSAGE_COLUMNS} FROM messages m JOIN sessions s USING (session)
          WHERE m.session = ? AND m.deleted = 0 AND m.sequence ${comparison} ?
          ORDER BY m.sequence ${order} LIMIT ?`,
          session,
          sequence,
          limit,
        )
  return { before: side('<', 'DESC', before), after: side('>', 'ASC', after) }
}

/**
 * The neighbours for which `take` returns true, in order of creation. It is called
 * from near to far, before and after in turn, until it first returns false.
 */
export function takeNearest<Item>(
  { before, after }: Neighbours<Item>,
  take: (item: Item) => boolean,
): { before: Item[]; after: Item[] } {
  const taken = { before: [] as Item[], after: [] as Item[] }
  for (let distance = 0; distance < Math.max(before.length, after.length); distance += 1) {
    for (const side of ['before', 'after'] as const) {
      const item = (side === 'before' ? before : after)[distance]
      if (item === undefined) continue
      if (!take(item)) return { ...taken, before: taken.before.toReversed() }
      taken[side].push(item)
    }
  }
  return { ...taken, before: taken.before.toReversed() }
}
