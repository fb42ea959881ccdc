/**
 * Reads the arguments of a call against a contract's input schema. Every
 * refusal names the parameter, what was wrong with it and what is accepted,
 * and what is accepted is read off the same schema that clients are served.
 */
import * as z from 'zod'
import { invalid, type Failure } from '../base/failure.ts'
import { ok, refuse, type Result } from '../base/result.ts'
import { cutToChars } from '../base/text-cut.ts'
import { toJsonSchema } from './tool-contract.ts'
export interface ArgumentRules {
  /** A parameter the schema does not know: refused by name, or passed over. */
  readonly unknownParameters: 'refuse' | 'ignore'
  /** `null` for an optional parameter counts as not given. */
  readonly nullIsAbsent: boolean
}

/** What a schema accepts, where its keywords do not say it whole; `schema.register(ACCEPTED, { accepted })`. */
export const ACCEPTED = z.registry<{ accepted: string }>()

/** Longest part of a caller's value that a refusal repeats, in UTF-16 units. */
const SHOWN_CHARS = 40

/** No arguments at all are the empty object. */
export function parseArguments<Schema extends z.ZodObject>(
  schema: Schema,
  value: unknown,
  rules: ArgumentRules,
): Result<z.output<Schema>> {
  const given = value ?? {}
  if (typeof given !== 'object' || Array.isArray(given)) {
    return refuse(invalid('arguments', `${shown(given)} was given, accepted is an object of named parameters`))
  }
  const known: Record<string, unknown> = {}
  for (const [name, argument] of Object.entries(given)) {
    const parameter = Object.hasOwn(schema.shape, name) ? schema.shape[name] : undefined
    if (parameter === undefined) {
      if (rules.unknownParameters === 'refuse') return refuse(unknownParameter(schema, name))
    } else if (argument !== null || !rules.nullIsAbsent || !isOptional(parameter)) {
      known[name] = argument
    }
  }
  const longList = findLongList(known)
  if (longList !== undefined) return refuse(toFailure(schema, known, longList))
  const parsed = schema.safeParse(known)
  if (parsed.success) return ok(parsed.data)
  return refuse(toFailure(schema, known, firstOf(parsed.error)))
}

/** One parameter by itself, for a value that was not read together with the others. */
export function parseParameter<Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  value: unknown,
): Result<z.output<Schema>> {
  const known = { [name]: value }
  const longList = findLongList(known)
  const parsed = longList === undefined ? schema.safeParse(value) : undefined
  if (parsed?.success) return ok(parsed.data)
  const first = parsed === undefined ? undefined : firstOf(parsed.error)
  const issue = first === undefined ? longList! : { ...first, path: [name, ...first.path] }
  return refuse(toFailure(z.object({ [name]: schema }), known, issue))
}

/** Longest list that is looked at item by item. No parameter takes as many, and every wrong one would be an issue. */
const LOOKED_ITEMS = 1000

/** The first list that is longer, level by level, as an issue with it. */
function findLongList(known: Record<string, unknown>): Issue | undefined {
  let level: { readonly path: PropertyKey[]; readonly value: object }[] = [{ path: [], value: known }]
  while (level.length > 0) {
    const long = level.find(({ value }) => Array.isArray(value) && value.length > LOOKED_ITEMS)
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

function firstOf(error: z.ZodError): z.core.$ZodIssue {
  const [first] = error.issues
  if (first === undefined) throw new Error('a schema refused without an issue')
  return first
}

function isOptional(parameter: z.core.$ZodType): boolean {
  return parameter._zod.optin !== undefined
}

function unknownParameter(schema: z.ZodObject, name: string): Failure {
  const names = Object.keys(schema.shape)
  return invalid(startOf(name), 'unknown parameter', `Known parameters: ${names.join(', ')}.`)
}

/** What of a schema's issue a refusal is made of. */
type Issue = Pick<z.core.$ZodIssue, 'code' | 'path'> & { readonly message?: string; readonly keys?: readonly string[] }

function toFailure(schema: z.ZodObject, given: Record<string, unknown>, issue: Issue): Failure {
  const parameter = issue.path.length === 0 ? 'arguments' : pathText(issue.path)
  const { named, reached } = propertyAt(schema, issue.path)
  if (issue.code === 'unrecognized_keys') {
    const known = Object.keys(reached.properties ?? {}).join(', ')
    const unknown = startOf(issue.keys?.[0] ?? '')
    return invalid(`${parameter}.${unknown}`, 'unknown field', `Known fields: ${known}.`)
  }
  let at: unknown = given
  for (const step of issue.path) at = (at as Record<PropertyKey, unknown>)[step]
  if (at === undefined) return invalid(parameter, `missing, accepted is ${kind(named)}`)
  // A refinement words what it accepts itself; for the rest the schema does.
  const wanted = issue.code === 'custom' ? issue.message : `accepted is ${kind(named)}`
  return invalid(parameter, `${shown(at)} was given, ${wanted}`)
}

/** `metadata.relations[2].type` */
function pathText(path: readonly PropertyKey[]): string {
  return path.reduce<string>((text, step) => {
    if (typeof step === 'number') return `${text}[${step}]`
    return text === '' ? String(step) : `${text}.${String(step)}`
  }, '')
}

/** As much of a name as a refusal repeats, never half a surrogate pair. */
function startOf(name: string): string {
  return cutToChars(name, SHOWN_CHARS).toWellFormed()
}

/** The value where it is short enough to be worth showing, else its kind and size. */
export function shown(value: unknown): string {
  if (typeof value === 'string') {
    return value.length <= SHOWN_CHARS ? JSON.stringify(value) : `a text of ${value.length} characters`
  }
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  return String(value)
}

/**
 * The part of the schema that a path reaches, and the last on the way that has
 * a name: an item of a list is told by the whole list, with its limits.
 */
function propertyAt(
  schema: z.ZodObject,
  path: readonly PropertyKey[],
): { readonly named: Property; readonly reached: Property } {
  let reached: Property = toJsonSchema(schema, ACCEPTED)
  let named = reached
  for (const step of path) {
    const inner = typeof step === 'number' ? reached.items : reached.properties?.[String(step)]
    // What may also be null is otherwise one thing.
    reached = inner?.anyOf?.find(({ type }) => type !== 'null') ?? inner ?? {}
    if (typeof step !== 'number') named = inner ?? {}
  }
  return { named, reached }
}

interface Property {
  readonly accepted?: string
  readonly type?: string
  readonly anyOf?: readonly Property[]
  readonly properties?: Readonly<Record<string, Property>>
  readonly enum?: readonly unknown[]
  readonly maxLength?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: Property
}

function kind(property: Property): string {
  if (property.accepted !== undefined) return property.accepted
  const choices = property.anyOf?.filter(({ type }) => type !== 'null')
  if (choices) return choices.map(kind).join(' or ')
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
      return `a list${property.maxItems === undefined ? '' : ` of at most ${property.maxItems}`}, each ${kind(property.items ?? {})}`
    default:
      return 'an object'
  }
}

function range({ minimum, maximum }: Property): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`
  if (minimum !== undefined) return ` of at least ${minimum}`
  return maximum === undefined ? '' : ` of at most ${maximum}`
}
