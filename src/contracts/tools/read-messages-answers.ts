/**
 * The answers of `read_messages`: one shape for each view, for the code that
 * builds them, and all of them as one flat object, for the published schema,
 * where a message is spelt out once.
 */
import * as z from 'zod'
import { MEMORY_KINDS, RELATION_TYPES } from '../../base/vocabulary.ts'
import { message } from '../messages/message-fields.ts'
import { meaning, text } from '../schema-parts.ts'

const nextCursor = meaning(text, 'cursor of the next page; absent on the last.')

export const historyAnswer = z.object({ history: z.array(message), nextCursor })

export const contentAnswer = z.object({
  content_range: z.object({
    message_id: z.string(),
    revision: z.int(),
    total_bytes: meaning(z.int(), 'Bytes of the whole text.'),
    content_offset: z.int(),
    next_content_offset: meaning(z.int(), 'content_offset of the next piece.'),
    complete: meaning(z.boolean(), 'Nothing is left after this piece.'),
    content: z.string(),
  }),
})

const relationFields = {
  type: z.enum(RELATION_TYPES),
  direction: meaning(
    z.enum(['outgoing', 'incoming']),
    'outgoing: declared by the message nearer to the one asked for.',
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
  truncated: meaning(z.boolean(), 'Something was left out: 50 messages or the size of an answer were reached.'),
})

export const sessionsAnswer = z.object({
  sessions: z.array(
    z.object({
      session_id: z.string(),
      message_count: z.int(),
      kind_counts: z.record(z.enum(MEMORY_KINDS), z.int()),
      representative_summary: meaning(z.string(), 'The latest summary, or the latest content where there is none.'),
      started_at: meaning(z.int(), 'Unix ms, as all times.'),
      last_message_at: z.int(),
    }),
  ),
  nextCursor,
})

/** A message where another field of the same schema shows what one is. */
const likeHistory = z.record(z.string(), z.unknown())

export const readMessagesOutput = z
  .object({
    history: historyAnswer.shape.history,
    nextCursor,
    content_range: contentAnswer.shape.content_range,
    message: meaning(likeHistory, 'context: as in history, as are the messages below.'),
    chronological_context: z.object({ before: z.array(likeHistory), after: z.array(likeHistory) }),
    relations: z.array(
      z.object({
        ...relationFields,
        message: likeHistory.exactOptional(),
        message_id: meaning(text, 'In place of message, when that is deleted.'),
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
