/** The contract of `get_system_health`: the state of the caller's message store in numbers. It never repairs. */
import * as z from 'zod'
import type { Result } from '../../base/result.ts'
import { parseArguments } from '../arguments.ts'
import { meaning } from '../schema-parts.ts'
import { defineTool } from '../tool-contract.ts'

const DESCRIPTION = `Tell how the message store is: status OK, or DEGRADED with the reason in last_error, and then rebuild_index may mend it. Also counts and sizes in bytes. It changes nothing, and ordinary reading and writing does not need it.

memory_estimate is bytes stored, by purpose: nothing is held in RAM.`

const input = z.object({})

const output = z.object({
  status: z.enum(['OK', 'DEGRADED']),
  format_version: z.int(),
  log_size: meaning(z.int(), 'Bytes of the whole store.'),
  snapshot_size: meaning(z.int(), 'Bytes of the search index in it.'),
  active_messages: z.int(),
  deleted_messages: meaning(z.int(), 'Deleted, and not yet removed by a rebuild.'),
  last_sequence: meaning(z.int(), 'Changes of the store so far.'),
  update_records: meaning(z.int(), 'Updates since the last rebuild; they take no space.'),
  dead_bytes: meaning(z.int(), 'Bytes of deleted messages that a rebuild frees.'),
  memory_estimate: z.object({
    total_bytes: z.int(),
    store_entries_bytes: z.int(),
    body_bytes: z.int(),
    metadata_bytes: z.int(),
    search_index_bytes: z.int(),
    history_index_bytes: z.int(),
    relation_index_bytes: z.int(),
  }),
  io: meaning(
    z.object({
      write_bytes: z.int(),
      write_calls: z.int(),
      flush_calls: z.int(),
      truncate_calls: z.int(),
      replace_calls: z.int(),
    }),
    'Since the store was last started.',
  ),
  recovered_tail: meaning(z.boolean(), 'Always false: a write is whole or not there.'),
  snapshot_valid: meaning(z.boolean(), 'The search index agrees with the messages.'),
  last_error: meaning(z.string(), 'Empty when there is none.'),
})

export const getSystemHealthTool = defineTool({
  name: 'get_system_health',
  set: 'memory',
  title: 'Get the health of the message store',
  description: DESCRIPTION,
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
  input,
  output,
})

export type GetSystemHealthArguments = z.output<typeof input>
export type GetSystemHealthAnswer = z.output<typeof output>

/** There are none; whatever is given is passed over. */
export function parseGetSystemHealthArguments(value: unknown): Result<GetSystemHealthArguments> {
  return parseArguments(input, value, { unknownParameters: 'ignore', nullIsAbsent: false })
}
