/**
 * The version in the name of a tag, and its place among others as Semantic
 * Versioning orders them. Reads names such as `v1.2`, `core@1.2.0`, `release-1.2`
 * and `REL_16_1`. Also recognises names of pre-releases.
 */

export interface TagVersion {
  /** The text before the version: the package in a repository of several, or empty. */
  readonly line: string
  /** The parts of the version in digits; empty for a name without one. */
  readonly numbers: readonly string[]
  /** The parts after the numbers, such as `rc` and `1`. */
  readonly suffix: readonly string[]
}

export function readTagVersion(name: string): TagVersion {
  const cut = Math.max(name.lastIndexOf('@'), name.lastIndexOf('/')) + 1
  const start = /\d/.test(name.slice(cut)) ? cut : 0
  const rest = name.slice(start)
  const version = /\d+(?:[._]\d+)+/.exec(rest) ?? /\d+/.exec(rest)
  const at = version === null ? rest.length : version.index
  const digits = version?.[0] ?? ''
  const after = rest.slice(at + digits.length).replace(/\+.*$/, '')
  return {
    line: name
      .slice(0, start + at)
      .replace(/[@/_-]?v?$/i, '')
      .toLowerCase(),
    numbers: digits === '' ? [] : digits.split(/[._]/),
    suffix: after.toLowerCase().match(/\d+|[a-z]+/g) ?? [],
  }
}

/** Digits of a number in a key. A longer number is no part of a version, and its place does not matter. */
const DIGITS = 20

/**
 * A text that sorts as the tags do: by version, then by name; names without a version
 * come last. `short` is the place of `v1.2`: as that of `v1.2.0`, or after every
 * version that begins with 1.2.
 */
export function versionKey(name: string, short: 'asZero' | 'last' = 'asZero'): string {
  const { numbers, suffix } = readTagVersion(name)
  const kept = short === 'asZero' ? withoutZeros(numbers) : numbers
  // The end of the numbers sorts before or after a further one.
  const end = short === 'asZero' ? ' ' : '~'
  // Semantic Versioning, item 11: a number is lower than a word, and a shorter list than a longer one.
  return `${numbers.length === 0 ? 1 : 0}${toKey(kept)}${end}${toKey(suffix)} ${name}`
}

function withoutZeros(numbers: readonly string[]): readonly string[] {
  return numbers.slice(0, numbers.findLastIndex((part) => /[1-9]/.test(part)) + 1)
}

function toKey(parts: readonly string[]): string {
  return parts.map((part) => `.${/^\d/.test(part) ? part.padStart(DIGITS, '0') : part}`).join('')
}

const VERSION_FORM = /(?:^|[^a-z0-9])(?:v?\d+(?:\.\d+)+|v\d+)(.*)$/i
const FINAL = /^[-.]?(final|ga|release|stable|lts|post\.?\d*|r\d+|\d+)$/i
const EARLY = /^[-._]?(a|b|c|rc|alpha|beta|pre|preview|dev|snapshot|nightly|canary|next)[._-]?\d*$/i

/**
 * True for the name of a pre-release: a version followed by `-something`
 * (Semantic Versioning, item 9) or by a word such as rc or beta.
 */
export function isPrerelease(name: string): boolean {
  const suffix = VERSION_FORM.exec(name)?.[1]?.replace(/\+.*$/, '')
  if (suffix === undefined || suffix === '' || FINAL.test(suffix)) return false
  return /^-[0-9a-z]/i.test(suffix) || EARLY.test(suffix)
}
