/**
 * The numbered lists, envelopes, vibratos and glides that a text defines and
 * its tracks select. Field names are those of the published note sequence.
 */

/** A list of values. After the last one the loop points repeat; without loop points the last value is held. */
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

/** null: the offset is the distance from the previous note, the duration is the note's. */
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
