/**
 * The order of tags as releases: full releases before pre-releases, then by the
 * version in the name, then by name. The index orders releases by the same key.
 */
import { isPrerelease, readTagVersion, versionKey } from '../tag-version.ts'

/** A tag's name with what its order depends on. */
export interface OrderedTag {
  readonly name: string
  /** The text before the version: the package in a repository of several, or empty. */
  readonly line: string
  readonly isPrerelease: boolean
  /** Its place among releases, and among the tags of one commit. */
  readonly key: string
  readonly keyOfOneCommit: string
}

export function toOrderedTag(name: string): OrderedTag {
  return {
    name,
    line: readTagVersion(name).line,
    isPrerelease: isPrerelease(name),
    key: versionKey(name),
    keyOfOneCommit: versionKey(name, 'last'),
  }
}

/** The earlier of two releases comes first. `v1.2` counts as `v1.2.0`. */
export function compareReleases(a: OrderedTag, b: OrderedTag): number {
  return Number(a.isPrerelease) - Number(b.isPrerelease) || compareTexts(a.key, b.key)
}

/**
 * For tags of one commit: the tag that names the release comes first. `v1.2.0`
 * comes before `v1.2` and `v1`, which projects move from release to release.
 */
export function compareOfOneCommit(a: OrderedTag, b: OrderedTag): number {
  return Number(a.isPrerelease) - Number(b.isPrerelease) || compareTexts(a.keyOfOneCommit, b.keyOfOneCommit)
}

function compareTexts(a: string, b: string): number {
  if (a === b) return 0
  return a < b ? -1 : 1
}
