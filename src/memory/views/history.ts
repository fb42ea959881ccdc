/**
 * The history view: live messages of a session in order of creation or its exact
 * reverse, page by page. A message that exists while all pages are read is
 * returned exactly once.
 */
import { ok, type Result } from '../../base/result.ts'
import type { ShownMessage } from '../../contracts/messages/message-fields.ts'
import type { HistoryAnswer } from '../../contracts/tools/read-messages-answers.ts'
import type { HistoryArguments } from '../../contracts/tools/read-messages.ts'
import { toShownMessage } from '../present/shown-message.ts'
import { parseCursor, writeCursor, type CursorScope } from './page-cursor.ts'
import { row, type Database, type StoredValue } from '../store/message-database.ts'
import { MESSAGE_COLUMNS, type MessageRow } from '../store/message-row.ts'
import { ResponseBudget } from '../store/response-budget.ts'
import { readStore } from '../store/store-state.ts'

export function readHistory(database: Database, args: HistoryArguments): Result<HistoryAnswer> {
  const { session_id, since, until, limit, order } = args
  const scope: CursorScope = [readStore(database).store_key, 'history', order, session_id, since ?? null, until ?? null]
  const position = args.cursor === undefined ? undefined : parseCursor(scope, args.cursor)
  if (position?.ok === false) return position
  const [start = order === 'asc' ? 0 : Number.MAX_SAFE_INTEGER] = (position?.value ?? []) as number[]
  const session = row<{ session: number }>(database, 'SELECT session FROM sessions WHERE session_id = ?', session_id)
  if (session === undefined) return ok({ history: [] })
  const budget = new ResponseBudget(limit)
  const history: ShownMessage[] = []
  let last = start
  for (const found of messagesAfter(database, session.session, start, args)) {
    const message = toShownMessage(found, args)
    if (!budget.take(message)) return ok({ history, nextCursor: writeCursor(scope, [last]) })
    history.push(message)
    last = found.sequence
  }
  return ok({ history })
}

/** Messages after the sequence `start` in the requested order. Read one by one, because a page may end before its limit. */
function messagesAfter(
  database: Database,
  session: number,
  start: number,
  { since, until, order, limit }: HistoryArguments,
): Iterable<MessageRow> {
  const conditions = ['m.session = ?', 'm.deleted = 0', `m.sequence ${order === 'asc' ? '>' : '<'} ?`]
  const values: StoredValue[] = [session, start]
  if (since !== undefined) {
    conditions.push('m.timestamp >= ?')
    values.push(since)
  }
  if (until !== undefined) {
    conditions.push('m.timestamp < ?')
    values.push(until)
  }
  return database.sql.exec(
    `SELECT ${MESSAGE_COLUMNS} FROM messages m JOIN sessions s USING (session)
    WHERE ${conditions.join(' AND ')} ORDER BY m.sequence ${order} LIMIT ?`,
    ...values,
    limit + 1,
  ) as unknown as Iterable<MessageRow>
}
