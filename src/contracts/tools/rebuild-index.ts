/** Contract of `rebuild_index`: removes deleted messages from the store and rebuilds its search index. */
import * as z from 'zod'
import type { Result } from '../../base/result.ts'
import { parseArguments } from '../arguments.ts'
import { described } from '../schema-parts.ts'
import { defineMemoryTool } from '../messages/ignored-arguments.ts'

const DESCRIPTION = `Rebuild the search index of the message store and remove deleted messages permanently. Use it to free the space of deleted messages, or when get_system_health reports DEGRADED. Search needs no rebuild after writes. Stored messages stay unchanged. During the rebuild other calls wait or fail with BUSY.

Afterwards deleted text cannot be recovered through these tools. The hosting platform itself may keep 30 days of point-in-time recovery. Returns the numbers of indexed messages and removed records.`

const input = z.object({})

const output = z.object({
  status: z.literal('OK'),
  messages_indexed: z.int(),
  records_removed: described(z.int(), 'Removed messages, plus updates since the last rebuild.'),
  bytes_before: described(z.int(), 'Bytes of the store before the rebuild.'),
  bytes_after: z.int(),
})

export const rebuildIndexTool = defineMemoryTool({
  name: 'rebuild_index',
  set: 'memory',
  title: 'Rebuild the message index',
  description: DESCRIPTION,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input,
  output,
})

type RebuildIndexArguments = z.output<typeof input>
export type RebuildIndexAnswer = z.output<typeof output>

/** The tool has no arguments. Ignores all that are given. */
export function parseRebuildIndexArguments(value: unknown): Result<RebuildIndexArguments> {
  return parseArguments(input, value, 'ignore')
}
