/** The numbered lists and curves of a song, in the eight tables of the note sequence. */
import type { Definition } from '../language/ast.ts'
import { FROM_NOTE } from '../language/parse-command.ts'
import type {
  Definitions,
  EnvelopePoint,
  GlideParams,
  LfoDefinition,
  ListDefinition,
  VibratoParams,
} from '../language/curves.ts'
import { TICKS_PER_QUARTER } from './timing.ts'

export type Table = keyof Definitions
type DefinitionEntry = Definitions[Table][number]

/** Native pyxel counts 48 ticks to a quarter note. */
const TICKS_PER_NATIVE_TICK = TICKS_PER_QUARTER / 48

export class DefinitionTables {
  readonly #tables = new Map<Table, Map<number, DefinitionEntry>>()

  add(definition: Definition): void {
    const { table } = definition.command
    if (table === undefined) return
    const slots = this.#tables.get(table) ?? new Map<number, DefinitionEntry>()
    this.#tables.set(table, slots)
    slots.set(definition.slot, toEntry(definition))
  }

  addAll(definitions: readonly Definition[]): void {
    for (const definition of definitions) this.add(definition)
  }

  has(table: Table, slot: number): boolean {
    return this.#tables.get(table)?.has(slot) === true
  }

  slots(table: Table): number[] {
    return [...(this.#tables.get(table)?.keys() ?? [])]
  }

  /** The entry of a slot; its type follows from the table. */
  find<T extends Table>(table: T, slot: number): Definitions[T][number] | undefined {
    return this.#tables.get(table)?.get(slot) as Definitions[T][number] | undefined
  }

  toDefinitions(): Definitions {
    const read = <T extends Table>(table: T) => Object.fromEntries(this.#tables.get(table) ?? []) as Definitions[T]
    return {
      volume_envelopes: read('volume_envelopes'),
      duty_envelopes: read('duty_envelopes'),
      pitch_envelopes: read('pitch_envelopes'),
      note_envelopes: read('note_envelopes'),
      lfos: read('lfos'),
      envelopes: read('envelopes'),
      vibratos: read('vibratos'),
      glides: read('glides'),
    }
  }
}

function toEntry(definition: Definition): DefinitionEntry {
  const { command, points } = definition
  const [first = 0, second = 0, third = 0, fourth = 0] = points
  const unit = definition.braced ? TICKS_PER_NATIVE_TICK : 1
  switch (command.table) {
    case 'lfos':
      return { delay: first, speed: second, depth: third, transition: fourth } satisfies LfoDefinition
    case 'envelopes':
      return { points: toPoints(definition) }
    case 'vibratos':
      return { delay_ticks: first * unit, period_ticks: second * unit, depth_cents: third } satisfies VibratoParams
    case 'glides':
      return {
        initial_offset_cents: first === FROM_NOTE ? null : first,
        duration_ticks: second === FROM_NOTE ? null : second * unit,
      } satisfies GlideParams
    default:
      return { points, loop_points: definition.loopPoints } satisfies ListDefinition
  }
}

/** Without braces: alternating level and ticks. In braces: a first level, then alternating ticks and level. */
function toPoints({ points, braced }: Definition): EnvelopePoint[] {
  if (!braced) {
    return points.flatMap((level, index) =>
      index % 2 === 0 ? [{ target_volume: level, duration_ticks: points[index + 1] ?? 0 }] : [],
    )
  }
  return points.flatMap((level, index) =>
    index % 2 === 0
      ? [{ target_volume: level, duration_ticks: index === 0 ? 0 : (points[index - 1] ?? 0) * TICKS_PER_NATIVE_TICK }]
      : [],
  )
}
