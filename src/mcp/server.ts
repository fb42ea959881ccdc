/**
 * One MCP server for one request, with the tools it is given. The SDK carries
 * the protocol; what a tool accepts, answers and refuses is decided here, so
 * the schemas handed to the SDK are shown to clients and check nothing.
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
import type { Splicer } from './splice.ts'
import { toAnswerReply, toBugReply, toFailureReply } from './reply.ts'
import type { Call, Tool } from './tool.ts'

/** Who calls, with which arguments, and where evidence goes. */
export interface Caller {
  readonly viewer: Viewer
  /** As they were sent: the SDK would refuse in its own words what is not an object. */
  readonly given: unknown
  readonly requestId: string
  readonly splicer: Splicer
  readonly log: Log
}

/** How long a client may keep the list of tools: an hour, the same for everyone. */
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
    const shown = { title, description, annotations, ...(_meta && { _meta }) }
    const schemas = { inputSchema: shownOnly(inputSchema), outputSchema: shownOnly(outputSchema) }
    server.registerTool(name, { ...shown, ...schemas }, (_, context) => callTool(tool, caller, context))
  }
  return server
}

/** Runs a call to its reply and leaves one audit line, whatever happens. */
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

/** What a tool may know of the SDK's side of its call. Progress is told only under the token the client sent. */
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

/** A contract never changes, and turning its schemas to JSON Schema costs milliseconds. */
function listedOnce(contract: ToolContract): ListedTool {
  const known = listed.get(contract) ?? toListedTool(contract)
  listed.set(contract, known)
  return known
}

/** A schema that clients see and that lets every value through. */
function shownOnly(schema: JsonSchemaObject): StandardSchemaWithJSON {
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
