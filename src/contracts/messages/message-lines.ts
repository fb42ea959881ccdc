/**
 * Messages as NDJSON lines, the format of export and import. A page is accepted
 * or refused as a whole; a refusal names the line (from 1) and the field.
 */
import * as z from 'zod'
import { invalid } from '../../base/failure.ts'
import { ok, refuse, type Result } from '../../base/result.ts'
import { ROLES } from '../../base/vocabulary.ts'
import { parseFields } from '../arguments.ts'
import { MAX_IMPORTED_REVISION } from '../limits.ts'
import { parseLines, type NdjsonLine } from '../ndjson.ts'
import { byteText, CONTENT, messageId, sessionId } from './message-parameters.ts'
import type { Message, MetadataChange } from './message-fields.ts'
import { parseStoredMetadata, refuseSelfRelation } from './metadata.ts'

/** A message to import, with the id, times and revision of its former store. */
export type MessageLine = Omit<Message, 'metadata' | 'content_bytes' | 'content_truncated'> & {
  readonly metadata: MetadataChange
}

const message = z.strictObject({
  message_id: messageId,
  session_id: sessionId,
  timestamp: z.int().min(0),
  role: z.enum(ROLES),
  content: byteText(CONTENT),
  revision: z.int().min(1).max(MAX_IMPORTED_REVISION),
  updated_at: z.int().min(0),
  metadata: z.unknown(),
})

/** Refuses with the fault of the first invalid line. */
export function parseMessageLines(text: string): Result<MessageLine[]> {
  return parseLines(text, parseMessageLine)
}

function parseMessageLine(given: NdjsonLine): Result<MessageLine> {
  const parsed = parseFields(message, given)
  if (!parsed.ok) return parsed
  const { metadata, ...fields } = parsed.value
  if (fields.updated_at < fields.timestamp) {
    return refuse(invalid('updated_at', `${fields.updated_at} was given, accepted is no time before timestamp`))
  }
  if (metadata === undefined) return ok({ ...fields, metadata: {} })
  const change = parseStoredMetadata(metadata)
  if (!change.ok) return change
  const isSelfRelated = refuseSelfRelation(change.value, fields.message_id)
  return isSelfRelated.ok ? ok({ ...fields, metadata: change.value.change }) : isSelfRelated
}
