/**
 * Constants of the 2A03, the sound chip of the NES, in its NTSC edition, that more
 * than one stage needs; a constant of one channel is in the file of that channel.
 * Source: the APU pages of the NESdev wiki.
 */

/** CPU cycles a second: 236.25 MHz / 132. Every divider of the chip counts these. */
export const CPU_HZ = 236_250_000 / 132

/** A pulse whose timer is below this is mute. */
export const LOWEST_PULSE_TIMER = 8

/** CPU cycles between two bits of noise, by the index of the period. */
export const NOISE_PERIODS: readonly number[] = [
  4, 8, 16, 32, 64, 96, 128, 160, 202, 254, 380, 508, 762, 1016, 2034, 4068,
]
