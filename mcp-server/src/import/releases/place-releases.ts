/** Places the tags of a checkout in its history. One git command reads the history, and all else is computed. */
import { readGraph } from '../../../../src/documents/releases/commit-graph.ts'
import { placeTags, type Placement } from '../../../../src/documents/releases/place-tags.ts'
import type { Run } from '../../git/git-command.ts'
import { listAncestry } from '../../git/git-reader.ts'
import type { Tag } from '../../git/tags.ts'

export type TagPlacement = Placement<Tag>

/** In the order of the tags. `boundary`: the last commits of a shallow clone. */
export async function placeReleases(
  run: Run,
  tags: readonly Tag[],
  boundary: ReadonlySet<string>,
): Promise<TagPlacement[]> {
  const graph = await readGraph(listAncestry(run, [...new Set(tags.map(({ commitSha }) => commitSha))]))
  return placeTags(graph, tags, boundary)
}
