/**
 * Reads relations between messages, in both directions and across sessions: around
 * one message, or of several messages at once. Only live messages declare
 * relations. A target that is deleted is treated like one that never existed.
 */
import type { RelationType } from '../../base/vocabulary.ts'
import type { RelationDirection } from '../../contracts/messages/message-fields.ts'
import { MAX_RELATED, MAX_SUPERSEDING } from '../limits.ts'
import { rows, type Database } from './message-database.ts'

export interface MessageLink {
  readonly type: RelationType
  readonly direction: RelationDirection
  /** 1 for direct relations of the root. */
  readonly depth: number
  readonly messageId: string
}

/** A message of the walk. One that is not live has no sequence and is not expanded. */
interface Node {
  readonly messageId: string
  readonly sequence: number | null
}

/**
 * Distinct links around a message up to a depth. Order: depth, outgoing before
 * incoming, then order of declaration or creation. Links to the root are excluded.
 */
export function* walkRelations(
  database: Database,
  root: { readonly message_id: string; readonly sequence: number },
  types: readonly RelationType[],
  depth: number,
): Generator<MessageLink> {
  let frontier: Node[] = [{ messageId: root.message_id, sequence: root.sequence }]
  const reached = new Set([root.message_id])
  for (let at = 1; at <= depth; at += 1) {
    const yielded = new Set<string>()
    const next: Node[] = []
    for (const direction of ['outgoing', 'incoming'] as const) {
      for (const node of frontier) {
        for (const { type, messageId, sequence } of linksOf(database, node, direction, types)) {
          const key = `${type} ${direction} ${messageId}`
          if (messageId === root.message_id || yielded.has(key)) continue
          yielded.add(key)
          yield { type, direction, depth: at, messageId }
          if (reached.has(messageId)) continue
          reached.add(messageId)
          if (sequence !== null) next.push({ messageId, sequence })
        }
      }
    }
    frontier = next
  }
}

/** SQL expression on `messages AS m`: number of relations from and to a message. */
export const RELATION_COUNT = `(SELECT count(*) FROM relations WHERE source = m.sequence)
  + (SELECT count(*) FROM relations WHERE target_id = m.message_id)`

/** SQL condition on `relations AS r`: the message did not declare the same relation before. */
const IS_FIRST = `NOT EXISTS (SELECT 1 FROM relations e
  WHERE e.source = r.source AND e.type = r.type AND e.target_id = r.target_id AND e.ordinal < r.ordinal)`

/**
 * SQL expression on `messages AS m`: JSON list of `[type, direction, message_id]` of
 * the live messages that it relates to, then of those that relate to it; distinct,
 * in order of declaration and of creation, MAX_RELATED at most.
 */
export const RELATED = `(SELECT json_group_array(json_array(type, direction, id)) FROM (
  SELECT * FROM (
    SELECT r.type, 'outgoing' AS direction, r.target_id AS id
    FROM relations r JOIN messages t ON t.message_id = r.target_id AND t.deleted = 0
    WHERE r.source = m.sequence AND ${IS_FIRST} ORDER BY r.ordinal LIMIT ${MAX_RELATED})
  UNION ALL
  SELECT * FROM (
    SELECT r.type, 'incoming', s.message_id
    FROM relations r JOIN messages s ON s.sequence = r.source
    WHERE r.target_id = m.message_id AND ${IS_FIRST} ORDER BY r.source, r.ordinal LIMIT ${MAX_RELATED})
  LIMIT ${MAX_RELATED}))`

/** A message and one that supersedes it, both live, by their sequences. */
export interface Supersession {
  readonly target: number
  readonly source: number
  /** message_id of the source. */
  readonly sourceId: string
}

/** Which live messages supersede the given ones, directly or through others; MAX_SUPERSEDING relations at most. */
export function readSupersessions(database: Database, sequences: readonly number[]): Supersession[] {
  const sourcesOf = `CROSS JOIN relations r ON r.target_id = m.message_id AND r.type = 'supersedes'`
  return rows(
    database,
    `WITH RECURSIVE supersessions(target, source) AS (
      SELECT m.sequence, r.source FROM json_each(?) j CROSS JOIN messages m ON m.sequence = j.value ${sourcesOf}
      UNION
      SELECT m.sequence, r.source FROM supersessions p CROSS JOIN messages m ON m.sequence = p.source ${sourcesOf}
      LIMIT ?
    )
    SELECT p.target, p.source, m.message_id AS sourceId
    FROM supersessions p CROSS JOIN messages m ON m.sequence = p.source`,
    JSON.stringify(sequences),
    MAX_SUPERSEDING,
  )
}

interface LinkRow extends Node {
  readonly type: RelationType
}

function linksOf(
  database: Database,
  { messageId, sequence }: Node,
  direction: RelationDirection,
  types: readonly RelationType[],
): LinkRow[] {
  const kept = `r.type IN (${types.map(() => '?').join(', ')})`
  if (direction === 'incoming') {
    return rows(
      database,
      `SELECT r.type, m.message_id AS messageId, m.sequence FROM relations r JOIN messages m ON m.sequence = r.source
      WHERE r.target_id = ? AND ${kept} ORDER BY r.source, r.ordinal`,
      messageId,
      ...types,
    )
  }
  return rows(
    database,
    `SELECT r.type, r.target_id AS messageId, m.sequence
    FROM relations r LEFT JOIN messages m ON m.message_id = r.target_id AND m.deleted = 0
    WHERE r.source = ? AND ${kept} ORDER BY r.ordinal`,
    sequence,
    ...types,
  )
}
