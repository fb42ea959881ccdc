/**
 * Pages of the wiki, read over plain HTTP without a token. The head of the wiki's
 * git repository says whether there is a wiki and whether it changed. A private
 * wiki cannot be read this way: its rows stay.
 */
import type { GitHubResult } from '../../github/github.ts'
import type { Step, SurfaceContext, SurfaceSpec } from './surface.ts'
import { walkUnlistedWiki, walkWiki, type WikiPosition } from './wiki/wiki-walk.ts'

export const wikiSurface: SurfaceSpec = {
  surface: 'wiki_doc',
  poll: (context, position) => readWiki(context, position, false),
  lap: (context, position) => readWiki(context, position, true),
}

/** `always`: also pages of an unchanged wiki are compared. */
async function readWiki(context: SurfaceContext, stored: unknown, always: boolean): Promise<GitHubResult<Step>> {
  const position = (stored ?? {}) as WikiPosition
  if (position.walk !== undefined) {
    const step = await walkWiki(context, { ...position, walk: position.walk })
    // Without a list, the wiki may have been switched off or hidden in the middle of the walk.
    if (step !== 'no_list') return step
  }
  const result = await context.github.readWikiHead()
  const isRefused = !result.ok && result.fault.kind === 'refused'
  if (!result.ok && !(isRefused && context.repository.private)) return result
  const head = result.ok ? result.value : undefined
  if (head === undefined) {
    const closed = context.repository.private
      ? ({ state: 'unreadable', reason: 'a private wiki is read by the import of a checkout only' } as const)
      : ({ state: 'off', reason: 'the repository has no wiki' } as const)
    const { walk: _, ...rest } = position
    return { ok: true, value: { changes: [], position: rest, ended: true, closed } }
  }
  if (position.walk !== undefined) return walkUnlistedWiki(context, { ...position, walk: position.walk })
  if (!always && head === position.head) return { ok: true, value: { changes: [], position, ended: true } }
  return {
    ok: true,
    value: { changes: [], position: { ...position, walk: { head, todo: [], done: 0 } }, ended: false },
  }
}
