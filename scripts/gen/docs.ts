/** The documentation that is made of contracts: every tool with its parameters, and every setting. */
import { z } from 'zod'
import { DOCUMENT_TYPES } from '../../src/base/vocabulary.ts'
import { putSchema, removalSchema } from '../../src/contracts/import/page-schema.ts'
import { listContracts } from '../../src/contracts/index.ts'
import { SETTINGS, type Setting } from '../../src/contracts/settings.ts'
import { toListedTool, type JsonSchemaObject, type ListedTool } from '../../src/contracts/tool-contract.ts'

const MADE = '<!-- Made by `npm run gen` from src/contracts; do not edit. -->'

/** docs/tools.md */
export function toToolsPage(): string {
  const tools = listContracts().map((contract) => toToolSection(toListedTool(contract)))
  return `${MADE}

# Tools

What clients see in \`tools/list\`, for reading. The whole of it, every keyword, is in
[mcp-server/src/tools.generated.json](../mcp-server/src/tools.generated.json).

${tools.join('\n\n')}
`
}

/** docs/configuration.md */
export function toConfigurationPage(): string {
  const settings: readonly Setting[] = Object.values(SETTINGS)
  return `${MADE}

# Configuration

What the Worker reads from its environment. Variables and bindings stand in wrangler.toml or come
from \`npm start\` and \`npm run dev\`; secrets are set with \`wrangler secret put\` and never stand in a file.

| name | kind | modes | when absent |
|---|---|---|---|
${settings.map(({ name, kind, modes, whenAbsent }) => row([code(name), kind, modes, whenAbsent])).join('\n')}

${settings.map(toSettingSection).join('\n\n')}
`
}

/** The schema of a line of the page schema, whole: a document or a removal of each type. */
export function toPageSchema(): object {
  const lines = DOCUMENT_TYPES.flatMap((type) => [putSchema(type), removalSchema(type)])
  return z.toJSONSchema(z.union(lines), { io: 'input' })
}

/** docs/page-schema.md */
export function toPageSchemaPage(): string {
  const types = DOCUMENT_TYPES.map((type) => ({ type, fields: propertiesOf(asProperty(putSchema(type))) }))
  const [first, ...others] = types
  const common = (first?.fields ?? []).filter(([name]) =>
    others.every(({ fields }) => fields.some(([other]) => other === name)),
  )
  const commonNames = new Set(common.map(([name]) => name))
  const sections = types.map(({ type, fields }) => {
    const required = asProperty(putSchema(type)).required ?? []
    const identity = asProperty(removalSchema(type)).required ?? []
    const named = identity.filter((name) => !commonNames.has(name)).map(code)
    const own = fields.filter(([name]) => !commonNames.has(name))
    return `## ${type}\n\nKnown by its repository and ${named.join(' and ')}.\n\n${fieldTable(own, required)}`
  })
  const everywhere = fieldTable(
    common.filter(([name]) => name !== 'type'),
    asProperty(putSchema('doc')).required ?? [],
  )
  return `${MADE}

# The page schema

What \`npm run import -- --documents FILE\` and \`POST /admin/import\` take: one JSON object a line, each a
document or, with \`"deleted": true\`, the removal of one. Other fields than these are refused; \`null\`
counts as left out. The same for programs: [page-schema.json](page-schema.json).

A removal holds \`type\`, \`repo\`, \`deleted\` and what its type is known by.

## Every type

\`type\` is one of ${DOCUMENT_TYPES.map(code).join(', ')}.

${everywhere}

${sections.join('\n\n')}
`
}

function asProperty(schema: z.ZodType): Property {
  return z.toJSONSchema(schema, { io: 'input' }) as Property
}

function fieldTable(fields: readonly [string, Property][], required: readonly string[]): string {
  const rows = fields.map(([name, property]) => {
    const type = typeText(property).replace(/(?: or |,)null$/, '')
    return row([code(name), type, required.includes(name) ? 'yes' : '', property.description ?? ''])
  })
  return ['| field | type | needed | meaning |', '|---|---|---|---|', ...rows].join('\n')
}

function toSettingSection({ name, meaning, whenWrong }: Setting): string {
  return `## ${name}\n\n${meaning}\n\nWhen it is wrong or missing: ${whenWrong}`
}

function toToolSection({ name, title, description, annotations, inputSchema, outputSchema }: ListedTool): string {
  const hints = Object.entries(annotations).map(([hint, value]) => `${hint.replace(/Hint$/, '')}: ${value}`)
  return `## ${name}: ${title}

${description}

Annotations: ${hints.join(', ')}.

### Parameters

| name | type | default | meaning |
|---|---|---|---|
${parameterRows(inputSchema).join('\n')}

### Answer

| field | type | meaning |
|---|---|---|
${fieldRows(outputSchema).join('\n')}`
}

interface Property {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly const?: string | boolean
  readonly anyOf?: readonly Property[]
  readonly items?: Property
  readonly properties?: Readonly<Record<string, Property>>
  readonly additionalProperties?: Property | boolean
  readonly required?: readonly string[]
  readonly description?: string
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly maxItems?: number
}

function propertiesOf(schema: JsonSchemaObject | Property): [string, Property][] {
  return Object.entries((schema as Property).properties ?? {})
}

/** One row for each parameter, and for each field that one may hold. */
function parameterRows(schema: JsonSchemaObject): string[] {
  return listFields(schema).map(([name, property]) => {
    const preset = property.default === undefined ? '' : code(JSON.stringify(property.default))
    return row([code(name), typeText(property), preset, property.description ?? ''])
  })
}

function fieldRows(schema: JsonSchemaObject): string[] {
  return listFields(schema).map(([name, property]) => row([code(name), typeText(property), property.description ?? '']))
}

/** Every field with its path, those of rows after the field that holds them. */
function listFields(schema: JsonSchemaObject | Property, path = ''): [string, Property][] {
  return propertiesOf(schema).flatMap(([name, property]) => {
    const inner = property.items === undefined ? property : property.items
    const below = listFields(inner, `${path}${name}${property.items === undefined ? '.' : '[].'}`)
    return [[path + name, property], ...below]
  })
}

function typeText(property: Property): string {
  if (property.anyOf) return property.anyOf.map(typeText).join(' or ')
  if (property.enum) return property.enum.map(code).join(', ')
  if (property.const !== undefined) return code(String(property.const))
  if (property.type === 'array') {
    const many = property.maxItems === undefined ? '' : ` of at most ${property.maxItems}`
    return `list${many}, each ${typeText(property.items ?? {})}`
  }
  if (typeof property.additionalProperties === 'object') {
    return `object of names, each ${typeText(property.additionalProperties)}`
  }
  return `${property.type ?? 'anything'}${limits(property)}`
}

function limits({ minimum, maximum, maxLength }: Property): string {
  if (maxLength !== undefined) return `, at most ${maxLength} characters`
  if (minimum !== undefined && maximum !== undefined) return `, ${minimum} to ${maximum}`
  return minimum === undefined ? '' : `, at least ${minimum}`
}

function code(text: string): string {
  return `\`${text}\``
}

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
}
