/**
 * Splits identifiers. `foo_bar`, `foo-bar`, `foo.bar` and `foo/bar` are their parts,
 * one word each. `fooBar` is one word, since prose writes GitHub and JavaScript so,
 * and its parts are compounds. The joined parts are a compound too, which all five
 * styles share. A version is one word, the same with and without `v`, and so is a
 * number with separators. A name with a number at its end is found without it.
 */
import { fold } from './normalise.ts'
import { MAX_TERM_CHARS } from '../limits.ts'

/** A term of a name. `kind` is the method of TokenVisitor to call; offsets are within the name. */
interface IdentifierPart {
  readonly kind: 'word' | 'compound' | 'relative'
  readonly folded: string
  readonly start: number
  readonly end: number
}

/** Split names cached in an isolate, because names recur; a full cache is cleared. */
const CACHED_NAMES = 20_000

/** UTF-16 units: longer names hardly recur and are not cached. */
const CACHED_NAME_CHARS = 80

const cache = new Map<string, readonly IdentifierPart[]>()

/** The parts of one run of word characters with inner marks, words in reading order. */
export function identifierParts(name: string): readonly IdentifierPart[] {
  const known = cache.get(name)
  if (known !== undefined) return known
  const found: IdentifierPart[] = []
  if (SEPARATED_NUMBER.test(name)) splitNumber(name, found)
  else if (/\d\.\d/.test(name)) splitVersions(name, found)
  else splitLevel(name, 0, LEVELS, found)
  if (name.length <= CACHED_NAME_CHARS) {
    if (cache.size >= CACHED_NAMES) cache.clear()
    cache.set(name, found)
  }
  return found
}

/** `12_000`, `1'000'000`. */
const SEPARATED_NUMBER = /^\d{1,3}(?:[_'’]\d{3}){1,8}$/

function splitNumber(name: string, found: IdentifierPart[]): void {
  found.push({ kind: 'word', folded: name.replaceAll(/\D/g, ''), start: 0, end: name.length })
  for (const { 0: group, index } of name.matchAll(/\d+/g)) {
    found.push({ kind: 'relative', folded: group, start: index, end: index + group.length })
  }
}

/** Letters with a number at their end, folded: `oauth2`, `sha256`, not `v2`. */
const NUMBERED_NAME = /^(\p{L}{2,})\d{1,6}$/u

/** The `oauth` of `oauth2`, of a folded word; undefined for a word that is no name with a number at its end. */
export function nameBeforeNumber(word: string): string | undefined {
  return NUMBERED_NAME.exec(word)?.[1]
}

/** The term of a version without its `v`: `1．2．3`, `1．2．3－rc．1`; undefined when the text is not one version. */
export function versionTerm(text: string): string | undefined {
  const match = /^v?(\d{1,18}(?:\.\d{1,18})+(?:-[a-z0-9]+(?:[.-][a-z0-9]+)*)?)$/i.exec(text)
  return match?.[1] === undefined || text.length > MAX_TERM_CHARS ? undefined : widen(match[1].toLowerCase())
}

/** `1.2.3`, `v20.04`, with or without `-rc.1`: not inside a longer word, not the tail of `a.1.2`. */
const VERSION =
  /(?<![\p{L}\p{N}_.])v?(\d{1,18}(?:\.\d{1,18})+)(?:-([a-z][a-z0-9]*(?:\.[a-z0-9]+)*)(?![\p{L}\p{N}_]))?/giu

function splitVersions(name: string, found: IdentifierPart[]): void {
  let done = 0
  for (const match of name.matchAll(VERSION)) {
    splitLevel(name.slice(done, match.index), done, LEVELS, found)
    const [whole, numbers = '', suffix] = match
    const start = match.index
    const end = start + whole.length - (suffix === undefined ? 0 : suffix.length + 1)
    const parts = numbers.split('.')
    found.push({ kind: 'word', folded: widen(numbers), start, end })
    if (parts.length > 2) found.push({ kind: 'relative', folded: widen(`${parts[0]}.${parts[1]}`), start, end })
    found.push({ kind: 'relative', folded: `v${parts[0]}`, start, end })
    if (suffix !== undefined) {
      const folded = widen(`${numbers}-${suffix.toLowerCase()}`)
      found.push({ kind: 'compound', folded, start, end: start + whole.length })
    }
    done = end
  }
  splitLevel(name.slice(done), done, LEVELS, found)
}

function widen(version: string): string {
  return version.replaceAll('.', '．').replaceAll('-', '－')
}

/** From the loosest mark to the tightest; each level with parts adds its joined name. */
const LEVELS: readonly RegExp[] = [/\//, /\.|::?/, /[-'’_]+/]

/** The level at which a joined name above MAX_TERM_CHARS is kept; at the others it is a long path, not an identifier. */
const TIGHTEST = LEVELS.length - 1

function splitLevel(name: string, at: number, levels: readonly RegExp[], found: IdentifierPart[]): string {
  const level = levels.findIndex((mark) => mark.test(name))
  const mark = levels[level]
  if (mark === undefined) return splitPart(name, at, found)
  const tighter = levels.slice(level + 1)
  const joined: string[] = []
  let from = 0
  for (const segment of name.split(mark)) {
    from = name.indexOf(segment, from)
    if (segment !== '') joined.push(splitLevel(segment, at + from, tighter, found))
    from += segment.length
  }
  const folded = joined.join('')
  const isKept = joined.length > 1 && (mark === LEVELS[TIGHTEST] || folded.length <= MAX_TERM_CHARS)
  if (isKept) found.push({ kind: 'compound', folded, start: at, end: at + name.length })
  return folded
}

const INNER_CAPITAL = /.\p{Lu}/u

/** Capitals before a word (`HTTP|Server`), a plural of capitals (`URLs`), a word, capitals. */
const CAMEL = /\p{Lu}+(?=\p{Lu}(?:\p{Ll}{2}|(?!s)\p{Ll}))|\p{Lu}+s(?!\p{Ll})|\p{Lu}?[^\p{Lu}]+|\p{Lu}+/gu

/** Adds one part without marks: a word, and the parts of camelCase. Returns it folded. */
function splitPart(part: string, at: number, found: IdentifierPart[]): string {
  const folded = fold(part)
  if (folded === '') return ''
  found.push({ kind: 'word', folded, start: at, end: at + part.length })
  addNumberedName(folded, at, found)
  if (part.length > MAX_TERM_CHARS || !INNER_CAPITAL.test(part)) return folded
  const parts = [...part.matchAll(CAMEL)]
  if (parts.length < 2) return folded
  for (const { 0: text, index } of parts) {
    const [start, end] = [at + index, at + index + text.length]
    if (fold(text) === '') continue
    found.push({ kind: 'compound', folded: fold(text), start, end })
    addNumberedName(fold(text), start, found)
  }
  return folded
}

function addNumberedName(folded: string, start: number, found: IdentifierPart[]): void {
  const name = nameBeforeNumber(folded)
  if (name !== undefined) found.push({ kind: 'relative', folded: name, start, end: start + name.length })
}
