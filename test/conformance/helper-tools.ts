/**
 * The tools that the official conformance suite calls by name. They exist here
 * only: the suite tests how a server carries content, progress and refusals,
 * and the product's own tools do not do all of it.
 */
import {
  fromJsonSchema,
  inputRequired,
  type CallToolResult,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'

type Content = CallToolResult['content'][number]

/** One red pixel. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
/** A header and no samples. */
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA='

const TEXT: Content = { type: 'text', text: 'This is a simple text response for testing.' }
const IMAGE: Content = { type: 'image', data: PNG, mimeType: 'image/png' }
const AUDIO: Content = { type: 'audio', data: WAV, mimeType: 'audio/wav' }

const CONTENTS: Readonly<Record<string, Content[]>> = {
  test_simple_text: [TEXT],
  test_image_content: [IMAGE],
  test_audio_content: [AUDIO],
  test_embedded_resource: [resource('test://embedded-resource', 'text/plain', 'This is an embedded resource content.')],
  test_multiple_content_types: [
    { type: 'text', text: 'Multiple content types test:' },
    IMAGE,
    resource('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
  ],
  test_logging_tool: [TEXT],
}

/** Keywords of JSON Schema 2020-12 that a server must pass on as they are. */
const SCHEMA_2020_12 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
} as const

/** A parameter that clients of the newest revision repeat in a header. */
const SCHEMA_WITH_HEADER = {
  type: 'object',
  properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
} as const

export function addHelperTools(server: McpServer): void {
  for (const [name, content] of Object.entries(CONTENTS)) {
    server.registerTool(name, { description: 'Returns fixed content.' }, () => ({ content }))
  }
  server.registerTool('test_error_handling', { description: 'Always fails.' }, () => {
    throw new Error('This tool intentionally returns an error for testing')
  })
  server.registerTool('test_tool_with_progress', { description: 'Reports progress.' }, async (context) => {
    for (const progress of [0, 50, 100]) {
      await notifyProgress(context, progress)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    return { content: [TEXT] }
  })
  server.registerTool(
    'json_schema_2020_12_tool',
    { description: 'Has an elaborate schema.', inputSchema: fromJsonSchema(SCHEMA_2020_12) },
    () => ({ content: [TEXT] }),
  )
  server.registerTool(
    'test_header_parameter',
    { description: 'Has a parameter in a header.', inputSchema: fromJsonSchema(SCHEMA_WITH_HEADER) },
    () => ({ content: [TEXT] }),
  )
  server.registerTool('test_missing_capability', { description: 'Needs sampling.' }, () => askModel())
  server.registerTool('test_streaming_elicitation', { description: 'Asks midway.' }, async (context) => {
    await notifyProgress(context, 50)
    return askName()
  })
}

function askModel() {
  const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: 'Say hello.' } }]
  return inputRequired({ inputRequests: { model: inputRequired.createMessage({ messages, maxTokens: 10 }) } })
}

function askName() {
  const requestedSchema = { type: 'object' as const, properties: { name: { type: 'string' as const } } }
  return inputRequired({ inputRequests: { name: inputRequired.elicit({ message: 'Your name?', requestedSchema }) } })
}

async function notifyProgress(context: ServerContext, progress: number): Promise<void> {
  const progressToken = context.mcpReq._meta?.progressToken
  if (progressToken === undefined) return
  await context.mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress, total: 100 } })
}

function resource(uri: string, mimeType: string, text: string): Content {
  return { type: 'resource', resource: { uri, mimeType, text } }
}
