/** Plans one import: finds what differs from the index, and counts it. Reads no document and no diff. */
import { ok, type Result } from '../../../src/base/result.ts'
import { planCommits, type CommitPlan } from './read/commits-plan.ts'
import type { ImportSources } from './read/import-sources.ts'
import type { ImportPosition, TreeState } from './read/position.ts'
import type { SourceTree } from './read/source-tree.ts'
import { planTags, type TagPlan } from './read/tags-step.ts'
import { planTree, type ListIndexed, type TreePlan } from './read/tree-step.ts'

export interface ImportPlan {
  /** The position before the first item. */
  readonly position: ImportPosition
  readonly docs?: TreePlan
  readonly wiki?: TreePlan
  /** Absent for a folder, which has no tags to remember. */
  readonly tags?: TagPlan
  readonly commits?: CommitPlan
  /** Documents, tags and commits to put or remove. */
  readonly work: number
  /** All documents, tags and commits of the sources; at least `work`, because removals are work too. */
  readonly total: number
  /** Sentences for the summary. */
  readonly notes: readonly string[]
}

/** `listIndexed` is absent when the index does not have the repository. */
export async function planImport(
  sources: ImportSources,
  before: ImportPosition,
  sinceMs: number | undefined,
  listIndexed: ListIndexed | undefined,
): Promise<Result<ImportPlan>> {
  const { git, origin } = sources
  const commits = git === undefined ? undefined : await planCommits(git, git.head, before, sinceMs)
  const position = commits?.position ?? before
  const docs = await planOptional(sources.docs, position.docs, listIndexed)
  if (!docs.ok) return docs
  const wiki = await planOptional(sources.wiki, position.wiki, listIndexed)
  if (!wiki.ok) return wiki
  const isIndexed = listIndexed !== undefined
  const tags = git === undefined ? undefined : await planTags(git, sources.tags, position.tags, origin, isIndexed)
  const parts = [docs.value, wiki.value, tags, commits]
  const work = parts.reduce((sum, part) => sum + (part?.work ?? 0), 0)
  const all = parts.reduce((sum, part) => sum + (part?.total ?? 0), 0)
  return ok({
    position,
    ...(docs.value === undefined ? {} : { docs: docs.value }),
    ...(wiki.value === undefined ? {} : { wiki: wiki.value }),
    ...(tags === undefined ? {} : { tags }),
    ...(commits === undefined ? {} : { commits }),
    work,
    total: Math.max(all, work),
    notes:
      tags?.remembersNames === false
        ? ['There are more tags than a position remembers; tags deleted later stay in the index.']
        : [],
  })
}

async function planOptional(
  tree: SourceTree | undefined,
  state: TreeState | undefined,
  listIndexed: ListIndexed | undefined,
): Promise<Result<TreePlan | undefined>> {
  return tree === undefined ? ok(undefined) : planTree(tree, state, listIndexed)
}
