/**
 * The note sequence: the score as plain data, in the shape and with the names
 * that the tool publishes (version 2.0). Times are whole ticks, 192 to a quarter
 * note, rounded from exact positions. Types only; `to-sequence.ts` fills them.
 */
import type { ChannelName, ChannelType } from '../chip/channels.ts'
import type {
  Definitions,
  EnvelopePoint,
  GlideParams,
  LfoDefinition,
  ListDefinition,
  VibratoParams,
} from '../language/curves.ts'
import type { Dialect } from '../language/dialect.ts'
import type { TICKS_PER_QUARTER } from './timing.ts'

interface At<T extends string> {
  readonly type: T
  readonly tick_position: number
}

export interface NoteEvent extends At<'note'> {
  readonly duration: number
  readonly note_number: number
  readonly velocity: number
  readonly duty: number
  readonly gate_time: number
  readonly detune_cents: number
}

interface RepeatEvent extends At<'repeat'> {
  readonly duration: 0
  readonly start_tick: number
  readonly end_tick: number
  /** 0: endless. */
  readonly repeat_count: number
}

interface ListSelection extends ListDefinition {
  readonly slot: number
  readonly is_definition: boolean
}

type ValueEvent<T extends string> = At<T> & { readonly value: number }
type SwitchedListEvent<T extends string> = At<T> & ListSelection & { readonly is_off: boolean }

export type SequenceEvent =
  | NoteEvent
  | RepeatEvent
  | (At<'rest'> & { readonly duration: number })
  | ValueEvent<'volume' | 'duty' | 'quantize' | 'detune'>
  | (At<'tempo'> & { readonly bpm: number })
  | (At<'sweep'> & { readonly speed: number; readonly depth: number })
  | (At<'rel_volume'> & { readonly delta: number })
  | (At<'vol_envelope' | 'duty_envelope'> & ListSelection)
  | SwitchedListEvent<'pitch_envelope' | 'note_envelope'>
  | (At<'lfo'> & LfoDefinition & { readonly slot: number; readonly is_definition: boolean; readonly is_off: boolean })
  | (At<'envelope'> & { readonly slot: number; readonly points: readonly EnvelopePoint[] })
  | (At<'vibrato'> & { readonly slot: number; readonly params: VibratoParams | Readonly<Record<string, never>> })
  | (At<'glide'> & { readonly slot: number; readonly params: GlideParams | Readonly<Record<string, never>> })

export interface SequenceChannel {
  readonly channel_type: ChannelType
  readonly events: readonly SequenceEvent[]
  readonly total_ticks: number
}

export interface Sequence {
  readonly version: '2.0'
  /** The last tempo given at tick 0, in the order of the tracks. */
  readonly bpm: number
  readonly ticks_per_quarter: typeof TICKS_PER_QUARTER
  readonly mode: Dialect
  readonly definitions: Definitions
  readonly channels: Readonly<Record<ChannelName, SequenceChannel>>
}
