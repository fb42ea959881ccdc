/**
 * Messages in the form that the caller requested. The compact form keeps what a
 * reader needs: it omits metadata that has its default value and a time of change
 * that equals the time of the write, and adds times as text.
 */
import { toTime } from '../../base/time.ts'
import { DEFAULT_METADATA, type MessageMetadata, type ShownMessage } from '../../contracts/messages/message-fields.ts'
import type { Detail } from '../../contracts/messages/message-parameters.ts'
import { toMessage, type MessageRow } from '../store/message-row.ts'

/** The form of messages in an answer. */
export interface MessageForm {
  readonly detail: Detail
  /** Code points to which the caller wants content cut; undefined: whole content. */
  readonly preview_chars?: number
}

/**
 * The message in the requested form. `compactChars` is the number of code points to
 * which the content of a compact message is cut if the caller gave none; its size
 * is then shown only where something was cut.
 */
export function toShownMessage(
  row: MessageRow,
  { detail, preview_chars }: MessageForm,
  compactChars?: number,
): ShownMessage {
  if (detail === 'full') return toMessage(row, preview_chars)
  const { message_id, session_id, timestamp, role, content, revision, updated_at, metadata, ...size } = toMessage(
    row,
    preview_chars ?? compactChars,
  )
  const set = setFields(metadata)
  return {
    message_id,
    session_id,
    timestamp,
    timestamp_text: toTime(timestamp),
    role,
    content,
    revision,
    ...(updated_at !== timestamp && { updated_at, updated_at_text: toTime(updated_at) }),
    ...(Object.keys(set).length > 0 && { metadata: set }),
    ...(set.expires_at !== undefined && { expires_at_text: toTime(set.expires_at) }),
    ...((preview_chars !== undefined || size.content_truncated === true) && size),
  }
}

/** The fields of metadata whose value is not the default. */
function setFields(metadata: MessageMetadata): Partial<MessageMetadata> {
  const defaults: Readonly<Record<string, unknown>> = DEFAULT_METADATA
  return Object.fromEntries(
    Object.entries(metadata).filter(([field, value]) =>
      Array.isArray(value) ? value.length > 0 : value !== defaults[field],
    ),
  )
}
