/**
 * A question of signs alone (`***`, `:-)`) is looked for as it stands, in the
 * newest messages. What holds it in more fields comes first.
 */
import { rows, type Database } from './database.ts'
import type { Found } from './found.ts'
import { LITERAL_MESSAGES } from './limits.ts'
import { filterConditions, type Narrowing } from './pool.ts'

export function findLiterally(database: Database, text: string, narrowing: Narrowing, limit: number): Found[] {
  if (text === '') return []
  const { conditions, values } = filterConditions(narrowing)
  const found = rows<{ sequence: number; content: number; summary: number; tags: number }>(
    database,
    `WITH looked AS (
      SELECT m.*, instr(m.content, ?1) > 0 AS in_content, coalesce(instr(m.summary, ?1), 0) > 0 AS in_summary,
        EXISTS (SELECT 1 FROM json_each(m.tags) t WHERE instr(t.value, ?1) > 0) AS in_tags
      FROM messages m WHERE m.deleted = 0 AND m.sequence >= coalesce((
        SELECT sequence FROM messages WHERE deleted = 0 ORDER BY sequence DESC LIMIT 1 OFFSET ?2), 0)
    )
    SELECT sequence, in_content AS content, in_summary AS summary, in_tags AS tags
    FROM looked m WHERE in_content + in_summary + in_tags > 0 ${conditions.map((one) => `AND ${one}`).join(' ')}
    ORDER BY in_content + in_summary + in_tags DESC, importance DESC, timestamp DESC, message_id LIMIT ?`,
    text,
    LITERAL_MESSAGES - 1,
    ...values,
    limit,
  )
  return found.map(({ sequence, content, summary, tags }) => ({
    sequence,
    score: content + summary + tags,
    breakdown: { content, summary, tags },
    start: 0,
    chars: 0,
  }))
}
