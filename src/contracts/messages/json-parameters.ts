/**
 * Parameters of the conversation tools that come in two forms: as a value, or
 * as text that holds its JSON. A value in the place of the text counts as the
 * text, because some hosts parse what looks like JSON before they send it.
 */
import { invalid } from '../../base/failure.ts'
import { ok, refuse, type Result } from '../../base/result.ts'
import { describeValue } from '../arguments.ts'

export interface Given {
  /** The form that was used, for refusals to name. */
  readonly parameter: string
  readonly value: unknown
}

/** What was given as `name` or as `name_json`; undefined when neither was. What the value holds is not checked. */
export function readTwin(args: object, name: string): Result<Given | undefined> {
  const parameter = `${name}_json`
  const [value, json] = [readOwn(args, name), readOwn(args, parameter)]
  if (json === undefined) return ok(value === undefined ? undefined : { parameter: name, value })
  if (value !== undefined) {
    return refuse(invalid(parameter, `given together with ${name}, accepted is one of the two`))
  }
  if (typeof json === 'object' && json !== null) return ok({ parameter, value: json })
  if (typeof json !== 'string')
    return refuse(invalid(parameter, `${describeValue(json)} was given, accepted is JSON as text`))
  try {
    return ok({ parameter, value: JSON.parse(json) as unknown })
  } catch {
    return refuse(invalid(parameter, `${describeValue(json)} was given, which is not JSON, accepted is JSON as text`))
  }
}

function readOwn(args: object, name: string): unknown {
  return Object.hasOwn(args, name) ? (args as Record<string, unknown>)[name] : undefined
}
