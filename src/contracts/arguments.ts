/**
 * Parses the arguments of a call by the input schema of its contract. Every refusal
 * names the parameter, the problem and the accepted values, which are read from the
 * same schema that clients get.
 */
import * as z from 'zod'
import { invalid, type Failure } from '../base/failure.ts'
import { ok, refuse, type Result } from '../base/result.ts'
import { isRecord } from '../base/json-value.ts'
import { cutToChars } from '../base/text-cut.ts'
import { toJsonSchema } from './tool-contract.ts'
import { MAX_CHECKED_ITEMS, MAX_JSON_DEPTH, MAX_SHOWN_CHARS } from './limits.ts'
import { nearestName } from './nearest-name.ts'
import { isOptional, PARAMETER, readSent, type Reading } from './sent-values.ts'

/** Accepted values in words, for schemas whose keywords do not express them: `schema.register(ACCEPTED, { accepted })`. */
export const ACCEPTED = z.registry<{ accepted: string }>()

/**
 * The arguments of a tool call, read as models send them (sent-values.ts).
 * Unknown parameters are refused by name, or ignored; `undefined` and `null` count
 * as an empty object.
 */
export function parseArguments<Schema extends z.ZodObject>(
  schema: Schema,
  value: unknown,
  unknownParameters: 'refuse' | 'ignore',
): Result<z.output<Schema>> {
  const given = value ?? {}
  if (!isRecord(given)) return refuse(notAnObject(given))
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(schema.shape, name))
  if (unknown !== undefined && unknownParameters === 'refuse') return refuse(unknownParameter(schema, given, unknown))
  const known = Object.fromEntries(Object.entries(given).filter(([name]) => Object.hasOwn(schema.shape, name)))
  return parseKnown(schema, readSent(schema, known, PARAMETER) as Record<string, unknown>)
}

/** The fields of an object that a program sends: read literally, unknown ones are refused by name. */
export function parseFields<Schema extends z.ZodObject>(schema: Schema, value: unknown): Result<z.output<Schema>> {
  if (!isRecord(value)) return refuse(notAnObject(value))
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(schema.shape, name))
  return unknown === undefined ? parseKnown(schema, value) : refuse(unknownParameter(schema, value, unknown))
}

function parseKnown<Schema extends z.ZodObject>(
  schema: Schema,
  known: Record<string, unknown>,
): Result<z.output<Schema>> {
  const longList = findLongList(known)
  if (longList !== undefined) return refuse(toFailure(schema, known, longList))
  const parsed = schema.safeParse(known)
  return parsed.success ? ok(parsed.data) : refuse(toFailure(schema, known, firstIssue(parsed.error)))
}

/** Parses one parameter, without the rest of a call; with a reading as models send it, else literally. */
export function parseParameter<Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  value: unknown,
  reading?: Reading,
): Result<z.output<Schema>> {
  const read = reading === undefined ? value : readSent(schema, value, reading)
  const parsed = parseKnown(z.object({ [name]: schema }), { [name]: read })
  return parsed.ok ? ok(parsed.value[name] as z.output<Schema>) : parsed
}

function notAnObject(given: unknown): Failure {
  return invalid('arguments', `${describeValue(given)} was given, accepted is an object of named parameters`)
}

/** An issue for the first list above MAX_CHECKED_ITEMS, level by level; no schema is as deep as the last level. */
function findLongList(known: Record<string, unknown>): SchemaIssue | undefined {
  let level: { readonly path: PropertyKey[]; readonly value: object }[] = [{ path: [], value: known }]
  for (let depth = 0; level.length > 0 && depth < MAX_JSON_DEPTH; depth += 1) {
    const long = level.find(({ value }) => Array.isArray(value) && value.length > MAX_CHECKED_ITEMS)
    if (long !== undefined) return { code: 'too_big', path: long.path }
    level = level.flatMap(({ path, value }) =>
      Object.entries(value).flatMap(([step, inner]: [string, unknown]) =>
        typeof inner === 'object' && inner !== null
          ? [{ path: [...path, Array.isArray(value) ? Number(step) : step], value: inner }]
          : [],
      ),
    )
  }
  return undefined
}

function firstIssue(error: z.ZodError): z.core.$ZodIssue {
  const [first] = error.issues
  if (first === undefined) throw new Error('a schema refused without an issue')
  return first
}

