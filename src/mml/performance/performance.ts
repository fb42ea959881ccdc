/**
 * A performance: the register values of each channel over time, and the boundary
 * between the score and the synthesizer. Envelopes, vibratos, glides, sweeps and
 * slides are resolved into plain values, constant from one change to the next.
 * Nothing here knows about samples.
 */
import type { ChannelName } from '../chip/channels.ts'

/**
 * The whole state of one channel from `atSeconds` on, until its next change.
 * Before a channel's first change it is silent.
 */
export interface ControlChange {
  /** Seconds from the start, never decreasing within a channel; of equal times the later change wins. */
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

/** The part of the first pass that is repeated, in seconds from its start. */
export interface PerformanceLoop {
  readonly startSeconds: number
  readonly endSeconds: number
}

export interface Performance {
  /** Each call starts from the beginning; changes are computed as they are consumed. */
  readonly channels: Readonly<Record<ChannelName, () => Iterable<ControlChange>>>
  /** Seconds in all: every requested pass of the loop, and the fade. */
  readonly totalSeconds: number
  /** The last seconds, which fade to silence; 0 to `totalSeconds`. */
  readonly fadeSeconds: number
  readonly loop: PerformanceLoop | null
}
