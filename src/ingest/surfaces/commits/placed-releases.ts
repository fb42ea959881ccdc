/**
 * The places of releases in the history that the index has: the release before
 * each, the commits between them, and those that it was the first to contain.
 * The one place that decides them for what is read from GitHub.
 */
import type { Document, DocumentChange } from '../../../documents/document.ts'
import { MAX_SHAS } from '../../../documents/limits.ts'
import { listReached, readGraph } from '../../../documents/releases/commit-graph.ts'
import { placeTags } from '../../../documents/releases/place-tags.ts'
import type { SurfaceRows } from '../surface.ts'
import { readStoredCommits, type StoredCommits } from './ancestry.ts'

type Release = Document<'release'>
type Place = Pick<Release, 'previousTag' | 'commitCount' | 'released'>

interface ReleaseChange {
  /** Releases as GitHub gives them, with the commits of their tags. */
  readonly arriving?: readonly Release[]
  /** Tags that the same page removes. */
  readonly removed?: readonly string[]
  /** All of the index, where the caller has read them. */
  readonly commits?: StoredCommits
}

/**
 * Puts of the arriving releases with their places, and of the stored ones whose
 * places change. A release whose history the index does not have whole has no
 * place yet.
 */
export async function placeReleases(rows: SurfaceRows, change: ReleaseChange = {}): Promise<DocumentChange[]> {
  const { arriving = [], removed = [] } = change
  const known = await rows.listReleases()
  const stored = known.map(({ document }) => document)
  const versions = new Map(known.map(({ document, sourceVersion }) => [document.identity.tagName, sourceVersion]))
  if (arriving.length === 0 && stored.length === 0) return []
  const commits = change.commits ?? (await readStoredCommits(rows))
  const next = new Map([...stored, ...arriving].map((release) => [release.identity.tagName, release]))
  for (const tag of removed) next.delete(tag)
  const places = await findPlaces(commits, [...next.values()])
  const isNew = new Set(arriving.map(({ identity }) => identity.tagName))
  return [...next.values()].flatMap((release) => {
    const { tagName } = release.identity
    const { previousTag: _tag, commitCount: _count, released: _released, ...rest } = release
    const put: Release = { ...rest, ...places.get(tagName) }
    if (!isNew.has(tagName) && isPlacedAs(release, put)) return []
    const sourceVersion = versions.get(tagName)
    return [{ put, ...(sourceVersion !== undefined && { sourceVersion }) }]
  })
}

async function findPlaces(commits: StoredCommits, releases: readonly Release[]): Promise<Map<string, Place>> {
  const tags = releases.flatMap(({ identity, commitSha }) =>
    commitSha === undefined || !commits.has(commitSha) ? [] : [{ name: identity.tagName, commitSha }],
  )
  const parentsOf = (sha: string): readonly string[] | undefined => commits.get(sha)
  const incomplete = findIncomplete(commits, [...new Set(tags.map(({ commitSha }) => commitSha))])
  const known = tags.filter(({ commitSha }) => !incomplete.has(commitSha))
  const graph = await readGraph(listReached(parentsOf, [...new Set(known.map(({ commitSha }) => commitSha))]))
  return new Map(
    placeTags(graph, known, new Set()).map(({ tag, previousTag, commitCount, released }): [string, Place] => [
      tag.name,
      {
        ...(previousTag !== undefined && { previousTag }),
        ...(commitCount !== undefined && { commitCount }),
        ...(released.length > 0 && { released: released.slice(0, MAX_SHAS) }),
      },
    ]),
  )
}

/** Commits that lead to one which is not stored. */
function findIncomplete(commits: StoredCommits, from: readonly string[]): Set<string> {
  const incomplete = new Set<string>()
  const order = [...listReached((sha) => commits.get(sha), from)]
  for (const { sha, parents } of order.toReversed()) {
    if (!commits.has(sha) || parents.some((parent) => incomplete.has(parent))) incomplete.add(sha)
  }
  return incomplete
}

function isPlacedAs(one: Release, other: Release): boolean {
  const values = ({ previousTag, commitCount, released = [] }: Release): string =>
    JSON.stringify([previousTag ?? null, commitCount ?? null, [...released].sort()])
  return values(one) === values(other)
}
