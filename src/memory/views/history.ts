/**
 * The history view: live messages of a session in order of creation, page by
 * page. A message that exists while all pages are read is returned exactly once.
 */
import { ok, type Result } from '../../base/result.ts'
import type { Message } from '../../contracts/messages/message-fields.ts'
import type { HistoryAnswer } from '../../contracts/tools/read-messages-answers.ts'
import type { HistoryArguments } from '../../contracts/tools/read-messages.ts'
import { parseCursor, writeCursor, type CursorScope } from './page-cursor.ts'
import { row, type Database, type StoredValue } from '../store/message-database.ts'
import { MESSAGE_COLUMNS, toMessage, type MessageRow } from '../store/message-row.ts'
import { ResponseBudget } from '../store/response-budget.ts'
import { readStore } from '../store/store-state.ts'

export function readHistory(database: Database, args: HistoryArguments): Result<HistoryAnswer> {
  const { session_id, since, until, limit, preview_chars } = args
  const scope: CursorScope = [readStore(database).store_key, 'history', session_id, since ?? null, until ?? null]
  const position = args.cursor === undefined ? undefined : parseCursor(scope, args.cursor)
  if (position?.ok === false) return position
  const [after = 0] = (position?.value ?? []) as number[]
  const session = row<{ session: number }>(database, 'SELECT session FROM sessions WHERE session_id = ?', session_id)
  if (session === undefined) return ok({ history: [] })
  const budget = new ResponseBudget(limit)
  const history: Message[] = []
  let last = after
  for (const found of messagesAfter(database, session.session, after, args)) {
    const message = toMessage(found, preview_chars)
    if (!budget.take(message)) return ok({ history, nextCursor: writeCursor(scope, [last]) })
    history.push(message)
    last = found.sequence
  }
  return ok({ history })
}

/** Rows are read one by one, because a page may end before its limit. */
function messagesAfter(
  database: Database,
  session: number,
  after: number,
  { since, until, limit }: HistoryArguments,
): Iterable<MessageRow> {
  const conditions = ['m.session = ?', 'm.deleted = 0', 'm.sequence > ?']
  const values: StoredValue[] = [session, after]
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
    WHERE ${conditions.join(' AND ')} ORDER BY m.sequence LIMIT ?`,
    ...values,
    limit + 1,
  ) as unknown as Iterable<MessageRow>
}
