/**
 * Checks of a tree that need no unrolling, in the order of the text: every number
 * against its range, every command against its channel, every slot against its
 * definition. A statement that fails is reported and skipped when unrolling.
 */
import type { Definition, Length, Statement, Track, Tree } from '../language/ast.ts'
import { accepts, describeRange } from '../language/commands.ts'
import type { Command } from '../language/commands.ts'
import { FROM_NOTE } from '../language/parse-command.ts'
import { DefinitionTables } from './definitions.ts'
import type { Diagnostics } from '../language/diagnostic.ts'
import { hintForSlot } from '../language/suggest.ts'

export interface CheckedTree {
  readonly tables: DefinitionTables
  /** Statements to skip when unrolling. */
  readonly failed: ReadonlySet<Statement>
}

export function checkTree(tree: Tree, diagnostics: Diagnostics): CheckedTree {
  const checker = new Checker(tree, diagnostics)
  for (const definition of tree.definitions) checker.define(definition)
  for (const track of tree.tracks) for (const statement of track.body) checker.statement(statement, track)
  return { tables: checker.tables, failed: checker.failed }
}

const OUT_OF_RANGE = 'SEMANTIC_VALUE_OUT_OF_RANGE'

class Checker {
  readonly tables = new DefinitionTables()
  readonly failed = new Set<Statement>()
  readonly #native: boolean
  readonly #pyxel: boolean
  readonly #diagnostics: Diagnostics
  /** Native: channel and command of the mismatches already reported. */
  readonly #mismatches = new Set<string>()

  constructor(tree: Tree, diagnostics: Diagnostics) {
    this.#native = tree.profile === 'native'
    this.#pyxel = tree.mode === 'pyxel'
    this.#diagnostics = diagnostics
    // Native ppmck lists may be selected above the line that defines them.
    if (this.#native && !this.#pyxel) this.tables.addAll(tree.definitions)
  }

  statement(statement: Statement, track: Track): void {
    if (!this.#passes(statement, track)) this.failed.add(statement)
  }

  define(definition: Definition): boolean {
    const passes = this.#checkDefinition(definition)
    if (passes) this.tables.add(definition)
    else this.failed.add(definition)
    return passes
  }

  #passes(statement: Statement, track: Track): boolean {
    switch (statement.kind) {
      case 'note':
      case 'rest':
      case 'extend':
      case 'tupletClose':
        return this.#checkLength(statement.length, statement.at)
      case 'define':
        return this.define(statement)
      case 'timed':
        return this.#checkValues(statement) && this.#checkLength(statement.length, statement.at)
      case 'command':
        return this.#checkValues(statement) && this.#checkChannel(statement, track) && this.#checkSlot(statement)
      case 'close':
        return this.#checkCount(statement.count, statement.at)
      default:
        return true
    }
  }

  #outOfRange(at: number, message: string, hint = ''): false {
    this.#diagnostics.error(OUT_OF_RANGE, at, message, hint)
    return false
  }

