/**
 * Text to tokens, in one pass without backtracking. Never fails: each unknown
 * character becomes a token that the parser reports. A token stores its offset;
 * line and column are computed only for tokens in a diagnostic.
 */
import { MAX_NUMBER } from '../limits.ts'
import type { Lexicon, Spelling } from './lexicon.ts'
import type { Command } from './commands.ts'

export type TokenKind =
  /** A letter c..b; `value` is its semitone above c. */
  | 'note'
  | 'rest'
  /** The name of a command. */
  | 'command'
  /** Digits; `value` is the number, at most MAX_NUMBER. */
  | 'number'
  /** One of the dialect's marks, such as `[`, `:|` or `.`. */
  | 'mark'
  /** `#` at the start of a line, then its key, then its value. */
  | 'header'
  | 'key'
  | 'string'
  | 'value'
  /** The letters or the number of the tracks that follow. */
  | 'tracks'
  /** A character that the dialect does not use, or an unclosed string or comment. */
  | 'unknown'

export interface Token {
  readonly kind: TokenKind
  readonly text: string
  readonly at: number
  readonly value: number
  readonly command: Command | null
}

const BLANK = /[ \t\r\n]+/y
const DIGITS = /[0-9]+/y
const HEX_DIGITS = /[$x]([0-9A-Fa-f]+)/y
const LINE_REST = /[^\r\n]*/y
const BLOCK_COMMENT = /\/\*[^]*?\*\//y
const TRACK_LETTER = /[ABTNL]/y
const TRACK_GROUP = /[A-Zab]+(?=[ \t\r\n]|$)/y
const TRACK_NUMBER = /[0-9]+(?=[ \t]*:)/y
const HEADER_KEY = /[A-Za-z][A-Za-z0-9-]*/y
const STRING = /"[^"\r\n]*"/y
const LINE_BLANKS = /[ \t]*/y
const UNQUOTED = /[^;\r\n]*[^; \t\r\n]/y
const ANY_CHARACTER = /[^]/uy
const ALL_REST = /[^]*/y

export function lex(text: string, lexicon: Lexicon): Token[] {
  const lexer = new Lexer(text, lexicon)
  while (lexer.step());
  return lexer.tokens
}

class Lexer {
  readonly tokens: Token[] = []
  readonly #text: string
  readonly #lexicon: Lexicon
  #at = 0

  constructor(text: string, lexicon: Lexicon) {
    this.#text = text
    this.#lexicon = lexicon
  }

  /** Reads one token, comment, header or run of blanks; false at the end. */
  step(): boolean {
    if (this.#at >= this.#text.length) return false
    const known = this.#skips() || this.#header() || this.#tracks() || this.#number() || this.#spelled()
    if (!known) this.#letter()
    return true
  }

  #skips(): boolean {
    if (this.#take(BLANK) !== null) return true
    if (this.#lexicon.blockComments && this.#text.startsWith('/*', this.#at)) {
      return this.#take(BLOCK_COMMENT) !== null || this.#push('unknown', ALL_REST)
    }
    return this.#lexicon.comments.includes(this.#text.charAt(this.#at)) && this.#take(LINE_REST) !== null
  }

  /** A `#` at the start of its line, with the key and value after it. */
  #header(): boolean {
    if (!this.#lexicon.headers || this.#text.charAt(this.#at) !== '#' || !this.#isFirstOnLine()) return false
    this.#push('header', /#/y)
    this.#take(LINE_BLANKS)
    if (!this.#push('key', HEADER_KEY)) return true
    this.#take(LINE_BLANKS)
    if (this.#text.charAt(this.#at) === '"') return this.#push('string', STRING) || this.#push('unknown', LINE_REST)
    this.#push('value', UNQUOTED)
    return true
  }

  #tracks(): boolean {
    const { tracks } = this.#lexicon
    if (tracks === 'lines') return this.#isAtLineStart() && this.#push('tracks', TRACK_GROUP)
    if (tracks === 'digits') return this.#push('tracks', TRACK_NUMBER, Number)
    return tracks === 'letters' && this.#spelling() === null && this.#push('tracks', TRACK_LETTER)
  }

  #number(): boolean {
    if (this.#push('number', DIGITS, Number)) return true
    return this.#lexicon.hexNumbers && this.#push('number', HEX_DIGITS, (hex) => Number.parseInt(hex.slice(1), 16))
  }

  #spelled(): boolean {
    const spelling = this.#spelling()
    if (spelling === null) return false
    const kind = spelling.command === null ? 'mark' : 'command'
    this.tokens.push({ kind, text: spelling.text, at: this.#at, value: 0, command: spelling.command })
    this.#at += spelling.text.length
    return true
  }

  #letter(): void {
    const char = this.#text.charAt(this.#at)
    const letter = this.#lexicon.foldsCase ? upper(char) : char
    const semitone = this.#lexicon.notes.get(letter)
    if (semitone !== undefined) this.#push('note', ANY_CHARACTER, () => semitone)
    else this.#push(letter === this.#lexicon.rest ? 'rest' : 'unknown', ANY_CHARACTER)
  }

  /** The longest command name or mark at this place. */
  #spelling(): Spelling | null {
    const { spellings, foldsCase } = this.#lexicon
    const first = this.#text.charAt(this.#at)
    const candidates = spellings.get(foldsCase ? upper(first) : first) ?? []
    return candidates.find(({ text }) => this.#readsAs(text, foldsCase)) ?? null
  }

  #readsAs(text: string, foldsCase: boolean): boolean {
    if (!foldsCase) return this.#text.startsWith(text, this.#at)
    return upper(this.#text.slice(this.#at, this.#at + text.length)) === text
  }

  #isAtLineStart(): boolean {
    return this.#at === 0 || '\r\n'.includes(this.#text.charAt(this.#at - 1))
  }

  #isFirstOnLine(): boolean {
    let before = this.#at - 1
    while (before >= 0 && ' \t'.includes(this.#text.charAt(before))) before--
    return before < 0 || '\r\n'.includes(this.#text.charAt(before))
  }

  /** Adds the match of the pattern at this place as a token; false and no change when it does not match. */
  #push(kind: TokenKind, pattern: RegExp, valueOf: (text: string) => number = () => 0): boolean {
    const at = this.#at
    const text = this.#take(pattern)
    if (text === null) return false
    this.tokens.push({ kind, text, at, value: Math.min(valueOf(text), MAX_NUMBER), command: null })
    return true
  }

  #take(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)
    if (found === null) return null
    this.#at += found[0].length
    return found[0]
  }
}

/** Upper case of ASCII letters only, so that no other letter becomes one. */
function upper(text: string): string {
  return text.replace(/[a-z]/g, (letter) => letter.toUpperCase())
}
