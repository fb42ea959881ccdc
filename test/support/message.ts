/** A message of an answer, with every field that it can have. */
import type { Message } from '../../src/contracts/messages/message-fields.ts'

export const MESSAGE: Message = {
  message_id: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
  session_id: 's',
  timestamp: 1_469_918_176_385,
  role: 'user',
  content: 'hel',
  revision: 2,
  updated_at: 1_469_918_176_386,
  metadata: {
    tags: ['a'],
    memory_tier: 'short',
    memory_kind: 'conversation',
    importance: 50,
    relations: [{ type: 'supersedes', message_id: '01BX5ZZKBKACTAV9WEVGEMMVRZ' }],
    source_message_ids: ['01BX5ZZKBKACTAV9WEVGEMMVRZ'],
    tool_call_id: 't',
    summary: 'a greeting',
    expires_at: 4_102_444_800_000,
  },
  content_bytes: 5,
  content_truncated: true,
}
