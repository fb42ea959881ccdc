/** The implementation of each tool's contract. The compiler requires one line per tool. */
import { TOOLS, type ToolName } from '../contracts/index.ts'
import type { Memory } from '../memory/memory.ts'
import type { ClockMs } from './mutex.ts'
import type { Tool } from './tool.ts'
import { toComposeMmlTool } from './tools/compose-mml.ts'
import { toMemoryTools } from './tools/memory-tools.ts'
import { toSearchTool, type Search } from './tools/search.ts'

/** The use cases that the tools call. */
interface UseCases {
  readonly search: Search
  readonly memory: Memory
  /** Unix milliseconds. */
  readonly now: ClockMs
}

/** Every tool, in the order of the contracts. */
export function toTools(useCases: UseCases): readonly Tool[] {
  const tools: Record<ToolName, Tool> = {
    search: toSearchTool(useCases.search),
    ...toMemoryTools(useCases.memory, useCases.now),
    compose_mml: toComposeMmlTool(useCases),
  }
  return TOOLS.map((contract) => tools[contract.name])
}
