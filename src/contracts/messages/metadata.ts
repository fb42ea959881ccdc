/**
 * Metadata as a caller gives it, in either of its two forms, with one set of
 * rules behind both. One wrong element refuses the whole, and an unknown field
 * is refused by name, because dropping a misspelt one would lose data.
 */
import * as z from 'zod'
import { invalid } from '../../base/failure.ts'
import { ok, refuse, type Result } from '../../base/result.ts'
import { MEMORY_KINDS, MEMORY_TIERS, RELATION_TYPES } from '../../base/vocabulary.ts'
import { ACCEPTED, parseParameter } from '../arguments.ts'
import { byteText, messageId } from './message-parameters.ts'
import type { MessageMetadata, MetadataChange } from './message-fields.ts'
import { readTwin } from './json-parameters.ts'

export const MOST_TAGS = 32

export const tag = byteText({ minBytes: 1, maxBytes: 128, isName: true })

const relation = z
  .strictObject({ type: z.enum(RELATION_TYPES), message_id: messageId })
  .register(ACCEPTED, { accepted: 'an object of type and message_id' })

/** A moment that a message may carry, in Unix ms. */
const expiry = z.int().min(0).register(ACCEPTED, { accepted: 'Unix ms, a whole number from 0 to 9007199254740991' })

/** As it is published, without the null that every field takes too. */
const published = z.strictObject({
  tags: z.array(tag).max(MOST_TAGS).describe('Searched, and filtered by exactly. 1 to 128 bytes each.').exactOptional(),
  memory_tier: z.enum(MEMORY_TIERS).describe('How long it should matter.').exactOptional(),
  memory_kind: z.enum(MEMORY_KINDS).describe('What sort of memory it is.').exactOptional(),
  importance: z.int().min(0).max(100).describe('Breaks ties in search; 50 unless told.').exactOptional(),
  summary: byteText({ minBytes: 0, maxBytes: 4096 }).describe('Searched too. Empty: none.').exactOptional(),
  relations: z
    .array(relation)
    .max(32)
    .describe('What this message depends_on, is derived_from, supersedes or is related_to.')
    .exactOptional(),
  source_message_ids: z.array(messageId).max(64).describe('Messages this one was made from.').exactOptional(),
  tool_call_id: byteText({ minBytes: 0, maxBytes: 256, isName: true })
    .describe('The tool call it belongs to. Empty: none.')
    .exactOptional(),
  expires_at: expiry.nullable().describe('Unix ms from which it counts as deleted. null: never.').exactOptional(),
} satisfies Record<keyof MessageMetadata, z.ZodExactOptional>)

const change = z.strictObject(withNull(published.shape))

type WithNull<Fields extends Record<string, z.ZodExactOptional>> = {
  [Field in keyof Fields]: z.ZodExactOptional<z.ZodNullable<ReturnType<Fields[Field]['unwrap']>>>
}

function withNull<Fields extends Record<string, z.ZodExactOptional>>(fields: Fields): WithNull<Fields> {
  const taking = Object.entries(fields).map(([name, field]) => [name, z.nullable(field.unwrap()).exactOptional()])
  return Object.fromEntries(taking) as WithNull<Fields>
}

/** The two parameters, as a tool publishes them. */
export function metadataParameters(description: string) {
  return {
    metadata: published.describe(description).exactOptional(),
    metadata_json: z.string().describe('metadata as JSON text, in its place.').exactOptional(),
  }
}

export interface GivenMetadata {
  /** The form that was used, for refusals to name. */
  readonly parameter: string
  readonly change: MetadataChange
}

/** The metadata among the arguments of a call; undefined when there is none. Empty texts come out as null. */
export function parseMetadata(args: object): Result<GivenMetadata | undefined> {
  const given = readTwin(args, 'metadata')
  if (!given.ok || given.value === undefined) return given as Result<undefined>
  const { parameter, value } = given.value
  const parsed = parseParameter(parameter, change, value)
  if (!parsed.ok) return parsed
  const emptied: MetadataChange = {
    ...(parsed.value.summary === '' && { summary: null }),
    ...(parsed.value.tool_call_id === '' && { tool_call_id: null }),
  }
  return ok({ parameter, change: { ...parsed.value, ...emptied } })
}

/** Refuses metadata in which a message names itself; only a change of a stored message can. */
export function refuseSelfRelation({ parameter, change }: GivenMetadata, messageId: string): Result<void> {
  const at = change.relations?.findIndex((relation) => relation.message_id === messageId) ?? -1
  if (at < 0) return ok(undefined)
  const name = `${parameter}.relations[${at}].message_id`
  return refuse(invalid(name, 'it names the message itself, accepted is the message_id of another'))
}
