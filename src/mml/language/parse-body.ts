/**
 * Parser of the body of a track: a flat list of statements, until `stops` is true.
 * Brackets are matched with an explicit stack; an open one is reported at its place.
 */
import type { Pitch, Statement } from './ast.ts'
import { parseCommand } from './parse-command.ts'
import type { TokenReader } from './token-reader.ts'
import type { Token } from './lexer.ts'

interface OpenBracket {
  readonly token: Token
  readonly index: number
  break: number
}

export function parseBody(reader: TokenReader, stops: (reader: TokenReader) => boolean): Statement[] {
  const parser = new BodyParser(reader)
  while (reader.peek() !== undefined && !stops(reader)) parser.statement()
  parser.finish()
  return parser.body
}

class BodyParser {
  readonly body: Statement[] = []
  readonly #reader: TokenReader
  readonly #brackets: OpenBracket[] = []
  #group: Token | null = null
  #tuplet: OpenBracket | null = null
  /** A tie that still needs its note or length. */
  #tie: Token | null = null
  #hasTime = false

  constructor(reader: TokenReader) {
    this.#reader = reader
  }

  statement(): void {
    const token = this.#reader.next()
    if (token === undefined) return
    switch (token.kind) {
      case 'note':
        return this.#note(token)
      case 'rest':
        return this.#rest(token)
      case 'command': {
        const statement = token.command && parseCommand(this.#reader, token, token.command)
        if (statement) this.body.push(statement)
        return
      }
      case 'mark':
        return this.#mark(token)
      default:
        return this.#reader.reject(token, 'a note or a command')
    }
  }

  get #isNativePpmck(): boolean {
    return this.#reader.native && this.#reader.lexicon.mode === 'ppmck'
  }

  /** Reports what is still open at the end of the track. */
  finish(): void {
    const { diagnostics } = this.#reader
    this.#dropTie()
    for (const { token } of this.#brackets) {
      if (diagnostics.isFull) return
      diagnostics.error('SYNTAX_UNTERMINATED_REPEAT', token.at, 'The repeat opened here is not closed.', REPEAT_HINT)
    }
    for (const token of [this.#group, this.#tuplet?.token]) {
      if (token) diagnostics.error('SYNTAX_UNEXPECTED_TOKEN', token.at, `"${token.text}" is not closed.`)
    }
  }

  #note(token: Token): void {
    const reader = this.#reader
    const tie = this.#tie
    this.#tie = null
    this.#hasTime = true
    const pitch = reader.pitch(token)
    const length = reader.length()
    if (tie?.text === '^') {
      this.body.push({ kind: 'extend', at: tie.at, mark: '^', name: nameOf(pitch), length })
      return
    }
    let slide: Pitch | null = null
    let slideLength = length
    if (reader.isMark('_')) {
      reader.next()
      if (!reader.isKind('note')) return reader.reject(reader.peek(), 'the note to slide to')
      const target = reader.next()
      slide = target ? reader.pitch(target) : null
      if (reader.hasLength() || reader.isMark('.')) slideLength = reader.length()
    }
    this.body.push({ kind: 'note', at: token.at, pitch, length: slideLength, slide })
  }

