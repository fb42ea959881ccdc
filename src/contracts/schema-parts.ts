/**
 * Building blocks of contracts: parameters with description, limit and default, and
 * the fields that answers share. An optional parameter is absent or has a value, never
 * undefined.
 */
import * as z from 'zod'
import { invalid } from '../base/failure.ts'
import { ok, refuse, type Result } from '../base/result.ts'
import { ACCEPTED_TIMES, parseTime, toTime } from '../base/time.ts'

/** A number in a description: `8,000`. */
export function shown(value: number): string {
  return value.toLocaleString('en-US')
}

/** Free text; `maxChars` in UTF-16 units. */
export function textParameter(description: string, maxChars?: number) {
  const text = maxChars === undefined ? z.string() : z.string().max(maxChars)
  return text.describe(description).exactOptional()
}

/** Free text with a default. */
export function presetTextParameter(description: string, preset: string) {
  return z.string().describe(description).default(preset)
}

/** Up to `maxItems` texts. */
export function listParameter(description: string, maxItems: number) {
  return z.array(z.string()).max(maxItems).describe(description).exactOptional()
}

/** One word of a closed list, with a default. */
export function choiceParameter<const Words extends readonly string[]>(
  description: string,
  words: Words,
  preset: Words[number],
) {
  const choice = z.enum(words).describe(description)
  return choice.default(preset as z.output<typeof choice>)
}

/** One word of a closed list without a default; the description says what absence means. */
export function openChoiceParameter<const Words extends readonly string[]>(description: string, words: Words) {
  return z.enum(words).describe(description).exactOptional()
}

/** An integer from `min` to `max` with a default; without `max` there is no upper bound. */
export function wholeParameter(
  description: string,
  bounds: { readonly min: number; readonly max?: number },
  preset: number,
) {
  const whole = z.int().min(bounds.min)
  return (bounds.max === undefined ? whole : whole.max(bounds.max)).describe(description).default(preset)
}

/** An integer from `min` to `max` without a default; the description says what absence means. */
export function openWholeParameter(description: string, bounds: { readonly min: number; readonly max: number }) {
  return z.int().min(bounds.min).max(bounds.max).describe(description).exactOptional()
}

/** A number from `min` to `max`, possibly fractional, with a default. */
export function decimalParameter(
  description: string,
  bounds: { readonly min: number; readonly max: number },
  preset: number,
) {
  return z.number().min(bounds.min).max(bounds.max).describe(description).default(preset)
}

/** A boolean with a default. */
export function switchParameter(description: string, preset: boolean) {
  return z.boolean().describe(description).default(preset)
}

/** A time in the caller's own text, which `parseTime` accepts. */
export function timeParameter(description: string) {
  return z
    .string()
    .refine((text) => parseTime(text) !== undefined, { message: `accepted is ${ACCEPTED_TIMES}` })
    .describe(description)
    .exactOptional()
}

/** Refuses a time window, in Unix ms, that ends before it begins; `parameter` is the name of its beginning. */
export function refuseReversed(
  parameter: string,
  { since, until }: { readonly since?: number | undefined; readonly until?: number | undefined },
): Result<void> {
  if (since === undefined || until === undefined || since <= until) return ok(undefined)
  const problem = `${toTime(since)} was given, which is later than until (${toTime(until)})`
  return refuse(invalid(parameter, `${problem}, accepted is a time that is not later`))
}

/** Optional fields of answers: absent or with a value. */
export const text = z.string().exactOptional()
export const texts = z.array(z.string()).exactOptional()
export const yes = z.boolean().exactOptional()
export const whole = z.int().exactOptional()
export const decimal = z.number().exactOptional()

/** A field of an answer with a description, for names that do not explain themselves. */
export function described<Schema extends z.ZodType>(schema: Schema, description: string): Schema {
  return schema.describe(description)
}
