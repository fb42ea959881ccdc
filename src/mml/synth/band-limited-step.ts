/**
 * Band-limited steps. An edge of the chip falls between two samples and contains
 * every frequency; moving it to the next sample would fold frequencies above half
 * the rate back as false tones. Each edge is spread over TAPS samples as the
 * integral of a windowed sinc, which passes frequencies up to about 0.41 of the rate
 * and stops those above 0.5.
 */

/** Samples before and after an edge that it changes. */
export const REACH = 24

const TAPS = 2 * REACH

/** Tabulated positions between two samples; others are interpolated. */
const PLACES = 256

/** Half the width of the window in samples: it stays inside the taps for every position of the edge. */
const WINDOW_REACH = REACH - 1

/** Middle of the slope of the low-pass, as a part of the sample rate. */
const CUTOFF = 0.453

/** Shape of the Kaiser window: about 70 dB of attenuation, and the slope 0.094 wide. */
const KAISER_BETA = 6.76

/** Collects the steps of a block of samples and sums them up to levels. */
export class StepBuffer {
  readonly #changes: Float64Array
  readonly #spread = readSpread()
  #level: number

  /** For blocks of up to `samples` samples; `level` is the one before the first step. */
  constructor(samples: number, level: number) {
    this.#changes = new Float64Array(samples + TAPS + 1)
    this.#level = level
  }

  /** A step by `height` at a place in samples from the start of the block. The output is delayed by REACH - 1 samples. */
  add(place: number, height: number): void {
    const sample = Math.floor(place)
    const between = (place - sample) * PLACES
    const row = Math.floor(between)
    const second = height * (between - row)
    const first = height - second
    const spread = this.#spread
    const changes = this.#changes
    let at = row * TAPS
    for (let to = sample; to < sample + TAPS; to += 1) {
      changes[to] = (changes[to] as number) + first * (spread[at] as number) + second * (spread[at + TAPS] as number)
      at += 1
    }
  }

  /** Writes the levels of the first `samples` samples and removes them; later steps move to the front. */
  take(into: Float64Array, samples: number): void {
    const changes = this.#changes
    let level = this.#level
    for (let at = 0; at < samples; at += 1) {
      level += changes[at] as number
      into[at] = level
    }
    this.#level = level
    changes.copyWithin(0, samples)
    changes.fill(0, changes.length - samples)
  }
}

let tabulated: Float64Array | undefined

/** Tabulated at first use: it takes milliseconds, which other requests should not pay. */
function readSpread(): Float64Array {
  tabulated ??= toSpread()
  return tabulated
}

/** For each position, TAPS differences of the smoothed step between neighbouring samples; each row sums to 1. */
function toSpread(): Float64Array {
  const risen = toSmoothStep()
  const spread = new Float64Array((PLACES + 1) * TAPS)
  for (let row = 0; row <= PLACES; row += 1) {
    for (let tap = 0; tap < TAPS; tap += 1) {
      const end = (tap + 1) * PLACES - row
      const start = Math.max(0, end - PLACES)
      spread[row * TAPS + tap] = (risen[end] as number) - (risen[start] as number)
    }
  }
  return spread
}

/** The step from 0 to 1 after the low-pass, at PLACES points a sample, from -REACH to REACH; Simpson's rule. */
function toSmoothStep(): Float64Array {
  const risen = new Float64Array(TAPS * PLACES + 1)
  let sum = 0
  let left = lowPass(-REACH)
  for (let point = 1; point < risen.length; point += 1) {
    const right = lowPass(point / PLACES - REACH)
    sum += left + 4 * lowPass((point - 0.5) / PLACES - REACH) + right
    risen[point] = sum
    left = right
  }
  return risen.map((value) => value / sum)
}

function lowPass(samples: number): number {
  const across = samples / WINDOW_REACH
  if (Math.abs(across) >= 1) return 0
  const turn = Math.PI * samples
  const sinc = turn === 0 ? 2 * CUTOFF : Math.sin(2 * CUTOFF * turn) / turn
  return sinc * bessel(KAISER_BETA * Math.sqrt(1 - across * across))
}

/** The modified Bessel function of order zero, by its series. */
function bessel(x: number): number {
  let term = 1
  let sum = 1
  for (let n = 1; term > 1e-17 * sum; n += 1) {
    term *= (x / (2 * n)) ** 2
    sum += term
  }
  return sum
}
