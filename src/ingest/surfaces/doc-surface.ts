/**
 * Documentation files of the default branch: those whose endings say so. A round
 * asks for the head of the branch and, when it moved, compares the tree of that
 * commit with the index. A lap compares the dates of all files too: a rewritten
 * history changes them without a change of text.
 */
import type { GitHubResult } from '../../github/github.ts'
import { toRemovals } from './trees/step-results.ts'
import type { Step, SurfaceContext, SurfaceSpec } from './surface.ts'
import { readHead, readPolledHead, type BranchHead } from './trees/branch-head.ts'
import type { DocPosition } from './trees/doc-position.ts'
import { walkDocs } from './trees/doc-walk.ts'

export const docSurface: SurfaceSpec = { surface: 'doc', poll: pollDocs, lap: lapDocs }

async function pollDocs(context: SurfaceContext, stored: unknown): Promise<GitHubResult<Step>> {
  const position = (stored ?? {}) as DocPosition
  if (position.walk !== undefined) return walkDocs(context, { ...position, walk: position.walk })
  const result = await readHead(context, 'doc', position.head)
  if (!result.ok) return result
  const head = result.value
  const known = position.head
  const isSameBranch = known?.branch === head.branch
  if (known !== undefined && isSameBranch && known.commit === head.commit) {
    return { ok: true, value: { changes: [], position: { ...position, head }, ended: true } }
  }
  return { ok: true, value: await begin(context, position, head, { all: known !== undefined && !isSameBranch }) }
}

async function lapDocs(context: SurfaceContext, stored: unknown): Promise<GitHubResult<Step>> {
  const position = (stored ?? {}) as DocPosition
  const polled = await readPolledHead(context, 'doc')
  if (position.walk !== undefined && position.walk.polled === polled)
    return walkDocs(context, { ...position, walk: position.walk })
  const result = await readHead(context, 'doc', undefined)
  if (!result.ok) return result
  return {
    ok: true,
    value: await begin(context, position, result.value, { lap: true, ...(polled !== undefined && { polled }) }),
  }
}

/** Pins the head. A repository without commits has no files: that is a state, and its documents are removed. */
async function begin(
  context: SurfaceContext,
  position: DocPosition,
  head: BranchHead,
  kind: { readonly all?: boolean; readonly lap?: boolean; readonly polled?: string },
): Promise<Step> {
  if (head.tree === undefined) {
    const rows = await context.rows.listAll('doc')
    const changes = toRemovals(context, rows)
    return { changes, position: { ...position, head }, ended: true, ...(kind.lap === true && { checked: rows.length }) }
  }
  const walk = {
    head,
    trees: [{ folder: '', sha: head.tree }],
    todo: [],
    done: 0,
    ...(kind.all === true && { all: true }),
    ...(kind.polled !== undefined && { polled: kind.polled }),
    // Dates of all files cost a request each without GraphQL.
    ...(kind.lap === true && { lap: context.github.hasGraphql }),
  }
  return { changes: [], position: { ...position, walk }, ended: false }
}
