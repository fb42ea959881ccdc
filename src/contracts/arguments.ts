/**
 * Reads the arguments of a call against a contract's input schema. Every
 * refusal names the parameter, what was wrong with it and what is accepted,
 * and what is accepted is read off the same schema that clients are served.
 */
import type * as z from 'zod'
import { invalid, type Failure } from '../base/failure.ts'
import { ok, refuse, type Result } from '../base/result.ts'
import { toJsonSchema } from './tool.ts'

export interface ArgumentRules {
  /** A parameter the schema does not know: refused by name, or passed over. */
  readonly unknownParameters: 'refuse' | 'ignore'
  /** `null` for an optional parameter counts as not given. */
  readonly nullIsAbsent: boolean
}

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
  const parsed = schema.safeParse(known)
  if (parsed.success) return ok(parsed.data)
  const first = parsed.error.issues[0]
  if (first === undefined) throw new Error('a schema refused without an issue')
  return refuse(toFailure(schema, known, first))
}

function isOptional(parameter: z.core.$ZodType): boolean {
  return parameter._zod.optin !== undefined
}

function unknownParameter(schema: z.ZodObject, name: string): Failure {
  const names = Object.keys(schema.shape)
  return invalid(name.slice(0, SHOWN_CHARS), 'unknown parameter', `Known parameters: ${names.join(', ')}.`)
}

function toFailure(schema: z.ZodObject, given: Record<string, unknown>, issue: z.core.$ZodIssue): Failure {
  const [first, ...rest] = issue.path
  const name = String(first ?? 'arguments')
  const parameter = rest.reduce<string>((path, step) => path + stepText(step), name)
  let at: unknown = first === undefined ? given : given[name]
  for (const step of rest) at = (at as Record<PropertyKey, unknown>)[step]
  if (at === undefined) return invalid(parameter, `missing, accepted is ${accepted(schema, name)}`)
  // A refinement words what it accepts itself; for the rest the schema does.
  const wanted = issue.code === 'custom' ? issue.message : `accepted is ${accepted(schema, name)}`
  return invalid(parameter, `${shown(at)} was given, ${wanted}`)
}

function stepText(step: PropertyKey): string {
  return typeof step === 'number' ? `[${step}]` : `.${String(step)}`
}

/** The value where it is short enough to be worth showing, else its kind and size. */
function shown(value: unknown): string {
  if (typeof value === 'string') {
    return value.length <= SHOWN_CHARS ? JSON.stringify(value) : `a text of ${value.length} characters`
  }
  if (Array.isArray(value)) return `a list of ${value.length}`
  if (typeof value === 'object' && value !== null) return 'an object'
  return String(value)
}

function accepted(schema: z.ZodObject, name: string): string {
  const properties = toJsonSchema(schema)['properties'] as Record<string, Property>
  return kind(properties[name] ?? {})
}

interface Property {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly maxLength?: number
  readonly maxItems?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly items?: Property
}

function kind(property: Property): string {
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
