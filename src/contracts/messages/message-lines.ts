/**
 * Messages as lines of text, one JSON object each: what an export is made of and
 * an import takes. A page is taken whole or refused whole, naming the line
 * (1-based) and what is wrong in it.
 */
import * as z from 'zod'
import { invalid } from '../../base/failure.ts'
import { ok, refuse, type Result } from '../../base/result.ts'
import { ROLES } from '../../base/vocabulary.ts'
import { parseArguments } from '../arguments.ts'
import { parseLines, type NdjsonLine } from '../ndjson.ts'
import { byteText, CONTENT, messageId, sessionId } from './message-parameters.ts'
import type { Message, MetadataChange } from './message-fields.ts'
import { parseMetadata, refuseSelfRelation } from './metadata.ts'

/** A message on its way into a store, with all that the store it came from gave it. */
export type MessageLine = Omit<Message, 'metadata' | 'content_bytes' | 'content_truncated'> & {
  readonly metadata: MetadataChange
}

/** Leaves room for as many changes again before a revision could no longer be expected. */
const MOST_REVISION = 1_000_000_000

const message = z.strictObject({
  message_id: messageId,
  session_id: sessionId,
  timestamp: z.int().min(0),
  role: z.enum(ROLES),
  content: byteText(CONTENT),
  revision: z.int().min(1).max(MOST_REVISION),
  updated_at: z.int().min(0),
  metadata: z.unknown(),
})

/** Refuses at the first bad line. */
export function parseMessageLines(text: string): Result<MessageLine[]> {
  return parseLines(text, parseMessageLine)
}

function parseMessageLine(given: NdjsonLine): Result<MessageLine> {
  const parsed = parseArguments(message, given, { unknownParameters: 'refuse', nullIsAbsent: false })
  if (!parsed.ok) return parsed
  const { metadata, ...fields } = parsed.value
  if (fields.updated_at < fields.timestamp) {
    return refuse(invalid('updated_at', `${fields.updated_at} was given, accepted is no time before timestamp`))
  }
  const change = parseMetadata({ metadata })
  if (!change.ok) return change
  if (change.value === undefined) return ok({ ...fields, metadata: {} })
  const isSelfRelated = refuseSelfRelation(change.value, fields.message_id)
  return isSelfRelated.ok ? ok({ ...fields, metadata: change.value.change }) : isSelfRelated
}
