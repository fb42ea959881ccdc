/**
 * Names people give things, taken apart. `foo_bar`, `foo-bar`, `foo.bar` and
 * `foo/bar` are read as their parts, one word each; `fooBar` is read as one word,
 * since prose writes GitHub and JavaScript so, and its parts are compounds. The
 * parts joined without marks are a compound too, where all five styles meet.
 * Versions are one word, the same with and without `v`.
 */
import { fold } from './normalise.ts'
import type { Sink } from './sink.ts'
import { MAX_TERM_CHARS } from './terms.ts'

const PLAIN = /^[a-z0-9]+$/

/** `1.2.3`, `v20.04`: not inside a longer word, not the tail of `a.1.2`. */
const VERSION =
  /(?<![\p{L}\p{N}_.])[vV]?(\d{1,18}(?:\.\d{1,18})+)(?:-([a-z][a-z0-9]*(?:\.[a-z0-9]+)*)(?![\p{L}\p{N}_]))?/giu

const CAMEL = /\p{Lu}+(?=\p{Lu}(?:\p{Ll}{2}|(?!s)\p{Ll}))|\p{Lu}+s(?!\p{Ll})|\p{Lu}?[^\p{Lu}]+|\p{Lu}+/gu

const INNER_CAPITAL = /.\p{Lu}/u

/** Tells the words and compounds of one run of word characters with inner marks. `at` is the run's offset. */
export function splitIdentifier(run: string, at: number, sink: Sink): void {
  if (PLAIN.test(run)) return sink.word(run, at, at + run.length)
  if (!/\d\.\d/.test(run)) return splitPath(run, at, sink)
  let done = 0
  for (const match of run.matchAll(VERSION)) {
    splitPath(run.slice(done, match.index), at + done, sink)
    const numbers = match[1] ?? ''
    const end = match.index + match[0].length - (match[2] === undefined ? 0 : match[2].length + 1)
    tellVersion(numbers, match[2], at + match.index, at + end, sink)
    done = end
  }
  splitPath(run.slice(done), at + done, sink)
}

/** The term of a version without its `v`: `1．2．3`, `1．2．3－rc．1`; undefined when the text is not one version. */
export function versionTerm(text: string): string | undefined {
  const match = /^[vV]?(\d{1,18}(?:\.\d{1,18})+(?:-[a-z0-9]+(?:[.-][a-z0-9]+)*)?)$/i.exec(text)
  return match?.[1] === undefined || text.length > MAX_TERM_CHARS ? undefined : widen(match[1].toLowerCase())
}

function tellVersion(numbers: string, suffix: string | undefined, start: number, end: number, sink: Sink): void {
  sink.word(widen(numbers), start, end)
  const parts = numbers.split('.')
  if (parts.length > 2) sink.relative(widen(parts.slice(0, 2).join('.')), start, end)
  sink.relative(`v${parts[0]}`, start, end)
  if (suffix !== undefined) sink.compound(widen(`${numbers}-${suffix.toLowerCase()}`), start, end + suffix.length + 1)
}

function widen(version: string): string {
  return version.replaceAll('.', '．').replaceAll('-', '－')
}

function splitPath(path: string, at: number, sink: Sink): void {
  splitLevel(path, at, sink, LEVELS)
}

/** From the loosest mark to the tightest; a joined name is told at each level that has parts. */
const LEVELS: readonly RegExp[] = [/\//, /\.|::?/, /[-'’_]+/]

function splitLevel(name: string, at: number, sink: Sink, levels: readonly RegExp[]): string {
  const [mark, ...tighter] = levels
  if (mark === undefined) return splitPart(name, at, sink)
  if (!mark.test(name)) return splitLevel(name, at, sink, tighter)
  const joined: string[] = []
  let from = 0
  for (const piece of name.split(mark)) {
    from = name.indexOf(piece, from)
    if (piece !== '') joined.push(splitLevel(piece, at + from, sink, tighter))
    from += piece.length
  }
  const whole = joined.join('')
  const long = mark !== LEVELS[2] && whole.length > MAX_TERM_CHARS
  if (joined.length > 1 && !long) sink.compound(whole, at, at + name.length)
  return whole
}

/** One part without marks: a word, and where it is camelCase its parts. Returns it folded. */
function splitPart(part: string, at: number, sink: Sink): string {
  if (part === '') return ''
  const folded = fold(part)
  if (folded === '') return ''
  sink.word(folded, at, at + part.length)
  if (part.length > MAX_TERM_CHARS || !INNER_CAPITAL.test(part)) return folded
  const pieces = [...part.matchAll(CAMEL)]
  if (pieces.length < 2) return folded
  for (const piece of pieces) sink.compound(fold(piece[0]), at + piece.index, at + piece.index + piece[0].length)
  return folded
}
