/**
 * Unknown arguments of the conversation tools: they change nothing, and the answer
 * names them with the parameter that was probably meant. A refusal names them too,
 * because the missing parameter may be there under another name.
 */
import * as z from 'zod'
import type { Failure } from '../../base/failure.ts'
import { isRecord } from '../../base/json-value.ts'
import { shortName } from '../arguments.ts'
import { MAX_IGNORED_NAMES } from '../limits.ts'
import { nearestName } from '../nearest-name.ts'
import { described, text } from '../schema-parts.ts'
import { defineTool, type ToolContract } from '../tool-contract.ts'

const ignored = z.array(z.object({ name: z.string(), nearest: text })).exactOptional()

interface IgnoredArgument {
  readonly name: string
  /** The parameter, or the field of one with a dot before it, that was probably meant. */
  readonly nearest?: string
}

/** The contract of a conversation tool: any of its answers may name ignored arguments. */
export function defineMemoryTool<const Name extends string, Input extends z.ZodObject, Output extends z.ZodObject>(
  contract: ToolContract<Name, Input, Output>,
): ToolContract<Name, Input> {
  const output: z.ZodObject = contract.output.extend({
    ignored: described(ignored, 'Unknown arguments, which had no effect, and the parameters probably meant.'),
  })
  return defineTool({ ...contract, output })
}

/**
 * The arguments that the tool does not have, in the order given; of many, the first
 * ones. null counts as absent.
 */
export function listIgnored({ input, unpublished = [] }: ToolContract, given: unknown): IgnoredArgument[] {
  if (!isRecord(given)) return []
  const published = Object.keys(input.shape)
  const known = [...published, ...listFields(input), ...unpublished]
  return Object.keys(given)
    .filter((name) => !known.includes(name) && given[name] !== null)
    .slice(0, MAX_IGNORED_NAMES)
    .map((name) => {
      const nearest = nearestName(name, known)
      return { name: shortName(name), ...(nearest !== undefined && { nearest }) }
    })
}

/** The refusal with the ignored arguments, unless it is about one of them. */
export function withIgnored(failure: Failure, arguments_: readonly IgnoredArgument[]): Failure {
  const others = arguments_.filter(({ name }) => !failure.message.startsWith(`${name}: `))
  if (others.length === 0) return failure
  const names = others.map(({ name, nearest }) => (nearest === undefined ? name : `${name} (nearest: ${nearest})`))
  return { ...failure, message: `${failure.message}; unknown parameters: ${names.join(', ')}` }
}

/** `filters.kinds` */
function listFields(input: z.ZodObject): string[] {
  return Object.entries(input.shape).flatMap(([parameter, schema]) => {
    const inner = schema instanceof z.ZodExactOptional ? schema.unwrap() : schema
    return inner instanceof z.ZodObject ? Object.keys(inner.shape).map((field) => `${parameter}.${field}`) : []
  })
}