/** Names a required parameter that is missing, too: the unknown one may be the caller's word for it. */
function unknownParameter({ shape }: z.ZodObject, given: Record<string, unknown>, name: string): Failure {
  const names = Object.keys(shape)
  const missing = names.find((known) => given[known] == null && !isOptional(shape[known]!))
  const nearest = nearestName(name, names)
  return invalid(
    shortName(name),
    `unknown parameter${missing === undefined ? '' : `, and ${missing} is missing`}`,
    [
      ...(nearest === undefined ? [] : [`Did you mean ${nearest}?`]),
      names.length === 0 ? 'There are no parameters.' : `Known parameters: ${names.join(', ')}.`,
    ].join(' '),
  )
}

/** The parts of a zod issue that a refusal uses. */
type SchemaIssue = Pick<z.core.$ZodIssue, 'code' | 'path'> & {
  readonly message?: string
  readonly keys?: readonly string[]
}

function toFailure(schema: z.ZodObject, given: Record<string, unknown>, issue: SchemaIssue): Failure {
  const parameter = issue.path.length === 0 ? 'arguments' : pathText(issue.path)
  const { named, reached } = propertyAt(schema, issue.path)
  if (issue.code === 'unrecognized_keys') {
    const known = Object.keys(reached.properties ?? {}).join(', ')
    const unknown = shortName(issue.keys?.[0] ?? '')
    return invalid(`${parameter}.${unknown}`, 'unknown field', `Known fields: ${known}.`)
  }
  let at: unknown = given
  for (const step of issue.path) at = (at as Record<PropertyKey, unknown>)[step]
  if (at === undefined) return invalid(parameter, `missing, accepted is ${describe(named)}`)
  // The message of a refinement says what is accepted; otherwise the schema does.
  const wanted = issue.code === 'custom' ? issue.message : `accepted is ${describe(named)}`
  return invalid(parameter, `${describeValue(at)} was given, ${wanted}`)
}

/** `metadata.relations[2].type` */
function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`
    return text === '' ? String(step) : `${text}.${String(step)}`
  }, '')
}

/** The part of a name that an answer repeats. */
export function shortName(name: string): string {
  return cutToChars(name, MAX_SHOWN_CHARS).toWellFormed()
}

/** The value when it is short, else its kind and size. */
export function describeValue(value: unknown): string {
  if (typeof value === 'string') {
    return value.length <= MAX_SHOWN_CHARS ? JSON.stringify(value) : `a text of ${value.length} characters`
  }
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  return String(value)
}

/**
 * The part of the schema at a path, and the last named one on the way: a refusal
 * of a list item describes the whole list, with its limits.
 */
function propertyAt(
  schema: z.ZodObject,
  path: readonly PropertyKey[],
): { readonly named: SchemaProperty; readonly reached: SchemaProperty } {
  let reached: SchemaProperty = toJsonSchema(schema, ACCEPTED)
  let named = reached
  for (const step of path) {
    const inner = typeof step === 'number' ? reached.items : reached.properties?.[String(step)]
    // A nullable schema is a union of one schema and null.
    reached = inner?.anyOf?.find(({ type }) => type !== 'null') ?? inner ?? {}
    if (typeof step !== 'number') named = inner ?? {}
  }
  return { named, reached }
}

interface SchemaProperty {
  readonly accepted?: string
  readonly type?: string
  readonly anyOf?: readonly SchemaProperty[]
  readonly properties?: Readonly<Record<string, SchemaProperty>>
  readonly enum?: readonly unknown[]
  readonly maxLength?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: SchemaProperty
}

function describe(property: SchemaProperty): string {
  if (property.accepted !== undefined) return property.accepted
  const choices = property.anyOf?.filter(({ type }) => type !== 'null')
  if (choices) return choices.map(describe).join(' or ')
  if (property.enum) return `one of ${property.enum.map((word) => JSON.stringify(word)).join(', ')}`
  switch (property.type) {
    case 'string':
      return property.maxLength === undefined ? 'a text' : `a text of at most ${property.maxLength} characters`
    case 'boolean':
      return 'true or false'
    case 'integer':
    case 'number':
      return `${property.type === 'integer' ? 'a whole number' : 'a number'}${range(property)}`
    case 'array':
      return `a list${property.maxItems === undefined ? '' : ` of at most ${property.maxItems}`}, each ${describe(property.items ?? {})}`
    default:
      return 'an object'
  }
}

function range({ minimum, maximum }: SchemaProperty): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`
  if (minimum !== undefined) return ` of at least ${minimum}`
  return maximum === undefined ? '' : ` of at most ${maximum}`
}
