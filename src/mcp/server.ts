/**
 * The MCP server of one request, with the tools it offers. The SDK implements the
 * protocol. Each tool parses its own arguments, so that refusals are worded in one
 * way: the schemas given to the SDK are published to clients and validate nothing.
 */
import {
  McpServer,
  type CallToolResult,
  type ServerContext,
  type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server'
import type { Viewer } from '../access/viewer.ts'
import type { Log } from '../base/log.ts'
import { INSTRUCTIONS } from '../contracts/instructions.ts'
import { toListedTool, type JsonSchemaObject, type ListedTool, type ToolContract } from '../contracts/tool-contract.ts'
import { VERSION } from '../contracts/version.ts'
import type { McpCall } from './endpoint.ts'
import { toAnswerReply, toBugReply, toFailureReply } from './reply.ts'
import type { Call, Tool } from './tool.ts'

/** The caller, and the call that the request carries. */
interface Caller extends McpCall {
  readonly viewer: Viewer
  /** Names the request in the log. */
  readonly requestId: string
  readonly log: Log
}

/** Clients and shared caches may keep the list of tools for an hour: it is the same for every caller. */
const LIST_CACHE = { ttlMs: 3_600_000, cacheScope: 'public' } as const

export function buildServer(tools: readonly Tool[], caller: Caller): McpServer {
  const server = new McpServer(
    { name: 'kotodama', title: 'Kotodama', version: VERSION },
    {
      capabilities: { tools: { listChanged: false } },
      instructions: INSTRUCTIONS,
      cacheHints: { 'tools/list': LIST_CACHE, 'server/discover': LIST_CACHE },
    },
  )
  for (const tool of tools) {
    const { name, title, description, inputSchema, outputSchema, annotations, _meta } = listedOnce(tool.contract)
    const published = { title, description, annotations, ...(_meta && { _meta }) }
    const schemas = { inputSchema: publishedOnly(inputSchema), outputSchema: publishedOnly(outputSchema) }
    server.registerTool(name, { ...published, ...schemas }, (_, context) => callTool(tool, caller, context))
  }
  return server
}

/** Runs a call to its reply and logs one audit line, also for a bug. */
async function callTool(tool: Tool, caller: Caller, context: ServerContext): Promise<CallToolResult> {
  const { viewer, given, requestId, log } = caller
  const audit = { request: requestId, user: viewer.user, tool: tool.contract.name }
  const reportBug = (error: unknown): void => {
    const evidence = error instanceof Error ? (error.stack ?? error.message) : String(error)
    log.error('tool_bug', { request: requestId, tool: tool.contract.name, evidence })
  }
  try {
    const result = await tool.run(viewer, given, { ...toCall(context), reportBug })
    if (!result.ok) {
      log.info('tool_call', { ...audit, repositories: '', outcome: result.failure.code })
      return toFailureReply(result.failure)
    }
    const { repositories, failedWith = 'ok' } = result.value
    log.info('tool_call', { ...audit, repositories: repositories.join(','), outcome: failedWith })
    return toAnswerReply(result.value, caller.splicer)
  } catch (error) {
    reportBug(error)
    log.info('tool_call', { ...audit, repositories: '', outcome: 'INTERNAL_ERROR' })
    return toBugReply(requestId)
  }
}

/** The SDK's context as a tool sees it. Progress is reported only under a token that the client sent. */
function toCall({ mcpReq: { signal, _meta, notify } }: ServerContext): Omit<Call, 'reportBug'> {
  const progressToken = _meta?.progressToken
  if (progressToken === undefined) return { signal }
  return {
    signal,
    reportProgress: (progress, total, message) =>
      notify({ method: 'notifications/progress', params: { progressToken, progress, total, message } }),
  }
}

const listed = new WeakMap<ToolContract, ListedTool>()

/** Cached, because a contract never changes and converting its schemas to JSON Schema takes milliseconds. */
function listedOnce(contract: ToolContract): ListedTool {
  const known = listed.get(contract) ?? toListedTool(contract)
  listed.set(contract, known)
  return known
}

/** A schema that is published to clients and accepts every value. */
function publishedOnly(schema: JsonSchemaObject): StandardSchemaWithJSON {
  const toJson = () => schema
  return {
    '~standard': {
      version: 1,
      vendor: 'kotodama',
      validate: (value) => ({ value }),
      jsonSchema: { input: toJson, output: toJson },
    },
  }
}
