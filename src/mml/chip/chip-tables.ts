/**
 * Constants of the 2A03, the sound chip of the NES, in its NTSC edition. Source:
 * the APU pages of the NESdev wiki.
 */

/** CPU cycles a second: 236.25 MHz / 132. Every divider of the chip counts these. */
export const CPU_HZ = 236_250_000 / 132

/** The eight steps of each of the four pulse waves: 12.5, 25, 50 and 75 %. */
export const DUTIES: readonly (readonly number[])[] = [
  [0, 1, 0, 0, 0, 0, 0, 0],
  [0, 1, 1, 0, 0, 0, 0, 0],
  [0, 1, 1, 1, 1, 0, 0, 0],
  [1, 0, 0, 1, 1, 1, 1, 1],
]

/** CPU cycles of one step of a pulse, for each unit of timer + 1. */
export const PULSE_CYCLES = 2

/** A pulse whose timer is below this is mute. */
export const LOWEST_PULSE_TIMER = 8

/** The levels of one cycle of the triangle; a step takes timer + 1 CPU cycles. */
export const TRIANGLE_LEVELS: readonly number[] = [
  15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,
]

/** CPU cycles between two bits of noise, by the index of the period. */
export const NOISE_PERIODS: readonly number[] = [
  4, 8, 16, 32, 64, 96, 128, 160, 202, 254, 380, 508, 762, 1016, 2034, 4068,
]

/** Highest level of a voice at the mixer. */
export const LOUDEST = 15
