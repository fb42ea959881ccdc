/** Contract of `get_system_health`: reports the state of the caller's message store in numbers. It repairs nothing. */
import * as z from 'zod'
import type { Result } from '../../base/result.ts'
import { parseArguments } from '../arguments.ts'
import { described } from '../schema-parts.ts'
import { defineMemoryTool } from '../messages/ignored-arguments.ts'

const DESCRIPTION = `Report the state of the message store: status OK, or DEGRADED with the reason in last_error, which rebuild_index may repair. Also returns counts and sizes in bytes. It changes nothing, and it is not needed before messages are read or written.

memory_estimate counts stored bytes by purpose: nothing is held in RAM.`

const input = z.object({})

const output = z.object({
  status: z.enum(['OK', 'DEGRADED']),
  format_version: z.int(),
  log_size: described(z.int(), 'Bytes of the whole store.'),
  snapshot_size: described(z.int(), 'Bytes of the search index within it.'),
  active_messages: z.int(),
  deleted_messages: described(z.int(), 'Deleted messages that a rebuild will remove.'),
  last_sequence: described(z.int(), 'Number of changes of the store.'),
  update_records: described(z.int(), 'Updates since the last rebuild; they take no space.'),
  dead_bytes: described(z.int(), 'Bytes of deleted messages that a rebuild frees.'),
  memory_estimate: z.object({
    total_bytes: z.int(),
    store_entries_bytes: z.int(),
    body_bytes: z.int(),
    metadata_bytes: z.int(),
    search_index_bytes: z.int(),
    history_index_bytes: z.int(),
    relation_index_bytes: z.int(),
  }),
  io: described(
    z.object({
      write_bytes: z.int(),
      write_calls: z.int(),
      flush_calls: z.int(),
      truncate_calls: z.int(),
      replace_calls: z.int(),
    }),
    'Counts since the store last started.',
  ),
  recovered_tail: described(z.boolean(), 'Always false: a write is complete or absent.'),
  snapshot_valid: described(z.boolean(), 'The search index agrees with the messages.'),
  last_error: described(z.string(), 'Empty without an error.'),
})

export const getSystemHealthTool = defineMemoryTool({
  name: 'get_system_health',
  set: 'memory',
  title: 'Get the health of the message store',
  description: DESCRIPTION,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input,
  output,
})

type GetSystemHealthArguments = z.output<typeof input>
export type GetSystemHealthAnswer = z.output<typeof output>

/** The tool has no arguments. Ignores all that are given. */
export function parseGetSystemHealthArguments(value: unknown): Result<GetSystemHealthArguments> {
  return parseArguments(input, value, 'ignore')
}
