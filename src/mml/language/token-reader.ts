/**
 * A place in a list of tokens, and the small pieces every statement is made
 * of: numbers, accidentals, lengths. It reports what cannot be read where it
 * stands and always moves on, so that one pass collects every fault.
 */
import type { Length, LengthTerm, Pitch } from './ast.ts'
import { quote } from './diagnostic.ts'
import type { Diagnostics } from './diagnostic.ts'
import type { Lexicon } from './lexicon.ts'
import { MAX_DOTS, MAX_NUMBER } from '../limits.ts'
import { hintForUnknown } from './suggest.ts'
import type { Token, TokenKind } from './token.ts'

/** Where no length is written. */
export const DEFAULT_LENGTH: Length = { terms: [{ sign: 1, unit: 'note', value: null, dots: 0 }] }

export class Reader {
  readonly lexicon: Lexicon
  readonly diagnostics: Diagnostics
  readonly #tokens: readonly Token[]
  readonly #endAt: number
  readonly #lengths = new Map<string, Length>()
  readonly #pitches = new Map<string, Pitch>()
  #index = 0

  /** `endAt`: the offset that "end of input" points to. */
  constructor(tokens: readonly Token[], lexicon: Lexicon, diagnostics: Diagnostics, endAt: number) {
    this.#tokens = tokens
    this.lexicon = lexicon
    this.diagnostics = diagnostics
    this.#endAt = endAt
  }

  /** The token that stands here or further on; after too many errors the text counts as ended. */
  peek(ahead = 0): Token | undefined {
    return this.diagnostics.isFull ? undefined : this.#tokens[this.#index + ahead]
  }

  next(): Token | undefined {
    const token = this.peek()
    this.#index++
    return token
  }

  isMark(text: string, ahead = 0): boolean {
    const token = this.peek(ahead)
    return token?.kind === 'mark' && token.text === text
  }

  isKind(kind: TokenKind, ahead = 0): boolean {
    return this.peek(ahead)?.kind === kind
  }

  /** Steps over the mark if it stands here. */
  accept(mark: string): boolean {
    const stands = this.isMark(mark)
    if (stands) this.#index++
    return stands
  }

  get native(): boolean {
    return this.lexicon.profile === 'native'
  }

  /** Reports a token that cannot stand where it stands: unknown to the dialect, or out of place. */
  reject(token: Token | undefined, expected: string): void {
    if (token?.kind === 'unknown') {
      const hint = hintForUnknown(token.text, this.lexicon)
      this.diagnostics.error('SYNTAX_INVALID_TOKEN', token.at, `${quote(token.text)} means nothing here.`, hint)
      return
    }
    const found = token === undefined ? 'The text ends' : `${quote(token.text)} stands`
    const message = `${found} where ${expected} was expected.`
    this.diagnostics.error('SYNTAX_UNEXPECTED_TOKEN', token?.at ?? this.#endAt, message)
  }

  /** A number with a sign where one is allowed; null, and nothing read, where there is none. */
  number(signed: boolean): number | null {
    const hasSign = signed && (this.isMark('+') || this.isMark('-'))
    const binary = this.native && this.lexicon.mode === 'ppmck' && this.isMark('%', hasSign ? 1 : 0)
    const token = this.peek((hasSign ? 1 : 0) + (binary ? 1 : 0))
    if (token?.kind !== 'number') return null
    const negative = hasSign && this.isMark('-')
    this.#index += 1 + (hasSign ? 1 : 0) + (binary ? 1 : 0)
    const value = binary ? Math.min(Number.parseInt(token.text, 2) || 0, MAX_NUMBER) : token.value
    return negative && value !== 0 ? -value : value
  }

  /** The accidentals after a note's letter: one of `+ # -` in house texts, any run of `+` or `-` in native ppmck. */
  pitch(note: Token): Pitch {
    let accidental = 0
    const isSign = () => this.isMark('+') || this.isMark('-') || (this.isMark('#') && !this.#hasFrames)
    while (this.isKind('mark') && isSign() && (accidental === 0 || this.#hasFrames)) {
      accidental += this.isMark('-') ? -1 : 1
      this.#index++
      if (!this.#hasFrames) break
    }
    const key = `${note.text}${accidental}`
    const known = this.#pitches.get(key) ?? { letter: note.text, semitone: note.value, accidental }
    this.#pitches.set(key, known)
    return known
  }

  /** Whether a length is written here; without one the default length holds. */
  hasLength(): boolean {
    return this.isKind('number') || (this.#hasFrames && (this.isMark('%') || this.isMark('#')))
  }

  /** The same object for the same plain length: a text has thousands of them. */
  length(): Length {
    if (!this.isKind('number') && !this.isKind('mark')) return DEFAULT_LENGTH
    const first = this.#term(1)
    const terms: LengthTerm[] = [first]
    while (this.#hasFrames && (this.isMark('-') || this.isMark('~'))) {
      this.#index++
      terms.push(this.#term(-1))
    }
    if (terms.length > 1) return { terms }
    const key = `${first.unit} ${first.value} ${first.dots}`
    const known = this.#lengths.get(key) ?? { terms }
    this.#lengths.set(key, known)
    return known
  }

  #term(sign: 1 | -1): LengthTerm {
    const isCount = this.#hasFrames && this.isMark('%')
    const isFrame = this.#hasFrames && this.isMark('#')
    const unit = isCount ? 'count' : isFrame ? 'frame' : 'note'
    const mark = this.peek()
    if (unit !== 'note') this.#index++
    const token = this.isKind('number') ? this.next() : undefined
    if (unit !== 'note' && token === undefined) {
      const message = `${quote(mark?.text ?? '')} wants a number.`
      this.diagnostics.error('SYNTAX_INVALID_NUMBER', mark?.at ?? this.#endAt, message)
    }
    let dots = 0
    while (this.accept('.')) dots++
    return { sign, unit, value: token?.value ?? null, dots: Math.min(dots, MAX_DOTS) }
  }

  /** Native ppmck counts frames, so there `#` is no sharp and lengths may be subtracted. */
  get #hasFrames(): boolean {
    return this.native && this.lexicon.mode === 'ppmck'
  }
}
