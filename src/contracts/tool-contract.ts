/**
 * What a tool promises, before anything runs: its name, its words for a model,
 * its schemas and its annotations. From a contract come the entry that
 * `tools/list` serves and the reading of arguments. Schemas are flat objects,
 * because some hosts refuse a union at the root.
 */
import * as z from 'zod'

export interface ToolAnnotations {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  readonly openWorldHint: boolean
}

/** The systems of the product; each has a path of its own, for users who take one alone. */
export const TOOL_SETS = ['search', 'memory', 'music'] as const

export type ToolSet = (typeof TOOL_SETS)[number]

export interface ToolContract<
  Name extends string = string,
  Input extends z.ZodObject = z.ZodObject,
  Output extends z.ZodObject = z.ZodObject,
> {
  readonly name: Name
  readonly set: ToolSet
  readonly title: string
  readonly description: string
  readonly annotations: ToolAnnotations
  readonly input: Input
  readonly output: Output
  /** UTF-16 units of text one answer may hold; tells hosts not to file a long answer away. */
  readonly maxResultChars?: number
}

/** A tool as `tools/list` shows it. */
export interface ListedTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: JsonSchemaObject
  readonly outputSchema: JsonSchemaObject
  readonly annotations: ToolAnnotations
  readonly _meta?: Readonly<Record<string, number>>
}

export interface JsonSchemaObject {
  readonly type: 'object'
  readonly [keyword: string]: unknown
}

/** Gives a contract its exact type and changes nothing. */
export function defineTool<const Name extends string, Input extends z.ZodObject, Output extends z.ZodObject>(
  contract: ToolContract<Name, Input, Output>,
): ToolContract<Name, Input, Output> {
  return contract
}

/** The contract as a client sees it. */
export function toListedTool(contract: ToolContract): ListedTool {
  const listed = {
    name: contract.name,
    title: contract.title,
    description: contract.description,
    inputSchema: toJsonSchema(contract.input),
    outputSchema: toJsonSchema(contract.output),
    annotations: contract.annotations,
  }
  if (contract.maxResultChars === undefined) return listed
  return { ...listed, _meta: { 'anthropic/maxResultSizeChars': contract.maxResultChars } }
}

/**
 * JSON Schema 2020-12 of an object, without `$schema` (it is MCP's default) and
 * without the keywords zod adds that say nothing: the largest safe integer as
 * a bound, and that property names are strings. What is said beside the types
 * comes from `said`, which is the descriptions where nothing else is asked for.
 */
export function toJsonSchema(
  schema: z.ZodObject,
  said: z.core.$ZodRegistry<object> = z.globalRegistry,
): JsonSchemaObject {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    metadata: said,
    // "input" on both sides: an answer with a field more than listed is not a broken answer.
    io: 'input',
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      delete jsonSchema.propertyNames
    },
  })
  return { ...rest, type: 'object' }
}
