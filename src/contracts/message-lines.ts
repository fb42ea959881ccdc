/**
 * Messages as lines of text, one JSON object each: what an export is made of and
 * an import takes. A page is taken whole or refused whole, naming the line
 * (1-based) and what is wrong in it.
 */
import * as z from 'zod'
import { atLine, invalid } from '../base/failure.ts'
import { ok, refuse, type Result } from '../base/result.ts'
import { ROLES } from '../base/vocabulary.ts'
import { parseArguments } from './arguments.ts'
import { byteText, CONTENT, MAX_WHOLE, messageId, sessionId } from './message-parts.ts'
import type { Message, MetadataChange } from './message.ts'
import { parseMetadata } from './metadata.ts'

/** A message on its way into a store, with all that the store it came from gave it. */
export type MessageLine = Omit<Message, 'metadata' | 'content_bytes' | 'content_truncated'> & {
  readonly metadata: MetadataChange
}

const line = z.strictObject({
  message_id: messageId,
  session_id: sessionId,
  timestamp: z.int().min(0),
  role: z.enum(ROLES),
  content: byteText(CONTENT),
  revision: z.int().min(1).max(MAX_WHOLE),
  updated_at: z.int().min(0),
  metadata: z.unknown(),
})

/** Blank lines are skipped. Refuses at the first bad line. */
export function parseMessageLines(text: string): Result<MessageLine[]> {
  const messages: MessageLine[] = []
  for (const [at, lineText] of text.split('\n').entries()) {
    if (lineText.trim() === '') continue
    const message = parseLine(lineText)
    if (!message.ok) return refuse(atLine(message.failure, at + 1))
    messages.push(message.value)
  }
  return ok(messages)
}

function parseLine(text: string): Result<MessageLine> {
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    return refuse(invalid('line', 'not JSON; each line is one JSON object'))
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return refuse(invalid('line', 'not an object; each line is one JSON object'))
  }
  const parsed = parseArguments(line, given, { unknownParameters: 'refuse', nullIsAbsent: false })
  if (!parsed.ok) return parsed
  const { metadata, ...fields } = parsed.value
  const change = parseMetadata({ metadata })
  if (!change.ok) return change
  return ok({ ...fields, metadata: change.value?.change ?? {} })
}
