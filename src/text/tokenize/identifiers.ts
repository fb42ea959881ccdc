/**
 * Names people give things, taken apart. `foo_bar`, `foo-bar`, `foo.bar` and
 * `foo/bar` are read as their parts, one word each; `fooBar` is read as one word,
 * since prose writes GitHub and JavaScript so, and its parts are compounds. The
 * parts joined without marks are a compound too, where all five styles meet.
 * Versions are one word, the same with and without `v`.
 */
import { fold } from './normalise.ts'
import { MAX_TERM_CHARS } from '../terms/stem.ts'

/** One thing a name is found by; `kind` names the method of Sink it is told by. Places are in the name. */
export interface IdentifierPart {
  readonly kind: 'word' | 'compound' | 'relative'
  readonly folded: string
  readonly start: number
  readonly end: number
}

/** Names recur, in code above all; a Worker keeps this many taken apart before it starts afresh. */
const REMEMBERED = 20_000

/** Longer names hardly recur. */
const REMEMBERED_CHARS = 80

const remembered = new Map<string, readonly IdentifierPart[]>()

/** The words, compounds and relatives of one run of word characters with inner marks, the words in reading order. */
export function identifierParts(name: string): readonly IdentifierPart[] {
  const known = remembered.get(name)
  if (known !== undefined) return known
  const pieces: IdentifierPart[] = []
  if (/\d\.\d/.test(name)) splitVersions(name, pieces)
  else splitLevel(name, 0, LEVELS, pieces)
  if (name.length <= REMEMBERED_CHARS) {
    if (remembered.size >= REMEMBERED) remembered.clear()
    remembered.set(name, pieces)
  }
  return pieces
}

/** The term of a version without its `v`: `1．2．3`, `1．2．3－rc．1`; undefined when the text is not one version. */
export function versionTerm(text: string): string | undefined {
  const match = /^v?(\d{1,18}(?:\.\d{1,18})+(?:-[a-z0-9]+(?:[.-][a-z0-9]+)*)?)$/i.exec(text)
  return match?.[1] === undefined || text.length > MAX_TERM_CHARS ? undefined : widen(match[1].toLowerCase())
}

/** `1.2.3`, `v20.04`, with or without `-rc.1`: not inside a longer word, not the tail of `a.1.2`. */
const VERSION =
  /(?<![\p{L}\p{N}_.])v?(\d{1,18}(?:\.\d{1,18})+)(?:-([a-z][a-z0-9]*(?:\.[a-z0-9]+)*)(?![\p{L}\p{N}_]))?/giu

function splitVersions(name: string, pieces: IdentifierPart[]): void {
  let done = 0
  for (const match of name.matchAll(VERSION)) {
    splitLevel(name.slice(done, match.index), done, LEVELS, pieces)
    const [whole, numbers = '', suffix] = match
    const start = match.index
    const end = start + whole.length - (suffix === undefined ? 0 : suffix.length + 1)
    const parts = numbers.split('.')
    pieces.push({ kind: 'word', folded: widen(numbers), start, end })
    if (parts.length > 2) pieces.push({ kind: 'relative', folded: widen(`${parts[0]}.${parts[1]}`), start, end })
    pieces.push({ kind: 'relative', folded: `v${parts[0]}`, start, end })
    if (suffix !== undefined) {
      const folded = widen(`${numbers}-${suffix.toLowerCase()}`)
      pieces.push({ kind: 'compound', folded, start, end: start + whole.length })
    }
    done = end
  }
  splitLevel(name.slice(done), done, LEVELS, pieces)
}

function widen(version: string): string {
  return version.replaceAll('.', '．').replaceAll('-', '－')
}

/** From the loosest mark to the tightest; a joined name is told at each level that has parts. */
const LEVELS: readonly RegExp[] = [/\//, /\.|::?/, /[-'’_]+/]

/** Only the tightest level keeps its joined name whatever its length: a long path is not an identifier. */
const TIGHTEST = LEVELS.length - 1

function splitLevel(name: string, at: number, levels: readonly RegExp[], pieces: IdentifierPart[]): string {
  const level = levels.findIndex((mark) => mark.test(name))
  const mark = levels[level]
  if (mark === undefined) return splitPart(name, at, pieces)
  const tighter = levels.slice(level + 1)
  const joined: string[] = []
  let from = 0
  for (const piece of name.split(mark)) {
    from = name.indexOf(piece, from)
    if (piece !== '') joined.push(splitLevel(piece, at + from, tighter, pieces))
    from += piece.length
  }
  const folded = joined.join('')
  const isKept = joined.length > 1 && (mark === LEVELS[TIGHTEST] || folded.length <= MAX_TERM_CHARS)
  if (isKept) pieces.push({ kind: 'compound', folded, start: at, end: at + name.length })
  return folded
}

const INNER_CAPITAL = /.\p{Lu}/u

/** Capitals before a word (`HTTP|Server`), a plural of capitals (`URLs`), a word, capitals. */
const CAMEL = /\p{Lu}+(?=\p{Lu}(?:\p{Ll}{2}|(?!s)\p{Ll}))|\p{Lu}+s(?!\p{Ll})|\p{Lu}?[^\p{Lu}]+|\p{Lu}+/gu

/** One part without marks: a word, and where it is camelCase its parts. Returns it folded. */
function splitPart(part: string, at: number, pieces: IdentifierPart[]): string {
  const folded = fold(part)
  if (folded === '') return ''
  pieces.push({ kind: 'word', folded, start: at, end: at + part.length })
  if (part.length > MAX_TERM_CHARS || !INNER_CAPITAL.test(part)) return folded
  const parts = [...part.matchAll(CAMEL)]
  if (parts.length < 2) return folded
  for (const { 0: text, index } of parts) {
    const [start, end] = [at + index, at + index + text.length]
    if (fold(text) !== '') pieces.push({ kind: 'compound', folded: fold(text), start, end })
  }
  return folded
}
