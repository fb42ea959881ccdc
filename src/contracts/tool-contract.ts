/**
 * The contract of a tool: name, description for a model, schemas and annotations.
 * The entry in `tools/list` and the parsing of arguments are derived from it. Schemas
 * are flat objects, because some hosts refuse a union at the root.
 */
import * as z from 'zod'

interface ToolAnnotations {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  readonly openWorldHint: boolean
}

/** The groups of tools; each is also served alone at a path of its own. */
const TOOL_SETS = ['search', 'memory', 'music'] as const

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
  /** Parameters that are accepted but not published: other places or names of published ones. */
  readonly unpublished?: readonly string[]
  /** UTF-16 units of text in one answer, published so that hosts keep long answers in the conversation. */
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

/** Returns the contract with its exact type. */
export function defineTool<const Name extends string, Input extends z.ZodObject, Output extends z.ZodObject>(
  contract: ToolContract<Name, Input, Output>,
): ToolContract<Name, Input, Output> {
  return contract
}

/** The contract as `tools/list` shows it. */
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
 * JSON Schema 2020-12 of an object, without `$schema` (MCP's default) and without
 * redundant keywords of zod: safe integers as bounds, and strings as property names.
 * `metadata` adds keywords to the types; by default the descriptions.
 */
export function toJsonSchema(
  schema: z.ZodObject,
  metadata: z.core.$ZodRegistry<object> = z.globalRegistry,
): JsonSchemaObject {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    metadata,
    // "input" for outputs too: an answer with an additional field is still valid.
    io: 'input',
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      delete jsonSchema.propertyNames
    },
  })
  return { ...rest, type: 'object' }
}
