/** Every tool of the product, in the order clients see. A new tool is one line here. */
import { composeMmlTool } from './tools/compose-mml.ts'
import { searchTool } from './tools/search.ts'
import type { ToolContract, ToolSet } from './tool.ts'

export const TOOLS = [searchTool, composeMmlTool] as const satisfies readonly ToolContract[]

export type ToolName = (typeof TOOLS)[number]['name']

/** The tools of one set, or of all, in the same order. */
export function listContracts(set?: ToolSet): readonly ToolContract[] {
  return TOOLS.filter((contract) => set === undefined || contract.set === set)
}
