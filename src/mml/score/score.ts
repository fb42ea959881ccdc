/**
 * A score: the unrolled tracks with exact positions and, for each note, the settings
 * that shape its sound. The note sequence and the performance are made from it.
 */
import type { TrackPlace } from '../language/ast.ts'
import type { Fraction } from './fraction.ts'
import type { ChannelName } from '../chip/channels.ts'
import type {
  Definitions,
  EnvelopePoint,
  GlideParams,
  LfoDefinition,
  ListDefinition,
  VibratoParams,
} from '../language/curves.ts'
import type { Dialect, Profile } from '../language/dialect.ts'
import type { SequenceEvent } from './sequence.ts'
import type { TempoChange } from './timing.ts'

/** The settings of a track that shape its notes. Immutable: notes share it. */
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

/** The sounding part of a note, plus `frames` of 1/60 s, which may be negative. */
interface Gate {
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
  /** Changes of the voice while the note is held; null when there are none. */
  later: { readonly at: Fraction; readonly voice: ScoreVoice }[] | null
  /** Starts without a new attack. */
  readonly legato: boolean
  /** The next note starts without a new attack, so this one sounds to its end. */
  joined: boolean
  readonly pitch: NotePitch
  /** The end of its release; null: the end of the note. */
  released: Fraction | null
}

/** The pitch of a note beyond its number. */
export interface NotePitch {
  /** The note it slides to while it sounds. */
  readonly slideTo: number | null
  /** A period register that the text sets directly. */
  readonly timer: number | null
  /** A noise period that the text sets directly. */
  readonly noise: number | null
  /** The note before it in its track, for glides that start there. */
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
  /** The position that the track returns to at its end; null when it does not loop. */
  readonly loopStart: Fraction | null
  readonly tempos: readonly (TempoChange & { readonly offset: number })[]
}

export interface Score {
  readonly mode: Dialect
  readonly profile: Profile
  readonly definitions: Definitions
  /** In the order of the text. */
  readonly tracks: readonly ScoreTrack[]
  /** House profile: the position that all tracks return to. */
  readonly loopStart: Fraction | null
  /** The end of the longest track. */
  readonly end: Fraction
}

/** Volume in the scale of the sequence and the chip, 0..15. */
export function toVelocity({ volume, fullVolume }: ScoreVoice): number {
  return Math.round((volume * 15) / fullVolume)
}
