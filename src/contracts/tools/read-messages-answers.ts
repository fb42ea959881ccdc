/**
 * Answers of `read_messages`: one schema for each view, from which the types of the
 * store come, and all together as one flat object for the published schema, in
 * which a message is described once.
 */
import * as z from 'zod'
import { MEMORY_KINDS, RELATION_TYPES } from '../../base/vocabulary.ts'
import { MAX_CONTEXT_MESSAGES } from '../limits.ts'
import { relationDirection, shownMessage as message } from '../messages/message-fields.ts'
import { described, text } from '../schema-parts.ts'

const nextCursor = described(text, 'The cursor of the next page; absent on the last page.')

export const historyAnswer = z.object({ history: z.array(message), nextCursor })

export const contentAnswer = z.object({
  content_range: z.object({
    message_id: z.string(),
    revision: z.int(),
    total_bytes: described(z.int(), 'UTF-8 bytes of the whole text.'),
    content_offset: z.int(),
    next_content_offset: described(z.int(), 'content_offset of the next chunk.'),
    complete: described(z.boolean(), 'This is the last chunk.'),
    content: z.string(),
  }),
})

const relationFields = {
  type: z.enum(RELATION_TYPES),
  direction: described(
    relationDirection,
    'outgoing: declared by the requested message, or by the one through which it was reached; incoming: declared to it.',
  ),
  depth: z.int(),
}

export const contextAnswer = z.object({
  message,
  chronological_context: z.object({ before: z.array(message), after: z.array(message) }),
  relations: z.array(
    z.union([
      z.object({ ...relationFields, message }),
      z.object({ ...relationFields, message_id: z.string(), status: z.literal('deleted') }),
    ]),
  ),
  session: z.object({ session_id: z.string(), message_count: z.int() }),
  truncated: described(
    z.boolean(),
    `Messages were omitted: the limit of ${MAX_CONTEXT_MESSAGES} messages, or of the size of an answer, was reached.`,
  ),
})

export const sessionsAnswer = z.object({
  sessions: z.array(
    z.object({
      session_id: z.string(),
      message_count: z.int(),
      kind_counts: described(z.partialRecord(z.enum(MEMORY_KINDS), z.int()), 'compact: only kinds that occur.'),
      representative_summary: described(
        z.string(),
        'The latest summary, or the latest content if there is no summary.',
      ),
      started_at: described(z.int(), 'Unix ms, like all times.'),
      started_at_text: described(text, 'compact: in RFC 3339.'),
      last_message_at: z.int(),
      last_message_at_text: text,
    }),
  ),
  nextCursor,
})

/** A message in the published schema, where `history` already describes its fields. */
const messageAsInHistory = z.record(z.string(), z.unknown())

export const readMessagesOutput = z
  .object({
    history: historyAnswer.shape.history,
    nextCursor,
    content_range: contentAnswer.shape.content_range,
    message: described(messageAsInHistory, 'context: has the fields of a message in history, like the messages below.'),
    chronological_context: z.object({ before: z.array(messageAsInHistory), after: z.array(messageAsInHistory) }),
    relations: z.array(
      z.object({
        ...relationFields,
        message: messageAsInHistory.exactOptional(),
        message_id: described(text, 'Instead of message, if it is deleted.'),
        status: z.literal('deleted').exactOptional(),
      }),
    ),
    session: contextAnswer.shape.session,
    truncated: contextAnswer.shape.truncated,
    sessions: sessionsAnswer.shape.sessions,
  })
  .partial()

export type HistoryAnswer = z.output<typeof historyAnswer>
export type ContentAnswer = z.output<typeof contentAnswer>
export type ContextAnswer = z.output<typeof contextAnswer>
export type SessionsAnswer = z.output<typeof sessionsAnswer>
export type ReadMessagesAnswer = HistoryAnswer | ContentAnswer | ContextAnswer | SessionsAnswer
