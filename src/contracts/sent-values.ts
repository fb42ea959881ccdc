/**
 * Reads values as language models and their hosts send them: null for absent
 * ones, JSON text where the schema declares a value of another type, words of
 * a closed list in any letter case. It only brings values into the declared form;
 * the schema checks them afterwards, so a value that it can't read stays as it is.
 */
import * as z from 'zod'
import { isDeeperThan, isRecord } from '../base/json-value.ts'
import { MAX_JSON_DEPTH } from './limits.ts'

export interface Reading {
  /** Text such as "10" is read as a number where one is declared. */
  readonly numbersInText: boolean
  /** null for an optional field counts as absent. Otherwise the schema decides. */
  readonly nullIsAbsent: boolean
}

/** Parameters of a call. */
export const PARAMETER: Reading = { numbersInText: true, nullIsAbsent: true }

/** Fields of filters: their numbers are strict, so that a slip is not stored or searched for. */
export const FILTER_FIELD: Reading = { numbersInText: false, nullIsAbsent: true }

/** Fields of metadata: null restores a default. */
export const METADATA_FIELD: Reading = { numbersInText: false, nullIsAbsent: false }

/** Closed lists whose words are accepted in any letter case; see `anyCase`. */
const ANY_CASE = z.registry<{ readonly anyCase: true }>()

/** Marks a closed list of lower-case words: they are accepted in any letter case, and published as they are. */
export function anyCase<Words extends z.ZodEnum>(words: Words): Words {
  ANY_CASE.add(words, { anyCase: true })
  return words
}

/** The value in the form that the schema declares, as far as it can be read. Never changes the given value. */
export function readSent(schema: z.core.$ZodType, value: unknown, reading: Reading): unknown {
  const declared = declaredType(schema)
  const held = typeof value === 'string' ? readText(declared, value, reading) : value
  if (declared instanceof z.ZodArray && Array.isArray(held)) {
    return held.map((item) => readSent(declared.element, item, reading))
  }
  return declared instanceof z.ZodObject && isRecord(held) ? readFields(declared, held, reading) : held
}

/** True when a value of the schema may be absent. */
export function isOptional(schema: z.core.$ZodType): boolean {
  return schema._zod.optin !== undefined
}

function readFields(
  { shape }: z.ZodObject,
  fields: Record<string, unknown>,
  reading: Reading,
): Record<string, unknown> {
  const read = Object.entries(fields).flatMap(([name, value]): [string, unknown][] => {
    const field = Object.hasOwn(shape, name) ? shape[name] : undefined
    if (field === undefined) return [[name, value]]
    if (value === null && reading.nullIsAbsent && isOptional(field)) return []
    return [[name, readSent(field, value, reading)]]
  })
  return Object.fromEntries(read)
}

/** The schema without what only says that a value may be absent or null, or that it is converted. */
function declaredType(schema: z.core.$ZodType): z.core.$ZodType {
  if (schema instanceof z.ZodExactOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) {
    return declaredType(schema.unwrap())
  }
  return schema instanceof z.ZodPipe ? declaredType(schema.in) : schema
}

/** A year, month or day without separators: as Unix milliseconds it would be a time of 1970. */
const DATE_OF_DIGITS = /^\s*\d{4}(?:\d\d){0,2}\s*$/

function readText(declared: z.core.$ZodType, text: string, reading: Reading): unknown {
  if (declared instanceof z.ZodEnum) {
    const word = ANY_CASE.get(declared)?.anyCase ? text.toLowerCase() : text
    return declared.options.includes(word) ? word : text
  }
  const accepts = heldType(declared, reading)
  if (accepts === undefined) return text
  const isDate = declared instanceof z.ZodUnion && DATE_OF_DIGITS.test(text)
  const held = isDate ? undefined : parseJson(text)
  return accepts(held) && !isDeeperThan(held, MAX_JSON_DEPTH) ? held : text
}

/** The check of a value that JSON text may hold in place of the declared one; undefined where text stays text. */
function heldType(declared: z.core.$ZodType, { numbersInText }: Reading): ((held: unknown) => boolean) | undefined {
  if (declared instanceof z.ZodArray) return Array.isArray
  if (declared instanceof z.ZodObject) return isRecord
  if (declared instanceof z.ZodBoolean) return (held) => typeof held === 'boolean'
  if (!numbersInText) return undefined
  if (declared instanceof z.ZodNumber) return declared.isInt ? Number.isInteger : Number.isFinite
  // A time is a number or text.
  const inner = declared instanceof z.ZodUnion ? declared.options : []
  return inner.some((option) => option instanceof z.ZodNumber) ? Number.isInteger : undefined
}

/** Undefined for text that is not JSON; JSON text never holds it. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
