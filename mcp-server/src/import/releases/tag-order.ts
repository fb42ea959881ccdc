/**
 * The order of tags as releases: full releases before pre-releases, then by the
 * version in the name as Semantic Versioning orders it, then by name. Reads
 * names such as `v1.2`, `core@1.2.0`, `release-1.2` and `REL_16_1`.
 */
import { isPrerelease } from '../../git/tags.ts'

/** A tag's name with what its order depends on. */
export interface OrderedTag {
  readonly name: string
  /** The text before the version: the package in a repository of several, or empty. */
  readonly line: string
  readonly isPrerelease: boolean
  /** The parts of the version; empty for a name without one. */
  readonly numbers: readonly number[]
  /** The parts after the numbers, such as `rc` and 1. */
  readonly suffix: readonly (string | number)[]
}

export function toOrderedTag(name: string): OrderedTag {
  const cut = Math.max(name.lastIndexOf('@'), name.lastIndexOf('/')) + 1
  const start = /\d/.test(name.slice(cut)) ? cut : 0
  const rest = name.slice(start)
  const version = /\d+(?:[._]\d+)+/.exec(rest) ?? /\d+/.exec(rest)
  const at = version === null ? rest.length : version.index
  const digits = version?.[0] ?? ''
  const after = rest.slice(at + digits.length).replace(/\+.*$/, '')
  return {
    name,
    line: name
      .slice(0, start + at)
      .replace(/[@/_-]?v?$/i, '')
      .toLowerCase(),
    isPrerelease: isPrerelease(name),
    numbers: digits === '' ? [] : digits.split(/[._]/).map(Number),
    suffix: (after.toLowerCase().match(/\d+|[a-z]+/g) ?? []).map((part) => (/^\d/.test(part) ? Number(part) : part)),
  }
}

/** The earlier of two releases comes first. `v1.2` counts as `v1.2.0`. */
export function compareReleases(a: OrderedTag, b: OrderedTag): number {
  return compare(a, b, 0)
}

/**
 * For tags of one commit: the tag that names the release comes first. `v1.2.0`
 * comes before `v1.2` and `v1`, which projects move from release to release.
 */
export function compareOfOneCommit(a: OrderedTag, b: OrderedTag): number {
  return compare(a, b, Infinity)
}

function compare(a: OrderedTag, b: OrderedTag, absent: number): number {
  return (
    Number(a.isPrerelease) - Number(b.isPrerelease) ||
    Number(a.numbers.length === 0) - Number(b.numbers.length === 0) ||
    compareLists(a.numbers, b.numbers, absent) ||
    // Semantic Versioning, item 11: a number is lower than a word, and a shorter list than a longer one.
    compareLists(a.suffix, b.suffix, undefined) ||
    compareParts(a.name, b.name)
  )
}

type Part = string | number | undefined

/** Where a list has no more parts, `absent` stands for one. */
function compareLists(a: readonly Part[], b: readonly Part[], absent: number | undefined): number {
  for (let at = 0; at < Math.max(a.length, b.length); at += 1) {
    const order = compareParts(at < a.length ? a[at] : absent, at < b.length ? b[at] : absent)
    if (order !== 0) return order
  }
  return 0
}

function compareParts(a: Part, b: Part): number {
  if (a === b) return 0
  if (typeof a === typeof b) return (a ?? 0) < (b ?? 0) ? -1 : 1
  return kindOf(a) - kindOf(b)
}

function kindOf(part: Part): number {
  return ['undefined', 'number', 'string'].indexOf(typeof part)
}
