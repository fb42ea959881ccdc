/**
 * What the sound chip is told, and when: the seam between the language and
 * the synthesis. Every envelope, vibrato, glide, sweep and slide is unrolled
 * into plain register values, constant from one change to the next. The
 * synthesis sees nothing else, and nothing here knows about samples.
 */
import type { ChannelName } from '../language/sequence.ts'

/**
 * The whole state of one channel from `atSeconds` on, until its next change.
 * Before a channel's first change it is silent.
 */
export interface ControlChange {
  /** Seconds from the start, never falling within a channel; equal times: the later change wins. */
  readonly atSeconds: number
  /** Pulse and noise volume, integer 0..15. Triangle: 15 runs, 0 halts (and holds the level it has). */
  readonly level: number
  /** Pulse and triangle period register, integer 0..2047. Noise: 0. */
  readonly timer: number
  /** Pulse waveform: 0 12.5 %, 1 25 %, 2 50 %, 3 75 %. Others: 0. */
  readonly duty: number
  /** Index into the table of noise periods, integer 0 (highest)..15. Others: 0. */
  readonly period: number
  /** Noise: the short, metallic sequence. Others: false. */
  readonly short: boolean
  /** Pulse: the waveform starts over at its first step. */
  readonly restart: boolean
}

/** Where a song returns to, and where it does so: seconds from the start of the first pass. */
export interface PerformanceLoop {
  readonly startSeconds: number
  readonly endSeconds: number
}

export interface Performance {
  /** Each call starts again from the top; changes are made one by one as they are asked for. */
  readonly channels: Readonly<Record<ChannelName, () => Iterable<ControlChange>>>
  /** Seconds in all: every pass of the loop that was asked for, and the fade. */
  readonly totalSeconds: number
  /** How many of the last seconds fade to silence, 0 for none; at most `totalSeconds`. */
  readonly fadeSeconds: number
  readonly loop: PerformanceLoop | null
}
