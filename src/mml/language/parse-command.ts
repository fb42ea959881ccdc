/**
 * A command and its arguments, parsed by its row of the command table: numbers, a
 * length, a slot to select or a list to define.
 */
import type { Definition, Statement } from './ast.ts'
import type { Argument, Command } from './commands.ts'
import { DEFAULT_LENGTH } from './token-reader.ts'
import type { TokenReader } from './token-reader.ts'
import type { Token } from './lexer.ts'

/** The number for `*` in a list: the value of the note that is played. */
export const FROM_NOTE = Number.NEGATIVE_INFINITY

/** Parses the arguments of the command named by `token`; null when it reported an error. */
export function parseCommand(reader: TokenReader, token: Token, command: Command): Statement | null {
  const { at } = token
  switch (command.form) {
    case 'length':
      return { kind: 'timed', at, command, values: [], length: reader.length() }
    case 'pitch': {
      const values = parseValues(reader, token, command)
      const hasLength = values !== null && reader.accept(',')
      return values && { kind: 'timed', at, command, values, length: hasLength ? reader.length() : DEFAULT_LENGTH }
    }
    case 'slot':
      return parseSlot(reader, token, command)
    case 'parameters':
      return parseParameters(reader, token, command)
    case 'values': {
      const values = parseValues(reader, token, command)
      return values && { kind: 'command', at, command, values }
    }
    default:
      return command.form satisfies never
  }
}

/** The numbers of a command, with commas between; null when a required one is missing. */
function parseValues(reader: TokenReader, token: Token, command: Command): number[] | null {
  const values: number[] = []
  for (const [index, argument] of command.args.entries()) {
    const separated = index === 0 || reader.accept(',')
    const value = separated ? reader.number(isSigned(argument)) : null
    const chosen = value ?? argument.fallback
    if (chosen === undefined || (separated && index > 0 && value === null)) return missingNumber(reader, token, command)
    values.push(chosen)
  }
  return values
}

function missingNumber(reader: TokenReader, token: Token, command: Command): null {
  const message = `${command.name} needs ${command.args.length > 1 ? 'its numbers' : 'a number'} after it.`
  reader.diagnostics.error('SYNTAX_INVALID_NUMBER', token.at, message, `For example: ${command.example}`)
  // A sign that is not allowed, or without a number, is part of this error and not a second one.
  if (reader.isMark('-') || reader.isMark('+')) {
    if (reader.number(true) === null) reader.next()
  }
  return null
}

function isSigned({ min }: Argument): boolean {
  return min < 0
}

function parseSlot(reader: TokenReader, token: Token, command: Command): Statement | null {
  const values = parseValues(reader, token, command)
  if (values === null) return null
  if (command.role !== 'select' && reader.isMark('=')) return parseList(reader, token, command, values[0] ?? 0)
  if (command.role === 'define') {
    reader.reject(reader.peek(), `"=" and a list in braces`)
    return null
  }
  return { kind: 'command', at: token.at, command, values }
}

/** `={15,12|9}`: values, and after `|` those that repeat. */
function parseList(reader: TokenReader, token: Token, command: Command, slot: number): Definition | null {
  reader.next()
  if (!reader.accept('{')) {
    reader.reject(reader.peek(), '"{"')
    return null
  }
  const points: number[] = []
  const loopPoints: number[] = []
  const wantsCommas = command.table === 'lfos' && !reader.native
  let part = points
  for (;;) {
    const value = reader.number(true)
    if (value !== null) {
      part.push(value)
      if (reader.accept(',') ? !startsNumber(reader) : wantsCommas && reader.isKind('number')) return skipList(reader)
    } else if (reader.isMark('|') && part === points && (points.length > 0 || reader.native)) {
      reader.next()
      part = loopPoints
    } else if (reader.isMark('}') && part.length > 0) {
      reader.next()
      return { kind: 'define', at: token.at, command, slot, points, loopPoints, braced: true }
    } else {
      return skipList(reader)
    }
  }
}

function startsNumber(reader: TokenReader): boolean {
  return ['+', '-', '%', '$'].some((mark) => reader.isMark(mark)) || reader.isKind('number')
}

/** Reports the token that does not fit into a list, and continues after the end of the list. */
function skipList(reader: TokenReader): null {
  reader.reject(reader.peek(), 'a number or "}"')
  while (['number', 'mark', 'note', 'unknown'].some((kind) => reader.peek()?.kind === kind)) {
    if (reader.next()?.text === '}') break
  }
  return null
}

/** `@ENV1` selects, `@ENV1 127 1` and `@ENV1{127,1}` define and select. */
function parseParameters(reader: TokenReader, token: Token, command: Command): Statement | null {
  const values = parseValues(reader, token, command)
  if (values === null) return null
  const slot = values[0] ?? 0
  const { at } = token
  if (!reader.accept('{')) {
    const points: number[] = []
    for (let value = reader.number(false); value !== null; value = reader.number(false)) points.push(value)
    if (points.length === 0) return { kind: 'command', at, command, values }
    return { kind: 'define', at, command, slot, points, loopPoints: [], braced: false }
  }
  const points: number[] = []
  while (!reader.accept('}')) {
    const value = reader.accept('*') ? FROM_NOTE : reader.number(true)
    if (value === null) return skipList(reader)
    points.push(value)
    reader.accept(',')
  }
  return { kind: 'define', at, command, slot, points, loopPoints: [], braced: true }
}
