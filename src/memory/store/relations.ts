/**
 * Walks relations between messages breadth first, in both directions and across
 * sessions. Only live messages declare relations. A target that is deleted is
 * treated like one that never existed.
 */
import type { RelationType } from '../../base/vocabulary.ts'
import { rows, type Database } from './message-database.ts'

export interface MessageLink {
  readonly type: RelationType
  readonly direction: 'outgoing' | 'incoming'
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

interface LinkRow extends Node {
  readonly type: RelationType
}

function linksOf(
  database: Database,
  { messageId, sequence }: Node,
  direction: MessageLink['direction'],
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
