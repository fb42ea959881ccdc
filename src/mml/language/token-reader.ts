/**
 * A cursor over tokens, and the parsers of numbers, accidentals and lengths. It
 * reports what it cannot read and always advances, so one pass finds every error.
 */
import type { Length, LengthTerm, Pitch } from './ast.ts'
import { quote } from './diagnostic.ts'
import type { Diagnostics } from './diagnostic.ts'
import type { Lexicon } from './lexicon.ts'
import { MAX_DOTS, MAX_NUMBER } from '../limits.ts'
import { hintForUnknown } from './suggest.ts'
import type { Token, TokenKind } from './lexer.ts'

/** The length of a note without a written one. */
export const DEFAULT_LENGTH: Length = { terms: [{ sign: 1, unit: 'note', value: null, dots: 0 }] }

export class TokenReader {
  readonly lexicon: Lexicon
  readonly diagnostics: Diagnostics
  readonly #tokens: readonly Token[]
  readonly #endAt: number
  readonly #lengths = new Map<string, Length>()
  readonly #pitches = new Map<string, Pitch>()
  #index = 0

  /** `endAt` is the offset of errors at the end of the text. */
  constructor(tokens: readonly Token[], lexicon: Lexicon, diagnostics: Diagnostics, endAt: number) {
    this.#tokens = tokens
    this.lexicon = lexicon
    this.diagnostics = diagnostics
    this.#endAt = endAt
  }

  /** The current token, or one `ahead` of it; undefined at the end of the text and after too many errors. */
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

  /** Skips the mark if it is the current token. */
  accept(mark: string): boolean {
    const isNext = this.isMark(mark)
    if (isNext) this.#index++
    return isNext
  }

  get native(): boolean {
    return this.lexicon.profile === 'native'
  }

  /** Reports a token that is unknown to the dialect or not allowed at its place. */
  reject(token: Token | undefined, expected: string): void {
    if (token?.kind === 'unknown') {
      const hint = hintForUnknown(token.text, this.lexicon)
      this.diagnostics.error(
        'SYNTAX_INVALID_TOKEN',
        token.at,
        `${quote(token.text)} is not part of this dialect.`,
        hint,
      )
      return
    }
    const found = token === undefined ? 'The text ends' : `${quote(token.text)} was found`
    const message = `${found} where ${expected} was expected.`
    this.diagnostics.error('SYNTAX_UNEXPECTED_TOKEN', token?.at ?? this.#endAt, message)
  }

  /** A number, with a sign if `signed`; null and no change when there is none. */
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

  /** The accidentals after a note letter: one of `+ # -`, or in native ppmck any run of `+` and `-`. */
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

  /** True when a length is written here. */
  hasLength(): boolean {
    return this.isKind('number') || (this.#hasFrames && (this.isMark('%') || this.isMark('#')))
  }

  /** A written length, or DEFAULT_LENGTH. Equal plain lengths share one object: a text has thousands. */
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
      const message = `${quote(mark?.text ?? '')} needs a number.`
      this.diagnostics.error('SYNTAX_INVALID_NUMBER', mark?.at ?? this.#endAt, message)
    }
    let dots = 0
    while (this.accept('.')) dots++
    return { sign, unit, value: token?.value ?? null, dots: Math.min(dots, MAX_DOTS) }
  }

  /** Native ppmck has lengths in frames: there `#` is not a sharp, and lengths may be subtracted. */
  get #hasFrames(): boolean {
    return this.native && this.lexicon.mode === 'ppmck'
  }
}
