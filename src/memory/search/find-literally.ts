/**
 * Searches the newest messages for a text as it is written, for questions without
 * a searchable word (`***`, `:-)`). Messages with the text in more fields come first.
 */
import { charBoundary } from '../../base/text-cut.ts'
import { SNIPPET_CHARS } from '../../text/snippet.ts'
import { row, rows, type Database } from '../store/message-database.ts'
import { MAX_LITERAL_MESSAGES } from '../limits.ts'
import { filterConditions, type MessageFilters } from '../store/message-filters.ts'
import type { FoundMessage } from './message-results.ts'

/** UTF-16 units of content that a snippet shows before the text. */
const LEAD_CHARS = 40

/** At most `limit` messages; ties by importance, then the newer, then by id. */
export function findLiterally(
  database: Database,
  text: string,
  filters: MessageFilters,
  limit: number,
): FoundMessage[] {
  if (text === '') return []
  const { conditions, values } = filterConditions(filters)
  const found = rows<LiteralRow>(
    database,
    `WITH scanned AS (
      SELECT m.*, instr(m.content, ?1) > 0 AS in_content, coalesce(instr(m.summary, ?1), 0) > 0 AS in_summary,
        EXISTS (SELECT 1 FROM json_each(m.tags) t WHERE instr(t.value, ?1) > 0) AS in_tags
      FROM messages m WHERE m.deleted = 0 AND m.sequence >= coalesce((
        SELECT sequence FROM messages NOT INDEXED WHERE deleted = 0 ORDER BY sequence DESC LIMIT 1 OFFSET ?2), 0)
    )
    SELECT sequence, in_content AS inContent, in_summary AS inSummary, in_tags AS inTags
    FROM scanned m WHERE in_content + in_summary + in_tags > 0 ${conditions.map((one) => `AND ${one}`).join(' ')}
    ORDER BY in_content + in_summary + in_tags DESC, importance DESC, timestamp DESC, message_id LIMIT ?`,
    text,
    MAX_LITERAL_MESSAGES - 1,
    ...values,
    limit,
  )
  return found.map((scanned) => toFound(database, scanned, text))
}

interface LiteralRow {
  readonly sequence: number
  /** 1 if the field contains the text, else 0. */
  readonly inContent: number
  readonly inSummary: number
  readonly inTags: number
}

/** Reads one content at a time, because a hundred of them may exceed the memory. */
function toFound(
  database: Database,
  { sequence, inContent, inSummary, inTags }: LiteralRow,
  text: string,
): FoundMessage {
  const content =
    row<{ content: string }>(database, 'SELECT content FROM messages WHERE sequence = ?', sequence)?.content ?? ''
  const start = Math.max(0, content.indexOf(text) - LEAD_CHARS)
  return {
    sequence,
    score: inContent + inSummary + inTags,
    breakdown: { content: inContent, summary: inSummary, tags: inTags },
    start: charBoundary(content, start),
    chars: SNIPPET_CHARS,
  }
}
