/**
 * A score: the tracks played out, with exact positions and, for each note,
 * everything that shapes its sound. Both what leaves the tool (the sequence)
 * and what is played (the performance) are made from it.
 */
import type { TrackPlace } from '../language/ast.ts'
import type { Fraction } from './fraction.ts'
import type {
  ChannelName,
  Definitions,
  EnvelopePoint,
  GlideParams,
  LfoDefinition,
  ListDefinition,
  Dialect,
  Profile,
  SequenceEvent,
  VibratoParams,
} from '../language/sequence.ts'
import type { TempoChange } from './timing.ts'

/** How a track sounds at a moment. Never changed in place: notes share it. */
export interface ScoreVoice {
  /** 0..fullVolume. */
  readonly volume: number
  readonly fullVolume: 15 | 127
  readonly duty: number
  readonly gate: Gate
  /** Cents; in native ppmck units of the period register. Upward when positive. */
  readonly detune: number
  readonly sweep: Sweep | null
  readonly volumeList: ListDefinition | null
  readonly dutyList: ListDefinition | null
  readonly pitchList: ListDefinition | null
  readonly noteList: ListDefinition | null
  readonly lfo: LfoDefinition | null
  readonly releaseVolume: ListDefinition | null
  readonly releaseDuty: ListDefinition | null
  readonly envelope: readonly EnvelopePoint[] | null
  readonly vibrato: VibratoParams | null
  readonly glide: GlideParams | null
}

/** The sounding part of a note, and frames of 1/60 s more (or, negative, less). */
export interface Gate {
  readonly numerator: number
  readonly denominator: number
  readonly frames: number
}

/** The chip's sweep unit: clocked every `divider` half frames of 1/120 s. */
export interface Sweep {
  readonly divider: number
  readonly shift: number
  readonly raises: boolean
}

export interface ScoreNote {
  readonly kind: 'note'
  readonly channel: ChannelName
  readonly start: Fraction
  end: Fraction
  /** 0..127. */
  readonly note: number
  readonly voice: ScoreVoice
  /** Changes of the voice while the note is held; null without any. */
  later: { readonly at: Fraction; readonly voice: ScoreVoice }[] | null
  /** Begins without a new attack. */
  readonly legato: boolean
  /** The next note begins without a new attack, so this one sounds to its end. */
  joined: boolean
  readonly pitch: NotePitch
  /** Until where a release list may sound on; null: the end of the note. */
  released: Fraction | null
}

/** What makes a note more than its number. */
export interface NotePitch {
  /** The note it slides to while it sounds. */
  readonly slideTo: number | null
  /** A period register given directly. */
  readonly timer: number | null
  /** A noise period given directly. */
  readonly noise: number | null
  /** The note before it in its track, for glides that begin there. */
  readonly previous: number | null
}

export const PLAIN_PITCH: NotePitch = { slideTo: null, timer: null, noise: null, previous: null }

type Untimed<T> = T extends unknown ? Omit<T, 'tick_position'> : never
export type ControlBody = Untimed<Exclude<SequenceEvent, { type: 'note' | 'rest' | 'repeat' }>>

export type ScoreItem =
  | ScoreNote
  | { readonly kind: 'rest'; readonly start: Fraction; end: Fraction }
  | { readonly kind: 'repeat'; readonly start: Fraction; readonly end: Fraction; readonly count: number }
  | { readonly kind: 'control'; readonly at: Fraction; readonly body: ControlBody }

export interface ScoreTrack {
  readonly place: TrackPlace
  readonly items: readonly ScoreItem[]
  readonly end: Fraction
  /** Where the track returns to at its end; null where it does not. */
  readonly loopStart: Fraction | null
  readonly tempos: readonly (TempoChange & { readonly offset: number })[]
}

export interface Score {
  readonly mode: Dialect
  readonly profile: Profile
  readonly definitions: Definitions
  /** In the order of the text. */
  readonly tracks: readonly ScoreTrack[]
  /** House profile: where all tracks return to. */
  readonly loopStart: Fraction | null
  /** The longest track. */
  readonly end: Fraction
}

/** Volume as the sequence tells it, 0..15. */
export function toVelocity({ volume, fullVolume }: ScoreVoice): number {
  return Math.round((volume * 15) / fullVolume)
}
