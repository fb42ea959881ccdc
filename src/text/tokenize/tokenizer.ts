/**
 * The tokenizer that documents, questions and snippets share. It walks a text once
 * and calls a visitor with the folded words of every run of letters, digits or
 * emoji. Punctuation is dropped unless it is part of a name (`C++`, `.NET`, `#12`):
 * there it is written full-width, which normalised text cannot contain and the
 * ascii tokenizer of FTS5 keeps. Time is linear: runs are cut at MAX_RUN_CHARS.
 */
import { katakanaOf, visitSegments, visitBigrams, normaliseKana } from './cjk.ts'
import { identifierParts, nameBeforeNumber, versionTerm } from './identifiers.ts'
import { fold } from './normalise.ts'
import { MAX_RUN_CHARS } from '../limits.ts'

/** Tokens are folded and not stemmed; `start` and `end` are UTF-16 offsets in the tokenized text. */
interface TokenVisitor {
  /** A word, in reading order. */
  word(folded: string, start: number, end: number): void
  /** Another form of a word: a whole identifier, or a part of a camelCase one. */
  compound(folded: string, start: number, end: number): void
  /** A more general form: the `c` of `c++`, the `1.2` and `v1` of `1.2.3`, the `oauth` of `oauth2`. */
  relative(folded: string, start: number, end: number): void
  /** Two neighbouring characters of a script without spaces, with BIGRAM_MARK. */
  bigram(folded: string, start: number, end: number): void
}

const CJK = '[[\\p{scx=Han}\\p{scx=Hira}\\p{scx=Kana}\\p{scx=Bopo}]&&[\\p{L}\\p{M}\\p{N}]]'
const SOUTH_EAST_ASIAN = '[[\\p{scx=Thai}\\p{scx=Laoo}\\p{scx=Khmr}\\p{scx=Mymr}]&&[\\p{L}\\p{M}\\p{N}]]'
const HANGUL = '[\\p{Script=Hangul}&&\\p{L}]'
const SPACED = `[[\\p{L}\\p{M}\\p{N}_]--[${CJK}${SOUTH_EAST_ASIAN}${HANGUL}]]`
const FLAG = '\\p{RI}{2}|\\u{1F3F4}[\\u{E0030}-\\u{E0039}\\u{E0061}-\\u{E007A}]{3,6}\\u{E007F}'

/** `12,000` and `1,00,000.5`: not the end of a word or of a list of other numbers. */
const GROUPED_NUMBER = (() => {
  const [digit, comma] = ['[0-9０-９]', '[,，]']
  const groups = `${digit}{1,3}(?:${comma}${digit}{2,3}){0,6}${comma}${digit}{3}(?:\\.${digit}{1,18})?`
  return (joined: string) => `(?<number>(?<!${joined}|\\.|${digit}${comma})${groups}(?!${digit}|_|[,，.]${digit}))`
})()

const RUN = new RegExp(
  [
    GROUPED_NUMBER(SPACED),
    `(?<spaced>${SPACED}(?:${SPACED}|(?:::|[\\-.\\/'’])(?=${SPACED})){0,${MAX_RUN_CHARS}})`,
    `(?<cjk>${CJK}{1,${MAX_RUN_CHARS}})`,
    `(?<hangul>${HANGUL}{1,${MAX_RUN_CHARS}})`,
    `(?<asian>${SOUTH_EAST_ASIAN}{1,${MAX_RUN_CHARS}})`,
    `(?<emoji>${FLAG}|\\p{RI}|\\p{Extended_Pictographic})`,
  ].join('|'),
  'gv',
)

/** The runs of ASCII text, several times faster. */
const ASCII_RUN = new RegExp(`${GROUPED_NUMBER('\\w')}|\\w(?:\\w|(?:::|[\\-./'])(?=\\w)){0,${MAX_RUN_CHARS}}`, 'g')

const ASCII = /^[\0-\x7f]*$/

