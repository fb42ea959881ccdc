/**
 * The one reading of text that documents, questions and snippets share. A text
 * is walked once; every run of letters, digits or emoji is told to a sink as
 * folded words with their places. Punctuation is never told, except where it
 * makes a name (`C++`, `.NET`, `#12`): then it is written full-width, which
 * normalised text cannot contain and FTS5's ascii tokenizer keeps whole.
 * Time is linear in the text: runs are cut at a fixed length.
 */
import { segmentRun, pairsOf, wordOfKana } from './cjk.ts'
import { identifierParts } from './identifiers.ts'
import { fold } from './normalise.ts'
import type { TokenVisitor } from './token-visitor.ts'

const CJK = '[[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Bopo}]&&[\\p{L}\\p{M}\\p{N}]]'
const SOUTH_EAST_ASIAN = '[[\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}]&&[\\p{L}\\p{M}\\p{N}]]'
const HANGUL = '[\\p{Script=Hangul}&&\\p{L}]'
const SPACED = `[[\\p{L}\\p{M}\\p{N}_]--[${CJK}${SOUTH_EAST_ASIAN}${HANGUL}]]`
const FLAG = '\\p{RI}{2}|\\u{1F3F4}[\\u{E0030}-\\u{E0039}\\u{E0061}-\\u{E007A}]{3,6}\\u{E007F}'

/** Longest run read in one piece, in characters; the rest is the next run. */
const MAX_RUN = 1000

const RUN = new RegExp(
  [
    `(?<spaced>${SPACED}(?:${SPACED}|(?:::|[\\-.\\/'’])(?=${SPACED})){0,${MAX_RUN}})`,
    `(?<cjk>${CJK}{1,${MAX_RUN}})`,
    `(?<hangul>${HANGUL}{1,${MAX_RUN}})`,
    `(?<asian>${SOUTH_EAST_ASIAN}{1,${MAX_RUN}})`,
    `(?<emoji>${FLAG}|\\p{RI}|\\p{Extended_Pictographic})`,
  ].join('|'),
  'gv',
)

/** The same for text that is all ASCII, which is most of it, several times faster. */
const ASCII_RUN = new RegExp(`\\w(?:\\w|(?:::|[\\-./'])(?=\\w)){0,${MAX_RUN}}`, 'g')

const ASCII = /^[\0-\x7f]*$/

/** Walks a normalised text from its beginning to its end. */
export function tokenize(text: string, given: TokenVisitor): void {
  const sink = withoutEmpty(given)
  if (ASCII.test(text)) {
    for (const match of text.matchAll(ASCII_RUN)) spaced(text, match[0], match.index, sink)
    return
  }
  const cjk = new BigramWalk(sink)
  const hangul = new BigramWalk(sink)
  for (const match of text.matchAll(RUN)) {
    const groups = match.groups ?? {}
    const [run, at] = [match[0], match.index]
    if (groups.spaced !== undefined) spaced(text, run, at, sink)
    else if (groups.cjk !== undefined) {
      segmentRun(run, (word, from) => sink.word(wordOfKana(fold(word)), at + from, at + from + word.length))
      cjk.run(run, at)
    } else if (groups.hangul !== undefined) {
      sink.word(fold(run), at, at + run.length)
      hangul.run(run, at)
    } else if (groups.asian !== undefined) {
      segmentRun(run, (word, from) => sink.word(fold(word), at + from, at + from + word.length))
    } else sink.word(run, at, at + run.length)
  }
}

/** Nothing is left of a run that is all accents or underscores, and nothing is not told. */
function withoutEmpty(sink: TokenVisitor): TokenVisitor {
  const unlessEmpty =
    (tell: TokenVisitor['word']): TokenVisitor['word'] =>
    (folded, start, end) => {
      if (folded !== '') tell(folded, start, end)
    }
  return {
    word: unlessEmpty(sink.word),
    compound: unlessEmpty(sink.compound),
    relative: unlessEmpty(sink.relative),
    bigram: unlessEmpty(sink.bigram),
  }
}

/** Tells the pairs of a script's runs, and the pair across the cut of a run that was too long. */
class BigramWalk {
  readonly #sink: TokenVisitor
  #end = -1
  #last = ''

  constructor(sink: TokenVisitor) {
    this.#sink = sink
  }

  run(run: string, at: number): void {
    const joined = this.#end === at ? this.#last : ''
    const start = at - joined.length
    pairsOf(fold(joined + run), (pair, from, to) => this.#sink.bigram(pair, start + from, start + to))
    this.#end = at + run.length
    this.#last = Array.from(run.slice(-2)).at(-1) ?? ''
  }
}

const PLAIN = /^[a-z0-9]+$/

function spaced(text: string, run: string, at: number, sink: TokenVisitor): void {
  const end = at + run.length
  const after = marks(text, end)
  const isLetter = run !== '_' && (run.length === 1 || (run.length === 2 && run.codePointAt(0)! > 0xffff))
  if (isLetter && after !== '') {
    sink.word(fold(run) + after, at, end + after.length)
    sink.relative(fold(run), at, end)
    return
  }
  if (PLAIN.test(run)) sink.word(run, at, end)
  else for (const { kind, folded, start, end } of identifierParts(run)) sink[kind](folded, at + start, at + end)
  if (after !== '') tellMarked(lastPart(run), after, at, end + after.length, sink)
  const before = text[at - 1]
  if (before === '#' && /^\d+$/.test(run)) sink.compound(`＃${run}`, at - 1, end)
  if (before === '.' && !/[\w)\]]/.test(text[at - 2] ?? '')) tellDotted(firstPart(run), at - 1, end, sink)
}

function tellMarked(name: string, marks: string, start: number, end: number, sink: TokenVisitor): void {
  if (name !== '') sink.compound(name + marks, start, end)
}

function tellDotted(name: string, start: number, end: number, sink: TokenVisitor): void {
  if (name !== '') sink.compound(`．${name}`, start, end)
}

/** `++` or `#` that belongs to the word before it (`C++`, `F#`), full-width; else nothing. */
function marks(text: string, end: number): string {
  if (text[end] === '+' && text[end + 1] === '+' && !/[\w+]/.test(text[end + 2] ?? '')) return '＋＋'
  return text[end] === '#' && !/[\w#]/.test(text[end + 1] ?? '') ? '＃' : ''
}

function lastPart(run: string): string {
  return fold(/[^\-./:'’_]*$/.exec(run.slice(-32))?.[0] ?? '')
}

function firstPart(run: string): string {
  return fold(/^[^./:'’]*/.exec(run)?.[0].replace(/[-_]/g, '') ?? '')
}
