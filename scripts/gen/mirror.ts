/**
 * The tools as `tools/list` serves them, built from the contracts alone, for
 * the bridge's static copy. The text form has sorted keys, so that a change of
 * a contract shows as a change of its lines.
 */
import { listContracts } from '../../src/contracts/index.ts'
import { toListedTool, type ListedTool, type ToolSet } from '../../src/contracts/tool-contract.ts'

export interface Mirror {
  readonly tools: readonly ListedTool[]
}

export function toMirror(set?: ToolSet): Mirror {
  return { tools: listContracts(set).map(toListedTool) }
}

/** Indented JSON with sorted keys; arrays keep their order. Ends in a newline. */
export function toSortedJson(value: unknown): string {
  return `${JSON.stringify(sorted(value), null, 2)}\n`
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  )
}
