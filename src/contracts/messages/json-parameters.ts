/**
 * Parameters that have two forms: `name` with a value, or `name_json` with the
 * same value as JSON text. A value in `name_json` is accepted too, because some
 * hosts parse JSON text before they send it. null counts as absent in both.
 */
import { invalid } from '../../base/failure.ts'
import { ok, refuse, type Result } from '../../base/result.ts'
import { isDeeperThan } from '../../base/json-value.ts'
import { describeValue } from '../arguments.ts'
import { MAX_JSON_DEPTH } from '../limits.ts'
import { parseJson } from '../sent-values.ts'

interface Given {
  /** The name of the form that was given, for refusals. */
  readonly parameter: string
  readonly value: unknown
}

/** Reads `name` or `name_json`; undefined when both are absent. Refuses both together and malformed JSON. The value itself is not checked. */
export function readTwin(args: object, name: string): Result<Given | undefined> {
  const parameter = `${name}_json`
  const [value, json] = [readGiven(args, name), readGiven(args, parameter)]
  if (json === undefined) return ok(value === undefined ? undefined : { parameter: name, value })
  if (value !== undefined) {
    return refuse(invalid(parameter, `given together with ${name}, accepted is one of the two`))
  }
  if (typeof json === 'object' && json !== null) return ok({ parameter, value: json })
  if (typeof json !== 'string')
    return refuse(invalid(parameter, `${describeValue(json)} was given, accepted is JSON as text`))
  const held = parseJson(json)
  const fault = findFault(held)
  if (fault === undefined) return ok({ parameter, value: held })
  return refuse(invalid(parameter, `${describeValue(json)} was given, which is ${fault}, accepted is JSON as text`))
}

function findFault(held: unknown): string | undefined {
  if (held === undefined) return 'not JSON'
  // No value of such a parameter is text, so text within text is JSON that was encoded twice.
  if (typeof held === 'string') return 'JSON of a text'
  return isDeeperThan(held, MAX_JSON_DEPTH) ? `nested more than ${MAX_JSON_DEPTH} levels deep` : undefined
}

/** One argument of a call; undefined when it is absent or null. */
export function readGiven(args: object, name: string): unknown {
  return Object.hasOwn(args, name) ? ((args as Record<string, unknown>)[name] ?? undefined) : undefined
}
