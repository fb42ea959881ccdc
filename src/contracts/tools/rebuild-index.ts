/** The contract of `rebuild_index`: deleted messages out of the store, and the search index made again. */
import * as z from 'zod'
import type { Result } from '../../base/result.ts'
import { parseArguments } from '../arguments.ts'
import { meaning } from '../schema-parts.ts'
import { defineTool } from '../tool-contract.ts'

const DESCRIPTION = `Make the search index of the message store again and remove deleted messages for good. Use it to wipe deleted text, or when get_system_health says DEGRADED; search needs no rebuild after writes. Stored messages stay as they are, and other calls wait or get BUSY meanwhile.

Afterwards deleted text cannot be recovered through these tools; outside them the hosting platform keeps 30 days of point-in-time recovery. Answers with what was indexed and removed.`

const input = z.object({})

const output = z.object({
  status: z.literal('OK'),
  messages_indexed: z.int(),
  records_removed: meaning(z.int(), 'Deleted messages, and update records since the last rebuild.'),
  bytes_before: meaning(z.int(), 'Bytes of the store.'),
  bytes_after: z.int(),
})

export const rebuildIndexTool = defineTool({
  name: 'rebuild_index',
  set: 'memory',
  title: 'Rebuild the message index',
  description: DESCRIPTION,
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  input,
  output,
})

export type RebuildIndexArguments = z.output<typeof input>
export type RebuildIndexAnswer = z.output<typeof output>

/** There are none; whatever is given is passed over. */
export function parseRebuildIndexArguments(value: unknown): Result<RebuildIndexArguments> {
  return parseArguments(input, value, { unknownParameters: 'ignore', nullIsAbsent: false })
}
