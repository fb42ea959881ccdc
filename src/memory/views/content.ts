/** The content view: a byte range of a message's content that never splits a character. */
import { Buffer } from 'node:buffer'
import { invalid } from '../../base/failure.ts'
import { ok, refuse, type Result } from '../../base/result.ts'
import { byteBoundary, isContinuationByte } from '../../base/text-cut.ts'
import type { ContentAnswer } from '../../contracts/tools/read-messages-answers.ts'
import type { ContentArguments } from '../../contracts/tools/read-messages.ts'
import { row, type Database } from '../store/message-database.ts'
import { staleRevision, unknownMessage } from '../store/live-message.ts'

/** Bytes of the longest character in UTF-8. */
const CHARACTER_BYTES = 4

/** Refuses with NOT_FOUND, CONFLICT, or VALIDATION_ERROR for an offset beyond the end or inside a character, in this order. */
export function readContent(database: Database, args: ContentArguments): Result<ContentAnswer> {
  const { message_id, content_offset: offset, content_limit: limit } = args
  const range = row<{ revision: number; total: number; bytes: ArrayBuffer }>(
    database,
    `SELECT revision, content_bytes AS total, substr(CAST(content AS BLOB), ? + 1, ?) AS bytes
    FROM messages WHERE message_id = ? AND deleted = 0`,
    offset,
    limit + CHARACTER_BYTES,
    message_id,
  )
  if (range === undefined) return refuse(unknownMessage())
  const { revision, total } = range
  const conflict = staleRevision(args.expected_revision, revision)
  if (conflict !== undefined) return refuse(conflict)
  if (offset > total) {
    return refuse(invalid('content_offset', `${offset} is beyond the end`, `The content has ${total} bytes.`))
  }
  const bytes = Buffer.from(range.bytes)
  if (offset > 0 && isContinuationByte(bytes[0])) {
    const hint = 'Continue at next_content_offset of the previous chunk.'
    return refuse(invalid('content_offset', `${offset} is in the middle of a character`, hint))
  }
  const length = prefixBytes(bytes, limit)
  const next = offset + length
  return ok({
    content_range: {
      message_id,
      revision,
      total_bytes: total,
      content_offset: offset,
      next_content_offset: next,
      complete: next === total,
      content: bytes.toString('utf8', 0, length),
    },
  })
}

/** Length in bytes of the longest prefix of whole characters within `limit`, or of the first character if it is longer. */
function prefixBytes(bytes: Uint8Array, limit: number): number {
  let end = byteBoundary(bytes, limit)
  for (let longer = limit + 1; end === 0 && longer <= bytes.length; longer += 1) end = byteBoundary(bytes, longer)
  return end
}
