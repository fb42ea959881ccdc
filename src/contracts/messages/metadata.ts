/**
 * Metadata parameters of the conversation tools, in both of their forms. One
 * invalid element refuses the whole call. An unknown field is refused by name,
 * because ignoring a misspelt one would lose data.
 */
import * as z from 'zod'
import { invalid } from '../../base/failure.ts'
import { ok, refuse, type Result } from '../../base/result.ts'
import { MEMORY_KINDS, MEMORY_TIERS, RELATION_TYPES } from '../../base/vocabulary.ts'
import { ACCEPTED, parseParameter } from '../arguments.ts'
import {
  MAX_RELATIONS,
  MAX_SOURCE_MESSAGES,
  MAX_SUMMARY_BYTES,
  MAX_TAG_BYTES,
  MAX_TAGS,
  MAX_TOOL_CALL_ID_BYTES,
} from '../limits.ts'
import { byteText, messageId } from './message-parameters.ts'
import type { MessageMetadata, MetadataChange } from './message-fields.ts'
import { readTwin } from './json-parameters.ts'

export const tag = byteText({ minBytes: 1, maxBytes: MAX_TAG_BYTES, isName: true })

const relation = z
  .strictObject({ type: z.enum(RELATION_TYPES), message_id: messageId })
  .register(ACCEPTED, { accepted: 'an object of type and message_id' })

/** The expiry time of a message, in Unix ms. */
const expiry = z.int().min(0).register(ACCEPTED, { accepted: 'Unix ms, a whole number from 0 to 9007199254740991' })

/** The published schema. Every field also accepts null, which is not published. */
const published = z.strictObject({
  tags: z
    .array(tag)
    .max(MAX_TAGS)
    .describe('Searchable labels, also exact filters. 1 to 128 bytes each.')
    .exactOptional(),
  memory_tier: z.enum(MEMORY_TIERS).describe('How long the message stays relevant.').exactOptional(),
  memory_kind: z.enum(MEMORY_KINDS).describe('The kind of memory.').exactOptional(),
  importance: z.int().min(0).max(100).describe('Breaks ties in search. Default 50.').exactOptional(),
  summary: byteText({ minBytes: 0, maxBytes: MAX_SUMMARY_BYTES })
    .describe('Searchable summary. Empty text: none.')
    .exactOptional(),
  relations: z
    .array(relation)
    .max(MAX_RELATIONS)
    .describe('Other messages that this one depends_on, is derived_from, supersedes or is related_to.')
    .exactOptional(),
  source_message_ids: z
    .array(messageId)
    .max(MAX_SOURCE_MESSAGES)
    .describe('Messages from which this one was made.')
    .exactOptional(),
  tool_call_id: byteText({ minBytes: 0, maxBytes: MAX_TOOL_CALL_ID_BYTES, isName: true })
    .describe('The tool call to which the message belongs. Empty text: none.')
    .exactOptional(),
  expires_at: expiry
    .nullable()
    .describe('Unix ms at which the message expires and counts as deleted. null: never.')
    .exactOptional(),
} satisfies Record<keyof MessageMetadata, z.ZodExactOptional>)

const change = z.strictObject(withNull(published.shape))

type WithNull<Fields extends Record<string, z.ZodExactOptional>> = {
  [Field in keyof Fields]: z.ZodExactOptional<z.ZodNullable<ReturnType<Fields[Field]['unwrap']>>>
}

function withNull<Fields extends Record<string, z.ZodExactOptional>>(fields: Fields): WithNull<Fields> {
  const taking = Object.entries(fields).map(([name, field]) => [name, z.nullable(field.unwrap()).exactOptional()])
  return Object.fromEntries(taking) as WithNull<Fields>
}

/** The two forms of the parameter for the input schema of a tool. */
export function metadataParameters(description: string) {
  return {
    metadata: published.describe(description).exactOptional(),
    metadata_json: z.string().describe('metadata as JSON text, instead of metadata.').exactOptional(),
  }
}

interface GivenMetadata {
  /** The name of the form that was given, for refusals. */
  readonly parameter: string
  readonly change: MetadataChange
}

/** Reads the metadata from the arguments of a call; undefined when absent. An empty summary or tool_call_id becomes null. */
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

/** Refuses a relation of a message to itself, which only an update or an import can declare. */
export function refuseSelfRelation({ parameter, change }: GivenMetadata, messageId: string): Result<void> {
  const at = change.relations?.findIndex((relation) => relation.message_id === messageId) ?? -1
  if (at < 0) return ok(undefined)
  const name = `${parameter}.relations[${at}].message_id`
  return refuse(invalid(name, 'it names the message itself, accepted is the message_id of another'))
}
