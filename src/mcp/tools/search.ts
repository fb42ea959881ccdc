/** The search tool: parses its arguments, runs the search, and names the answer's repositories for the audit line. */
import type { Viewer } from '../../access/viewer.ts'
import { ok, type Result } from '../../base/result.ts'
import type { SearchAnswer } from '../../contracts/tools/search-answers.ts'
import { parseSearchArguments, searchTool, type SearchArguments } from '../../contracts/tools/search.ts'
import type { Tool } from '../tool.ts'

export type Search = (viewer: Viewer, args: SearchArguments) => Promise<Result<SearchAnswer>>

export function toSearchTool(search: Search): Tool {
  return {
    contract: searchTool,
    async run(viewer, given) {
      const args = parseSearchArguments(given)
      if (!args.ok) return args
      const answer = await search(viewer, args.value)
      if (!answer.ok) return answer
      return ok({ answer: { ...answer.value }, repositories: listRepositories(answer.value) })
    },
  }
}

function listRepositories(answer: SearchAnswer): string[] {
  const linked = answer.mode === 'search' ? (answer.graph_results ?? []) : []
  return [...new Set([...answer.results, ...linked].map((row) => row.repo))]
}
