/** Tests with a few git commands whether an import has nothing to do, without a plan. */
import { findCommits, listLost } from '../../git/git-reader.ts'
import type { ImportSources } from './import-sources.ts'
import type { ImportPosition, TreeState } from './position.ts'
import type { SourceTree } from './source-tree.ts'
import { areTagsStored } from './tags-step.ts'

/** True when the last run left nothing unread and nothing has changed since. */
export async function isUpToDate(sources: ImportSources, position: ImportPosition): Promise<boolean> {
  const { git, docs, wiki, tags } = sources
  if (!isRead(docs, position.docs) || !isRead(wiki, position.wiki)) return false
  if (git === undefined) return true
  if (git.shallow !== position.shallow || position.ranges.length > 0 || position.drop.length > 0) return false
  const [tip, ...others] = position.tips
  if (tip !== git.head) return false
  // Another tip may have lost its branch.
  const found = await findCommits(git.run, others)
  if (!others.every((id) => found.has(id))) return false
  if ((await listLost(git.run, others)).lost.length > 0) return false
  return areTagsStored(git, tags, position.tags)
}

function isRead(tree: SourceTree | undefined, state: TreeState | undefined): boolean {
  return tree === undefined || (state?.at === tree.at && state.after === undefined)
}
