/**
 * First-order filters, as the console has behind its chip. Each filters blocks of
 * samples in place and keeps its state between blocks.
 */

/** y = a*x + b*(the x before) + c*(the y before). */
export class Filter {
  readonly #a: number
  readonly #b: number
  readonly #c: number
  #x: number
  #y = 0

  /** `resting` is the constant input before the first sample; the filter begins in its steady state for it. */
  constructor(a: number, b: number, c: number, resting: number) {
    this.#a = a
    this.#b = b
    this.#c = c
    this.#x = resting
    // In steady state the output is the input times the gain at 0 Hz.
    this.#y = (resting * (a + b)) / (1 - c)
  }

  apply(samples: Float64Array, count: number): void {
    let x = this.#x
    let y = this.#y
    for (let at = 0; at < count; at += 1) {
      const now = samples[at] as number
      y = this.#a * now + this.#b * x + this.#c * y
      x = now
      samples[at] = y
    }
    this.#x = x
    this.#y = y
  }
}

/** Attenuates below `hz`. Bilinear transform: exact at `hz`, no loss far above it. */
export function highPass(hz: number, rate: number, resting: number): Filter {
  const bend = Math.tan((Math.PI * hz) / rate)
  const gain = 1 / (1 + bend)
  return new Filter(gain, -gain, (1 - bend) * gain, resting)
}

/**
 * Attenuates above `hz`, which may be above half the rate. Has the pole of the
 * analogue circuit, and a zero placed so that the gain equals the circuit's at
 * 0 Hz and at 12 kHz (or 0.4 of the rate, if that is less).
 */
export function lowPass(hz: number, rate: number, resting: number): Filter {
  const pole = Math.exp((-2 * Math.PI * hz) / rate)
  const matched = Math.min(12_000, 0.4 * rate)
  const cosine = Math.cos((2 * Math.PI * matched) / rate)
  const wanted = (1 - 2 * pole * cosine + pole * pole) / (1 + (matched / hz) ** 2)
  // a + b is the gain at 0 Hz over the pole's; a * b follows from the gain at the matched frequency.
  const sum = 1 - pole
  const product = (sum * sum - wanted) / (2 * (1 - cosine))
  const half = Math.sqrt(Math.max(0, (sum * sum) / 4 - product))
  return new Filter(sum / 2 + half, sum / 2 - half, pole, resting)
}
