/**
 * A tree back to text, in one canonical spelling: what is read from it is the
 * same music, and printing that gives the same text again. Bars, comments and
 * blanks are decoration and are not kept.
 */
import type { Definition, Length, LengthTerm, Pitch, Statement, Track, Tree } from '../../../src/mml/language/ast.ts'
import { FROM_NOTE } from '../../../src/mml/language/parse-command.ts'

export function printTree(tree: Tree): string {
  const headers = tree.headers.map(({ key, value }) => {
    const shown = tree.profile === 'native' ? value : `"${value}"`
    return value === '' ? `#${key}` : `#${key} ${shown}`
  })
  const definitions = tree.definitions.map(printDefinition)
  const tracks = tree.tracks.map((track) => printTrack(track, tree))
  return [...headers, ...definitions, ...tracks].map((line) => `${line}\n`).join('')
}

function printTrack({ name, body }: Track, { mode }: Tree): string {
  const head = mode === 'pyxel' ? `${name}:` : name
  return [head, ...body.map((statement, index) => printStatement(statement, index, body))].join(' ')
}

function printStatement(statement: Statement, index: number, body: readonly Statement[]): string {
  switch (statement.kind) {
    case 'note': {
      const slide = statement.slide === null ? '' : `_${printPitch(statement.slide)}`
      return printPitch(statement.pitch) + slide + printLength(statement.length)
    }
    case 'rest':
      return statement.letter + printLength(statement.length)
    case 'extend': {
      const written = statement.name + printLength(statement.length)
      // A bare ^ would take hold of the note after it; w says the same and cannot.
      return written === '' ? 'w' : statement.mark + written
    }
    case 'slur':
      return '&'
    case 'command':
      return statement.command.name + statement.values.join(',')
    case 'timed': {
      const values = statement.values.join(',')
      const length = printLength(statement.length)
      return statement.command.name + values + (values === '' || length === '' ? '' : ',') + length
    }
    case 'define':
      return printDefinition(statement)
    case 'open':
      return statement.mark
    case 'break':
      return openingOf(statement.close, body) === '[' ? '|' : '\\'
    case 'close':
      return (openingOf(index, body) === '[' ? ']' : ':|') + (statement.count ?? '')
    case 'slurOpen':
      return '('
    case 'slurClose':
      return ')'
    case 'tupletOpen':
      return '{'
    case 'tupletClose':
      return `}${printLength(statement.length)}`
    default:
      return statement satisfies never
  }
}

function openingOf(close: number, body: readonly Statement[]): '[' | '|:' {
  const closing = body[close]
  const opening = closing?.kind === 'close' ? body[closing.open] : undefined
  return opening?.kind === 'open' ? opening.mark : '['
}

function printDefinition({ command, slot, points, loopPoints, braced }: Definition): string {
  const written = points.map((value) => (value === FROM_NOTE ? '*' : String(value)))
  if (command.form === 'parameters') {
    return command.name + slot + (braced ? `{${written.join(',')}}` : ` ${written.join(' ')}`)
  }
  const loop = loopPoints.length === 0 ? '' : `|${loopPoints.join(',')}`
  return `${command.name}${slot}={${written.join(',')}${loop}}`
}

function printPitch({ letter, accidental }: Pitch): string {
  return letter + (accidental < 0 ? '-' : '+').repeat(Math.abs(accidental))
}

function printLength({ terms }: Length): string {
  return terms.map((term, index) => (index === 0 ? '' : '~') + printTerm(term)).join('')
}

function printTerm({ unit, value, dots }: LengthTerm): string {
  const mark = unit === 'count' ? '%' : unit === 'frame' ? '#' : ''
  return mark + (value ?? '') + '.'.repeat(dots)
}
