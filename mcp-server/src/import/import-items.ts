/** Reads what a plan names and turns it into lines for pages: documents, wiki and tags before commits. */
import type { DocumentChange } from '../../../src/documents/document.ts'
import type { ImportPlan } from './import-plan.ts'
import type { PageItem } from './page-batches.ts'
import { toPageLine } from './page-line.ts'
import { readCommits, type CommitOptions } from './read/commits-step.ts'
import type { ImportSources } from './read/import-sources.ts'

/**
 * The first item is a page of its own without lines: the server learns
 * from it how much there is before anything slow begins.
 */
export async function* readItems(
  { git, origin }: ImportSources,
  plan: ImportPlan,
  options: Omit<CommitOptions, 'rules'>,
): AsyncGenerator<PageItem> {
  let { position, work: left } = plan
  let commits = 0
  const item = (phase: PageItem['phase'], changes: readonly DocumentChange[], done: number): PageItem => {
    left -= done
    return { lines: changes.map(toPageLine), position, left, commits, phase }
  }
  yield { ...item('documents', [], 0), last: true }
  for await (const { changes, state } of plan.docs?.steps() ?? []) {
    position = { ...position, docs: state }
    yield item('documents', changes, changes.length > 0 ? 1 : 0)
  }
  for await (const { changes, state } of plan.wiki?.steps() ?? []) {
    position = { ...position, wiki: state }
    yield item('wiki', changes, changes.length > 0 ? 1 : 0)
  }
  for await (const { changes, state, work } of plan.tags?.steps() ?? []) {
    position = { ...position, tags: state }
    yield item('releases', changes, work)
  }
  if (git === undefined || plan.commits === undefined) return
  // The commits' plan is from before the documents were read: it takes the position that they have reached.
  const commitsPlan = { ...plan.commits, position }
  for await (const step of readCommits(git, commitsPlan, origin, { ...options, rules: await git.readRules() })) {
    position = step.position
    commits += step.commits
    yield item('commits', step.changes, step.commits)
  }
}