  #rest(token: Token): void {
    if (this.#tie?.text === '^') this.#dropTie()
    this.#tie = null
    this.#hasTime = true
    this.body.push({ kind: 'rest', at: token.at, letter: token.text, length: this.#reader.length() })
  }

  #mark(token: Token): void {
    switch (token.text) {
      case '^':
      case '&':
        return this.#tieMark(token)
      case '[':
      case '|:':
        this.#dropTie()
        if (this.#tuplet) return this.#reader.reject(token, 'the end of the tuplet')
        this.#brackets.push({ token, index: this.body.length, break: -1 })
        this.body.push({ kind: 'open', at: token.at, close: -1, mark: token.text })
        return
      case ']':
      case ':|':
        return this.#close(token)
      case '|':
      case '\\':
        return this.#bar(token)
      case '(':
      case ')':
        return this.#slurGroup(token)
      case '{':
      case '}':
        if (this.#isNativePpmck) return this.#tupletMark(token)
        return this.#reader.reject(token, 'a note or a command')
      default:
        return this.#reader.reject(token, 'a note or a command')
    }
  }

  /** `^8`, `&8.`, `^c` and `&r4` extend the last note; any other `&` slurs it to the next. */
  #tieMark(token: Token): void {
    const reader = this.#reader
    this.#dropTie()
    // A bar line between a tie and its note has no effect.
    while (reader.isMark('|') && !this.#isBreak('|')) reader.next()
    const { at } = token
    const mark = token.text === '^' ? '^' : '&'
    if (!this.#hasTime) {
      if (mark === '&' && reader.native) return
      const message = `There is nothing before "${mark}" to extend.`
      reader.diagnostics.error('SYNTAX_UNEXPECTED_TOKEN', at, message, 'Begin with a note or a rest.')
      reader.length()
      return
    }
    const isFreeTie = mark === '^' && this.#isNativePpmck && !reader.isKind('note') && !reader.isKind('command')
    if (reader.hasLength() || isFreeTie) {
      this.body.push({ kind: 'extend', at, mark, name: '', length: reader.length() })
    } else if (mark === '&' && reader.isKind('rest') && !this.#isNativePpmck) {
      if (reader.native) return reader.reject(reader.next(), 'a note or a length')
      const name = reader.next()?.text ?? ''
      this.body.push({ kind: 'extend', at, mark, name, length: reader.length() })
    } else {
      if (mark === '&') this.body.push({ kind: 'slur', at })
      this.#tie = token
    }
  }

  /** Ends a tie, and reports it when its note or length is missing. */
  #dropTie(): void {
    const tie = this.#tie
    this.#tie = null
    if (tie === null || (tie.text === '&' && this.#isNativePpmck)) return
    const message = `"${tie.text}" needs a note or a length after it.`
    this.#reader.diagnostics.error('SYNTAX_UNTERMINATED_TIE', tie.at, message, `For example: c4${tie.text}8`)
  }

  #close(token: Token): void {
    const { diagnostics } = this.#reader
    this.#dropTie()
    if (this.#tuplet) return this.#reader.reject(token, 'the end of the tuplet')
    const count = this.#reader.isKind('number') ? (this.#reader.next()?.value ?? null) : null
    const opened = this.#brackets.at(-1)
    const mark = token.text === ']' ? '[' : '|:'
    if (opened === undefined || opened.token.text !== mark) {
      const message = `"${token.text}" closes a repeat that was not opened.`
      diagnostics.error('SYNTAX_UNMATCHED_REPEAT_END', token.at, message, `Write ${mark} where the repeat begins.`)
      return
    }
    this.#brackets.pop()
    const close = this.body.length
    this.body.push({ kind: 'close', at: token.at, open: opened.index, break: opened.break, count })
    this.body[opened.index] = { kind: 'open', at: opened.token.at, close, mark }
    const leave = this.body[opened.break]
    if (leave) this.body[opened.break] = { kind: 'break', at: leave.at, close }
  }

  #isBreak(mark: string): boolean {
    const opened = this.#brackets.at(-1)?.token.text
    return opened !== undefined && this.#reader.lexicon.mode === 'ppmck' && (opened === '[') === (mark === '|')
  }

  /** A bar ends the last pass of a ppmck repeat. Elsewhere it has no effect. */
  #bar(token: Token): void {
    const opened = this.#brackets.at(-1)
    if (opened === undefined || !this.#isBreak(token.text)) {
      if (token.text === '\\') this.#reader.reject(token, 'a note or a command')
      return
    }
    this.#dropTie()
    if (opened.break >= 0 || this.#tuplet) return this.#reader.reject(token, `"]"`)
    opened.break = this.body.length
    this.body.push({ kind: 'break', at: token.at, close: -1 })
  }

  #slurGroup(token: Token): void {
    const opens = token.text === '('
    if (opens === (this.#group !== null)) return this.#reader.reject(token, opens ? '")"' : 'a note or a command')
    this.#group = opens ? token : null
    this.body.push({ kind: opens ? 'slurOpen' : 'slurClose', at: token.at })
  }

  #tupletMark(token: Token): void {
    const reader = this.#reader
    const opened = this.#tuplet
    if ((token.text === '{') === (opened !== null)) return reader.reject(token, opened ? '"}"' : 'a note or a command')
    this.#dropTie()
    if (opened === null) {
      this.#tuplet = { token, index: this.body.length, break: -1 }
      this.body.push({ kind: 'tupletOpen', at: token.at, close: -1 })
      return
    }
    this.#tuplet = null
    this.body[opened.index] = { kind: 'tupletOpen', at: opened.token.at, close: this.body.length }
    this.body.push({ kind: 'tupletClose', at: token.at, open: opened.index, length: reader.length() })
  }
}

const REPEAT_HINT = 'Write ] and how often to play it, such as ]2, in the same track.'

function nameOf({ letter, accidental }: Pitch): string {
  return letter + (accidental < 0 ? '-' : '+').repeat(Math.abs(accidental))
}
