/** Every tool of the product, in the order that clients see. A new tool is one line here. */
import { composeMmlTool } from './tools/compose-mml.ts'
import { deleteMessageTool } from './tools/delete-message.ts'
import { getSystemHealthTool } from './tools/get-system-health.ts'
import { readMessagesTool } from './tools/read-messages.ts'
import { rebuildIndexTool } from './tools/rebuild-index.ts'
import { searchMessagesTool } from './tools/search-messages.ts'
import { searchTool } from './tools/search.ts'
import { updateMessageTool } from './tools/update-message.ts'
import { writeMessageTool } from './tools/write-message.ts'
import type { ToolContract, ToolSet } from './tool-contract.ts'

export const TOOLS = [
  searchTool,
  writeMessageTool,
  updateMessageTool,
  readMessagesTool,
  searchMessagesTool,
  deleteMessageTool,
  rebuildIndexTool,
  getSystemHealthTool,
  composeMmlTool,
] as const satisfies readonly ToolContract[]

export type ToolName = (typeof TOOLS)[number]['name']

/** The tools of one set, or of all, in the same order. */
export function listContracts(set?: ToolSet): readonly ToolContract[] {
  return TOOLS.filter((contract) => set === undefined || contract.set === set)
}
