/**
 * The syntax tree of a text, one shape for both dialects. The body of a track is a
 * flat list in which brackets store the index of their partner, so nested repeats
 * need no recursion. `at` is the offset that diagnostics about a node point to.
 */
import type { Command } from './commands.ts'
import type { Dialect, Profile } from './dialect.ts'

/** Terms of a length, added or subtracted in order. */
export interface Length {
  readonly terms: readonly LengthTerm[]
}

export interface LengthTerm {
  readonly sign: 1 | -1
  /** Divisor of a whole note; counts of 1/192 of it; frames of 1/60 s. */
  readonly unit: 'note' | 'count' | 'frame'
  /** null: the default length. */
  readonly value: number | null
  readonly dots: number
}

export interface Pitch {
  /** The letter as written. */
  readonly letter: string
  /** 0 for c to 11 for b, without the accidental. */
  readonly semitone: number
  readonly accidental: number
}

export type Statement =
  | {
      readonly kind: 'note'
      readonly at: number
      readonly pitch: Pitch
      readonly length: Length
      readonly slide: Pitch | null
    }
  | { readonly kind: 'rest'; readonly at: number; readonly letter: string; readonly length: Length }
  /** Extends the last note or rest: `^4`, `&4`, `^c4`, `&r4`. */
  | {
      readonly kind: 'extend'
      readonly at: number
      readonly mark: '^' | '&'
      readonly name: string
      readonly length: Length
    }
  /** Joins the last note to the next without a new attack. */
  | { readonly kind: 'slur'; readonly at: number }
  | { readonly kind: 'command'; readonly at: number; readonly command: Command; readonly values: readonly number[] }
  /** A command that ends in a length: `l4.`, `w8`, `n36,4`. */
  | {
      readonly kind: 'timed'
      readonly at: number
      readonly command: Command
      readonly values: readonly number[]
      readonly length: Length
    }
  | Definition
  | { readonly kind: 'open'; readonly at: number; readonly close: number; readonly mark: '[' | '|:' }
  | { readonly kind: 'break'; readonly at: number; readonly close: number }
  | {
      readonly kind: 'close'
      readonly at: number
      readonly open: number
      /** Index where the last pass leaves, or -1. */
      readonly break: number
      /** null and 0: endless. */
      readonly count: number | null
    }
  | { readonly kind: 'slurOpen' | 'slurClose'; readonly at: number }
  | { readonly kind: 'tupletOpen'; readonly at: number; readonly close: number }
  | { readonly kind: 'tupletClose'; readonly at: number; readonly open: number; readonly length: Length }

/** `@v1={15,12|9}`, and `@ENV1 127 1 40 96`, which also selects its slot. */
export interface Definition {
  readonly kind: 'define'
  readonly at: number
  readonly command: Command
  readonly slot: number
  readonly points: readonly number[]
  readonly loopPoints: readonly number[]
  /** Written in braces. */
  readonly braced: boolean
}

/** 0..3 in the order of the channels; `loop`: the house profile's L track. */
export type TrackPlace = 0 | 1 | 2 | 3 | 'loop' | 'sample'

export interface Track {
  readonly place: TrackPlace
  /** The name in the text: `A`, `0`. */
  readonly name: string
  readonly at: number
  readonly body: readonly Statement[]
}

export interface Header {
  readonly at: number
  readonly key: string
  readonly value: string
}

export interface Tree {
  readonly mode: Dialect
  readonly profile: Profile
  readonly headers: readonly Header[]
  /** Definitions before the first track. */
  readonly definitions: readonly Definition[]
  readonly tracks: readonly Track[]
}
