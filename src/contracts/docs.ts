/** The documentation that is made of contracts: every tool with its parameters, and every setting. */
import { listContracts } from './index.ts'
import { SETTINGS, type Setting } from './settings.ts'
import { toListedTool, type JsonSchemaObject, type ListedTool } from './tool.ts'

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
${propertiesOf(inputSchema).map(toParameterRow).join('\n')}

### Answer

| field | type | meaning |
|---|---|---|
${fieldRows(outputSchema).join('\n')}`
}

interface Property {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly const?: string
  readonly anyOf?: readonly Property[]
  readonly items?: Property
  readonly properties?: Readonly<Record<string, Property>>
  readonly additionalProperties?: Property | boolean
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

function toParameterRow([name, property]: [string, Property]): string {
  const preset = property.default === undefined ? '' : code(JSON.stringify(property.default))
  return row([code(name), typeText(property), preset, property.description ?? ''])
}

/** One row for each field, those of rows after the field that holds them. */
function fieldRows(schema: JsonSchemaObject | Property, path = ''): string[] {
  return propertiesOf(schema).flatMap(([name, property]) => {
    const here = row([code(path + name), typeText(property), property.description ?? ''])
    const inner = property.items === undefined ? property : property.items
    return [here, ...fieldRows(inner, `${path}${name}${property.items === undefined ? '.' : '[].'}`)]
  })
}

function typeText(property: Property): string {
  if (property.anyOf) return property.anyOf.map(typeText).join(' or ')
  if (property.enum) return property.enum.map(code).join(', ')
  if (property.const !== undefined) return code(property.const)
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
