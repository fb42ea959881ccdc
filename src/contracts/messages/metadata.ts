/**
 * Metadata parameters of the conversation tools, in both of their forms. One
 * invalid element refuses the whole call. An unknown field is refused by name,
 * because ignoring a misspelt one would lose data.
 */
import * as z from 'zod'
import { invalid } from '../../base/failure.ts'
import { ok, refuse, type Result } from '../../base/result.ts'
import { MEMORY_KINDS, MEMORY_TIERS, RELATION_TYPES } from '../../base/vocabulary.ts'
import { toTime } from '../../base/time.ts'
import { ACCEPTED, parseParameter } from '../arguments.ts'
import {
  MAX_RELATIONS,
  MAX_SOURCE_MESSAGES,
  MAX_SUMMARY_BYTES,
  MAX_TAG_BYTES,
  MAX_TAGS,
  MAX_TOOL_CALL_ID_BYTES,
} from '../limits.ts'
import { anyCase, METADATA_FIELD, PARAMETER } from '../sent-values.ts'
import { fieldsOf, readFieldsBeside } from './fields-beside.ts'
import { readTwin } from './json-parameters.ts'
import { DEFAULT_METADATA, type MessageMetadata, type MetadataChange } from './message-fields.ts'
import { byteText, messageId, momentOrNone } from './message-parameters.ts'

export const memoryTier = anyCase(z.enum(MEMORY_TIERS))
export const memoryKind = anyCase(z.enum(MEMORY_KINDS))
export const tag = byteText({ minBytes: 1, maxBytes: MAX_TAG_BYTES, isName: true })

const relation = z
  .strictObject({ type: z.enum(RELATION_TYPES), message_id: messageId })
  .register(ACCEPTED, { accepted: 'an object of type and message_id' })

/** The published schema. Every field also accepts null, which is not published. */
const published = z.strictObject({
  tags: z
    .array(tag)
    .max(MAX_TAGS)
    .describe(`Searchable labels, also exact filters. 1 to ${MAX_TAG_BYTES} bytes each.`)
    .exactOptional(),
  memory_tier: memoryTier.describe('How long the message stays relevant.').exactOptional(),
  memory_kind: memoryKind.describe('The kind of memory.').exactOptional(),
  importance: z
    .int()
    .min(0)
    .max(100)
    .describe(`Breaks ties in search. Default ${DEFAULT_METADATA.importance}.`)
    .exactOptional(),
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
  expires_at: momentOrNone
    .describe('When the message expires and counts as deleted: Unix ms, RFC 3339 or a date. null: never.')
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

/** Names beside `metadata` under which its fields are accepted too. */
const NAMES_BESIDE = {
  tags: 'tags',
  importance: 'importance',
  memory_kind: 'memory_kind',
  kind: 'memory_kind',
  memory_tier: 'memory_tier',
  tier: 'memory_tier',
  summary: 'summary',
  expires_at: 'expires_at',
} as const satisfies Record<string, keyof MessageMetadata>

/** Parameters that are accepted without being published. */
export const UNPUBLISHED_METADATA = Object.keys(NAMES_BESIDE)

/**
 * Reads the metadata from the arguments of a call at `nowMs`; undefined when absent. An
 * empty summary or tool_call_id becomes null. Refuses a time of expiry that is past.
 */
export function parseMetadata(args: object, nowMs: number): Result<GivenMetadata | undefined> {
  const given = readTwin(args, 'metadata')
  if (!given.ok) return given
  const { parameter, value } = given.value ?? { parameter: 'metadata', value: {} }
  const inside = parseParameter(parameter, change, value, METADATA_FIELD)
  if (!inside.ok) return inside
  const beside = readFieldsBeside(args, NAMES_BESIDE, fieldsOf(parameter, inside.value), (name, field, one) =>
    parseParameter(name, change.shape[field], one, PARAMETER),
  )
  if (!beside.ok) return beside
  if (given.value === undefined && Object.keys(beside.value).length === 0) return ok(undefined)
  // Each value was parsed by the schema of its own field.
  const both: MetadataChange = { ...inside.value, ...(beside.value as MetadataChange) }
  const name = 'expires_at' in beside.value ? 'expires_at' : `${parameter}.expires_at`
  const expiry = refusePastExpiry(name, both.expires_at, nowMs)
  return expiry.ok ? ok({ parameter, change: withoutEmptyText(both) }) : expiry
}

/** Metadata that a program sends: read literally, and a time of expiry may be past. */
export function parseStoredMetadata(metadata: unknown): Result<GivenMetadata> {
  const parsed = parseParameter('metadata', change, metadata)
  return parsed.ok ? ok({ parameter: 'metadata', change: withoutEmptyText(parsed.value) }) : parsed
}

function withoutEmptyText(given: MetadataChange): MetadataChange {
  return {
    ...given,
    ...(given.summary === '' && { summary: null }),
    ...(given.tool_call_id === '' && { tool_call_id: null }),
  }
}

/** Times below it, in Unix ms, are before 1973; the same number of seconds is a time of today. */
const LIKELY_SECONDS = 100_000_000_000

function refusePastExpiry(name: string, ms: number | null | undefined, nowMs: number): Result<void> {
  if (ms == null || ms > nowMs) return ok(undefined)
  const problem = `${ms} (${toTime(ms)}) was given, which is past, accepted is a later time, in Unix ms`
  if (ms >= LIKELY_SECONDS) return refuse(invalid(name, problem))
  const inMs = `these are probably seconds instead of milliseconds, which would be ${ms * 1000} (${toTime(ms * 1000)})`
  return refuse(invalid(name, `${problem}; ${inMs}`))
}

/** Refuses a relation of a message to itself, which only an update or an import can declare. */
export function refuseSelfRelation({ parameter, change }: GivenMetadata, messageId: string): Result<void> {
  const at = change.relations?.findIndex((relation) => relation.message_id === messageId) ?? -1
  if (at < 0) return ok(undefined)
  const name = `${parameter}.relations[${at}].message_id`
  return refuse(invalid(name, 'it names the message itself, accepted is the message_id of another'))
}
