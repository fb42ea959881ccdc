/**
 * The sessions view: sessions with live messages, ordered by start time and then by
 * id (bytes), or in the exact reverse of this order, page by page.
 */
import { Buffer } from 'node:buffer'
import { ok, type Result } from '../../base/result.ts'
import { toTime } from '../../base/time.ts'
import { byteBoundary } from '../../base/text-cut.ts'
import { MEMORY_KINDS, type MemoryKind } from '../../base/vocabulary.ts'
import type { SessionsAnswer } from '../../contracts/tools/read-messages-answers.ts'
import type { SessionsArguments } from '../../contracts/tools/read-messages.ts'
import { parseCursor, writeCursor, type CursorScope } from './page-cursor.ts'
import { row, rows, type Database } from '../store/message-database.ts'
import { MAX_REPRESENTATIVE_BYTES } from '../limits.ts'
import { ResponseBudget } from '../store/response-budget.ts'
import { readStore } from '../store/store-state.ts'

interface SessionRow {
  readonly session: number
  readonly session_id: string
  readonly started_at: number
}

type SessionItem = SessionsAnswer['sessions'][number]

export function readSessions(database: Database, args: SessionsArguments): Result<SessionsAnswer> {
  const scope: CursorScope = [readStore(database).store_key, 'sessions', args.order]
  const position = args.cursor === undefined ? undefined : parseCursor(scope, args.cursor)
  if (position?.ok === false) return position
  const budget = new ResponseBudget(args.limit)
  const sessions: SessionItem[] = []
  let last = position?.value ?? []
  for (const found of sessionsAfter(database, last, args)) {
    const item = toItem(database, found, args)
    if (!budget.take(item)) return ok({ sessions, nextCursor: writeCursor(scope, last) })
    sessions.push(item)
    last = [found.started_at, found.session_id]
  }
  return ok({ sessions })
}

/** One session more than the limit, after the position in the requested order; from the start without a position. */
function sessionsAfter(
  database: Database,
  position: readonly (string | number)[],
  { order, limit }: SessionsArguments,
): SessionRow[] {
  const after = position.length === 0 ? '' : `AND (started_at, session_id) ${order === 'asc' ? '>' : '<'} (?, ?)`
  return rows(
    database,
    `SELECT session, session_id, started_at FROM sessions
    WHERE started_at IS NOT NULL ${after}
    ORDER BY started_at ${order}, session_id ${order} LIMIT ?`,
    ...position,
    limit + 1,
  )
}

function toItem(
  database: Database,
  { session, session_id, started_at }: SessionRow,
  { detail }: SessionsArguments,
): SessionItem {
  const kinds = rows<{ kind: MemoryKind; count: number; last: number }>(
    database,
    `SELECT memory_kind AS kind, count(*) AS count, max(timestamp) AS last FROM messages
    WHERE session = ? AND deleted = 0 GROUP BY memory_kind`,
    session,
  )
  const counts = new Map(kinds.map(({ kind, count }) => [kind, count]))
  const lastMessageAt = Math.max(...kinds.map(({ last }) => last))
  const isCompact = detail === 'compact'
  return {
    session_id,
    message_count: kinds.reduce((sum, { count }) => sum + count, 0),
    kind_counts: Object.fromEntries(
      MEMORY_KINDS.map((kind) => [kind, counts.get(kind) ?? 0] as const).filter(([, count]) => count > 0 || !isCompact),
    ),
    representative_summary: representativeSummary(database, session),
    started_at,
    ...(isCompact && { started_at_text: toTime(started_at) }),
    last_message_at: lastMessageAt,
    ...(isCompact && { last_message_at_text: toTime(lastMessageAt) }),
  }
}

/** The newest summary, or the newest content of a session without one, cut to MAX_REPRESENTATIVE_BYTES. */
function representativeSummary(database: Database, session: number): string {
  const newest = (text: string, condition: string): ArrayBuffer | undefined =>
    row<{ start: ArrayBuffer }>(
      database,
      `SELECT substr(CAST(${text} AS BLOB), 1, ?) AS start FROM messages
      WHERE session = ? AND deleted = 0 ${condition} ORDER BY sequence DESC LIMIT 1`,
      MAX_REPRESENTATIVE_BYTES + 1,
      session,
    )?.start
  const start = newest('summary', 'AND summary IS NOT NULL') ?? newest('content', '')
  if (start === undefined) return ''
  const bytes = Buffer.from(start)
  return bytes.toString('utf8', 0, byteBoundary(bytes, MAX_REPRESENTATIVE_BYTES))
}
