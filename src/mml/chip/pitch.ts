/** Note numbers to period registers of the chip, and back. Note 69 is 440 Hz. */
import { CPU_HZ, NOISE_PERIODS } from './chip-tables.ts'
import type { ChannelType } from './channels.ts'

/** The largest value of the 11-bit period register; lower notes stay there. */
export const LAST_TIMER = 2047

/** CPU cycles per period and register step. */
function cyclesPerStep(type: ChannelType): number {
  return type === 'triangle' ? 32 : 16
}

/** The frequency of a note number, which may be fractional. */
function toHz(note: number): number {
  return 440 * 2 ** ((note - 69) / 12)
}

/** The period register nearest to a note, before clamping to 0..2047. */
export function toUnboundedTimer(note: number, type: ChannelType): number {
  return Math.round(CPU_HZ / (cyclesPerStep(type) * toHz(note)) - 1)
}

export function boundTimer(timer: number): number {
  return Math.min(LAST_TIMER, Math.max(0, Math.round(timer)))
}

/** The cents by which lowering the period by `units` raises the pitch of a note. */
export function centsOfUnits(note: number, units: number, type: ChannelType): number {
  const timer = boundTimer(toUnboundedTimer(note, type))
  return 1200 * Math.log2((timer + 1) / (boundTimer(timer - units) + 1))
}

/** The noise index whose clock is nearest to a note's frequency. */
export function nearestNoisePeriod(note: number): number {
  const wanted = Math.log2(toHz(note))
  const distances = NOISE_PERIODS.map((cycles) => Math.abs(Math.log2(CPU_HZ / cycles) - wanted))
  return distances.indexOf(Math.min(...distances))
}

/** The note number nearest to the pitch of a period register. */
export function toNearestNote(timer: number, type: ChannelType): number {
  return Math.round(69 + 12 * Math.log2(CPU_HZ / (cyclesPerStep(type) * (timer + 1)) / 440))
}
