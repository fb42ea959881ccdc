/**
 * The two nonlinear converters of the chip: the louder one channel is, the less
 * another adds. Tabulated once for every sum of levels. Formulas: the APU mixer
 * page of the NESdev wiki. Output is 0 to 1.
 */

/** Highest level of a voice at the mixer. */
const LOUDEST = 15

const LEVELS = LOUDEST + 1

const PULSES = Float64Array.from({ length: 2 * LOUDEST + 1 }, (_, sum) => (sum === 0 ? 0 : 95.88 / (8128 / sum + 100)))

const TRIANGLE_AND_NOISE = Float64Array.from({ length: LEVELS * LEVELS }, (_, at) => {
  const load = Math.floor(at / LEVELS) / 8227 + (at % LEVELS) / 12_241
  return load === 0 ? 0 : 159.79 / (1 / load + 100)
})

/** The output for these levels, integers from 0 to 15. */
export function mix(pulse1: number, pulse2: number, triangle: number, noise: number): number {
  return (PULSES[pulse1 + pulse2] ?? 0) + (TRIANGLE_AND_NOISE[triangle * LEVELS + noise] ?? 0)
}