  #checkValues({ at, command, values }: Statement & { kind: 'command' | 'timed' }): boolean {
    return command.args.every((argument, index) => {
      const value = values[index] ?? argument.fallback ?? 0
      if (accepts(argument, value)) return true
      return this.#outOfRange(
        at,
        `${command.name} takes ${describeRange(argument)}, not ${value}.`,
        `For example: ${command.example}`,
      )
    })
  }

  #checkLength({ terms }: Length, at: number): boolean {
    return terms.every(({ unit, value, dots }) => {
      if (unit !== 'note' || value === null) return true
      if (value < 1 || value > 192)
        return this.#outOfRange(at, `A length is 1..192, not ${value}.`, 'c4 is a quarter note.')
      if (!this.#native || !this.#pyxel) return true
      const ticks = 192 / value
      if (Number.isInteger(ticks) && Number.isInteger(ticks / 2 ** dots)) return true
      const hint = 'Lengths divide 192 here, and a dot needs an even number of ticks.'
      return this.#outOfRange(at, `The length ${value}${'.'.repeat(dots)} is not a whole number of ticks.`, hint)
    })
  }

  #checkChannel({ at, command, values }: Statement & { kind: 'command' }, { place, name }: Track): boolean {
    const isPulse = place === 0 || place === 1
    if (command.effect === 'tone' && !this.#native) {
      const tone = values[0] ?? 0
      if (isPulse ? tone === 1 || tone === 2 : tone === (place === 2 ? 0 : 3)) return true
      const fits = isPulse ? '@1 (50 %) and @2 (25 %)' : place === 2 ? '@0' : '@3'
      this.#diagnostics.error(
        'SEMANTIC_CHANNEL_MISMATCH',
        at,
        `Track ${name} cannot sound as @${tone}.`,
        `It takes ${fits}.`,
      )
      return false
    }
    if (command.channels === 'all' || isPulse) return true
    const message = `${command.name} is for the two pulse channels, not for track ${name}.`
    const key = `${place} ${command.name}`
    if (!this.#native) this.#diagnostics.error('SEMANTIC_CHANNEL_MISMATCH', at, message, 'Use it on A or B.')
    else if (!this.#mismatches.has(key))
      this.#diagnostics.warning('SEMANTIC_CHANNEL_MISMATCH', at, message, 'It is ignored.')
    this.#mismatches.add(key)
    return false
  }

  #checkSlot({ at, command, values }: Statement & { kind: 'command' }): boolean {
    const slot = values[0] ?? 0
    const { table, role, form } = command
    if (table === undefined || (form === 'slot' && command.effect === 'duty')) return true
    const isOff = this.#pyxel ? slot === 0 || this.#native : this.#native && slot === 255
    if (isOff || role === 'define' || this.tables.has(table, slot)) return true
    const hint = hintForSlot(slot, this.tables.slots(table), `${this.#definitionOf(command)}`)
    this.#diagnostics.error('SEMANTIC_UNDEFINED_REFERENCE', at, `${command.name}${slot} is not defined.`, hint)
    return false
  }

  #definitionOf({ table, name, example }: Command): string {
    if (this.#pyxel) return example
    const names = {
      volume_envelopes: '@v',
      duty_envelopes: '@',
      pitch_envelopes: '@EP',
      note_envelopes: '@EN',
      lfos: '@MP',
    }
    const written = table !== undefined && table in names ? names[table as keyof typeof names] : name
    return `${written}1={${table === 'lfos' ? '12,16,18,0' : '0,1'}}`
  }

  #checkCount(count: number | null, at: number): boolean {
    if (this.#native && !this.#pyxel) {
      return (count ?? 0) >= 2 || this.#outOfRange(at, 'A repeat needs a count of 2 or more.', 'For example: [c d]2')
    }
    if (count === 0 && !this.#native)
      return this.#outOfRange(at, 'A repeat cannot be played 0 times.', 'Write ]1 or more.')
    if (count === null || count === 0) {
      const message = 'A repeat without a count is endless; it is played twice.'
      this.#diagnostics.warning('SEMANTIC_UNSUPPORTED_FEATURE', at, message, 'Write how often to play it, such as ]4.')
    }
    return true
  }

  #checkDefinition(definition: Definition): boolean {
    const { at, command, slot } = definition
    const [range] = command.effect === 'duty' ? [{ min: 0, max: this.#native ? 127 : 255 }] : command.args
    if (range && (slot < range.min || slot > range.max)) {
      return this.#outOfRange(at, `Slots are ${range.min}..${range.max}, not ${slot}.`)
    }
    const fault = this.#pyxel ? parametersFault(definition, this.#native) : this.#listFault(definition)
    if (fault !== null) return this.#outOfRange(at, fault, `For example: ${command.example}`)
    const { table } = command
    if (this.#native || table === undefined || !this.tables.has(table, slot)) return true
    const message = `${command.name}${slot} is already defined.`
    this.#diagnostics.error(
      'SEMANTIC_DUPLICATE_DEFINITION',
      at,
      message,
      'Give it another number, or remove one of them.',
    )
    return false
  }

  #listFault({ command, points, loopPoints }: Definition): string | null {
    const { items, name, table } = command
    const values = [...points, ...loopPoints]
    const wrong = items && values.find((value) => !accepts(items, value))
    if (items && wrong !== undefined) return `${name} takes values of ${describeRange(items)}, not ${wrong}.`
    const isShort =
      table === 'lfos' && (loopPoints.length > 0 || points.length > 4 || points.length < (this.#native ? 3 : 4))
    return isShort ? `${name} takes delay, speed, depth and 0.` : null
  }
}

/** The fault in the parameters of a pyxel definition, or null. */
function parametersFault({ command, slot, points, braced }: Definition, native: boolean): string | null {
  if (slot === 0 && !native) return `${command.name}0 ends it and takes nothing.`
  if (command.effect === 'envelope') {
    const isPaired = points.length % 2 === (braced ? 1 : 0) && points.length > 0
    if (!isPaired)
      return `${command.name} takes ${braced ? 'a level, then pairs of ticks and level' : 'pairs of level and ticks'}.`
    const levels = points.filter((_, index) => index % 2 === 0)
    return levels.every((level) => level >= 0 && level <= 127) && points.every((value) => value >= 0)
      ? null
      : `${command.name} takes levels of 0..127 and ticks from 0.`
  }
  const wanted = command.effect === 'vibrato' ? 3 : 2
  if (points.length !== wanted) return `${command.name} takes ${wanted} numbers, not ${points.length}.`
  const times = command.effect === 'vibrato' ? points.slice(0, 2) : points.slice(1)
  const isFromNote = (value: number) => value === FROM_NOTE && command.effect === 'glide'
  return times.every((value) => value >= 0 || isFromNote(value)) ? null : `${command.name} takes times from 0.`
}
