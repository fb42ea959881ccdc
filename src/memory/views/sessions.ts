/** The sessions view: sessions with live messages, ordered by start time and then by id (bytes), page by page. */
import { Buffer } from 'node:buffer'
import { ok, type Result } from '../../base/result.ts'
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
  const scope: CursorScope = [readStore(database).store_key, 'sessions']
  const position = args.cursor === undefined ? undefined : parseCursor(scope, args.cursor)
  if (position?.ok === false) return position
  const budget = new ResponseBudget(args.limit)
  const sessions: SessionItem[] = []
  let last = position?.value ?? []
  for (const found of sessionsAfter(database, last, args.limit + 1)) {
    const item = toItem(database, found)
    if (!budget.take(item)) return ok({ sessions, nextCursor: writeCursor(scope, last) })
    sessions.push(item)
    last = [found.started_at, found.session_id]
  }
  return ok({ sessions })
}

function sessionsAfter(database: Database, position: readonly (string | number)[], limit: number): SessionRow[] {
  const [startedAt = -1, sessionId = ''] = position
  return rows(
    database,
    `SELECT session, session_id, started_at FROM sessions
    WHERE started_at IS NOT NULL AND (started_at, session_id) > (?, ?)
    ORDER BY started_at, session_id LIMIT ?`,
    startedAt,
    sessionId,
    limit,
  )
}

function toItem(database: Database, { session, session_id, started_at }: SessionRow): SessionItem {
  const kinds = rows<{ kind: MemoryKind; count: number; last: number }>(
    database,
    `SELECT memory_kind AS kind, count(*) AS count, max(timestamp) AS last FROM messages
    WHERE session = ? AND deleted = 0 GROUP BY memory_kind`,
    session,
  )
  const counts = new Map(kinds.map(({ kind, count }) => [kind, count]))
  return {
    session_id,
    message_count: kinds.reduce((sum, { count }) => sum + count, 0),
    kind_counts: Object.fromEntries(MEMORY_KINDS.map((kind) => [kind, counts.get(kind) ?? 0])) as Record<
      MemoryKind,
      number
    >,
    representative_summary: representativeSummary(database, session),
    started_at,
    last_message_at: Math.max(...kinds.map(({ last }) => last)),
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