/** `text` must be normalised; tokens are visited in the order of their runs. */
export function tokenize(text: string, receiver: TokenVisitor): void {
  const visitor = withoutEmpty(receiver)
  if (ASCII.test(text)) {
    for (const match of text.matchAll(ASCII_RUN)) {
      if (match[1] === undefined) visitSpaced(text, match[0], match.index, visitor)
      else visitNumber(match[0], match.index, visitor)
    }
    return
  }
  const cjk = new BigramRuns(visitor)
  const hangul = new BigramRuns(visitor)
  for (const match of text.matchAll(RUN)) {
    const groups = match.groups ?? {}
    const [run, at] = [match[0], match.index]
    if (groups.number !== undefined) visitNumber(run, at, visitor)
    else if (groups.spaced !== undefined) visitSpaced(text, run, at, visitor)
    else if (groups.cjk !== undefined) {
      visitSegments(run, (word, from) => visitCjkWord(fold(word), at + from, at + from + word.length, visitor))
      cjk.run(run, at)
    } else if (groups.hangul !== undefined) {
      visitor.word(fold(run), at, at + run.length)
      hangul.run(run, at)
    } else if (groups.asian !== undefined) {
      visitSegments(run, (word, from) => visitor.word(fold(word), at + from, at + from + word.length))
    } else visitor.word(run, at, at + run.length)
  }
}

/** Drops empty tokens: a run that consists of accents or underscores is folded to the empty string. */
function withoutEmpty(visitor: TokenVisitor): TokenVisitor {
  const unlessEmpty =
    (visit: TokenVisitor['word']): TokenVisitor['word'] =>
    (folded, start, end) => {
      if (folded !== '') visit(folded, start, end)
    }
  return {
    word: unlessEmpty(visitor.word),
    compound: unlessEmpty(visitor.compound),
    relative: unlessEmpty(visitor.relative),
    bigram: unlessEmpty(visitor.bigram),
  }
}

/** Visits the bigrams of one script, and the bigram across the cut of a run that was too long. */
class BigramRuns {
  readonly #visitor: TokenVisitor
  #end = -1
  #last = ''

  constructor(visitor: TokenVisitor) {
    this.#visitor = visitor
  }

  run(run: string, at: number): void {
    const joined = this.#end === at ? this.#last : ''
    const start = at - joined.length
    visitBigrams(fold(joined + run), (bigram, from, to) => this.#visitor.bigram(bigram, start + from, start + to))
    this.#end = at + run.length
    this.#last = Array.from(run.slice(-2)).at(-1) ?? ''
  }
}

/** A word, and the katakana form of one that is written in hiragana with long marks: whole, and every two characters of it. */
function visitCjkWord(word: string, start: number, end: number, visitor: TokenVisitor): void {
  visitor.word(normaliseKana(word), start, end)
  const katakana = katakanaOf(word)
  if (katakana === undefined) return
  visitor.compound(normaliseKana(katakana), start, end)
  visitBigrams(katakana, (bigram, from, to) => visitor.relative(bigram, start + from, start + to))
}

/** A number with commas is one word, as without them; its groups may be numbers of a list. */
function visitNumber(run: string, at: number, visitor: TokenVisitor): void {
  const end = at + run.length
  const plain = run.replaceAll(/[,，]/g, '')
  visitor.word(versionTerm(plain) ?? plain, at, end)
  for (const { 0: group, index } of run.matchAll(/[^,，.]+/g)) {
    visitor.relative(group, at + index, at + index + group.length)
  }
}

const PLAIN = /^[a-z0-9]+$/

function visitSpaced(text: string, run: string, at: number, visitor: TokenVisitor): void {
  const end = at + run.length
  const after = marks(text, end)
  const isLetter = run !== '_' && (run.length === 1 || (run.length === 2 && run.codePointAt(0)! > 0xffff))
  if (isLetter && after !== '') {
    visitor.word(fold(run) + after, at, end + after.length)
    visitor.relative(fold(run), at, end)
    return
  }
  if (PLAIN.test(run)) {
    visitor.word(run, at, end)
    const name = nameBeforeNumber(run)
    if (name !== undefined) visitor.relative(name, at, at + name.length)
  } else for (const { kind, folded, start, end } of identifierParts(run)) visitor[kind](folded, at + start, at + end)
  if (after !== '') visitMarked(lastPart(run), after, at, end + after.length, visitor)
  const before = text[at - 1]
  if (before === '#' && /^\d+$/.test(run)) visitor.compound(`＃${run}`, at - 1, end)
  if (before === '.' && !/[\w)\]]/.test(text[at - 2] ?? '')) visitDotted(firstPart(run), at - 1, end, visitor)
}

function visitMarked(name: string, nameMarks: string, start: number, end: number, visitor: TokenVisitor): void {
  if (name !== '') visitor.compound(name + nameMarks, start, end)
}

function visitDotted(name: string, start: number, end: number, visitor: TokenVisitor): void {
  if (name !== '') visitor.compound(`．${name}`, start, end)
}

/** The `++` or `#` that belongs to the word before it (`C++`, `F#`), full-width; empty without one. */
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
