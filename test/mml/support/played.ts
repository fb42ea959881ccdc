/**
 * Short notations for tests: a text to its analysis, its notes as one line
 * each, and the registers of a channel at a moment.
 */
import { composeMml } from '../../../src/mml/compose.ts'
import type { ComposedMml, ComposeOptions } from '../../../src/mml/compose.ts'
import type { ControlChange, Performance } from '../../../src/mml/performance/performance.ts'
import type { ChannelName } from '../../../src/mml/chip/channels.ts'
import type { Dialect } from '../../../src/mml/language/dialect.ts'
import type { NoteEvent, Sequence, SequenceEvent } from '../../../src/mml/score/sequence.ts'

export type Options = Omit<ComposeOptions, 'mode'>

export function ppmck(text: string, options: Options = {}): ComposedMml {
  return composeMml(text, { mode: 'ppmck', ...options })
}

export function pyxel(text: string, options: Options = {}): ComposedMml {
  return composeMml(text, { mode: 'pyxel', ...options })
}

export function analyse(mode: Dialect, text: string, options: Options = {}): ComposedMml {
  return composeMml(text, { mode, ...options })
}

/** The sequence of a text that must be valid; otherwise its errors are in the failure's message. */
export function sequenceOf(analysis: ComposedMml): Sequence {
  if (analysis.sequence === null) throw new Error(faults(analysis).join('\n'))
  return analysis.sequence
}

export function performanceOf(analysis: ComposedMml): Performance {
  if (analysis.performance === null) throw new Error(faults(analysis).join('\n'))
  return analysis.performance
}

/** `CODE line:column` of each error. */
export function faults({ errors }: Pick<ComposedMml, 'errors'>): string[] {
  return errors.map(({ code, line, column }) => `${code} ${line}:${column}`)
}

export function cautions({ warnings }: Pick<ComposedMml, 'warnings'>): string[] {
  return warnings.map(({ code, line, column }) => `${code} ${line}:${column}`)
}

export function eventsOf(analysis: ComposedMml, channel: ChannelName): readonly SequenceEvent[] {
  return sequenceOf(analysis).channels[channel].events
}

export function noteEvents(analysis: ComposedMml, channel: ChannelName = 'Pulse1'): NoteEvent[] {
  return eventsOf(analysis, channel).filter((event): event is NoteEvent => event.type === 'note')
}

/** Notes as `tick:note:duration`, separated by blanks. */
export function score(analysis: ComposedMml, channel: ChannelName = 'Pulse1'): string {
  return noteEvents(analysis, channel)
    .map((note) => `${note.tick_position}:${note.note_number}:${note.duration}`)
    .join(' ')
}

export function changes(analysis: ComposedMml, channel: ChannelName = 'Pulse1'): ControlChange[] {
  return [...performanceOf(analysis).channels[channel]()]
}

const SILENT = { atSeconds: 0, level: 0, timer: 0, duty: 0, period: 0, short: false, restart: false }

/** The state at a moment: the last change up to it. */
export function stateAt(all: readonly ControlChange[], seconds: number): ControlChange {
  return all.findLast(({ atSeconds }) => atSeconds <= seconds + 1e-9) ?? SILENT
}

/** The value of one register at each 1/60 s frame from `fromSeconds`, in the middle of the frame. */
export function frames(
  analysis: ComposedMml,
  register: 'level' | 'timer' | 'duty' | 'period',
  count: number,
  channel: ChannelName = 'Pulse1',
  fromSeconds = 0,
): number[] {
  const all = changes(analysis, channel)
  return Array.from({ length: count }, (_, frame) => stateAt(all, fromSeconds + (frame + 0.5) / 60)[register])
}
