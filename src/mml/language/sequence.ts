/**
 * The note sequence: the score as plain data, in the shape and with the names
 * in which it leaves the tool (version 2.0). Times are whole ticks, 192 to a
 * quarter note, rounded from exact positions. Nothing here computes.
 */

export const TICKS_PER_QUARTER = 192

/** The four channels of the chip, in the order in which they are always listed. */
export const CHANNELS = ['Pulse1', 'Pulse2', 'Triangle', 'Noise'] as const
export type ChannelName = (typeof CHANNELS)[number]
export type ChannelType = 'pulse' | 'triangle' | 'noise'
export type Dialect = 'ppmck' | 'pyxel'
export type Profile = 'house' | 'native'

export const CHANNEL_TYPES: Readonly<Record<ChannelName, ChannelType>> = {
  Pulse1: 'pulse',
  Pulse2: 'pulse',
  Triangle: 'triangle',
  Noise: 'noise',
}

/** A list of values; after the last one the loop part is played for ever, or the last value held. */
export interface ListDefinition {
  readonly points: readonly number[]
  readonly loop_points: readonly number[]
}

export interface LfoDefinition {
  readonly delay: number
  readonly speed: number
  readonly depth: number
  readonly transition: number
}

export interface EnvelopePoint {
  /** 0..127. */
  readonly target_volume: number
  /** Ticks it takes to get there; 0 jumps. */
  readonly duration_ticks: number
}

export interface VibratoParams {
  readonly delay_ticks: number
  readonly period_ticks: number
  readonly depth_cents: number
}

/** null: the offset is the distance from the previous note, the duration that of the note. */
export interface GlideParams {
  readonly initial_offset_cents: number | null
  readonly duration_ticks: number | null
}

type Slots<T> = Record<number, T>

export interface Definitions {
  readonly volume_envelopes: Slots<ListDefinition>
  readonly duty_envelopes: Slots<ListDefinition>
  readonly pitch_envelopes: Slots<ListDefinition>
  readonly note_envelopes: Slots<ListDefinition>
  readonly lfos: Slots<LfoDefinition>
  readonly envelopes: Slots<{ readonly points: readonly EnvelopePoint[] }>
  readonly vibratos: Slots<VibratoParams>
  readonly glides: Slots<GlideParams>
}

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

export interface RepeatEvent extends At<'repeat'> {
  readonly duration: 0
  readonly start_tick: number
  readonly end_tick: number
  /** 0 for ever. */
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
