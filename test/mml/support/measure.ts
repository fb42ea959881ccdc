/**
 * Measures of a steady tone whose frequency is known: how far it is from that
 * frequency, how far each harmonic is from what the steps of the wave give in
 * theory, and how much there is that is no harmonic at all.
 */

/** Samples that are looked at: a power of two, for the transform. */
const WINDOW = 32_768

/** Kaiser window, side lobes some 150 dB down, and half the width of its main lobe in bins. */
const BETA = 20
const LOBE_BINS = 8

export interface ToneMeasures {
  /** From the expected frequency. */
  readonly cents: number
  /** The worst harmonic that should be there, up to `judgedHz`, after one gain for all. */
  readonly harmonicErrorDb: number
  /** The loudest harmonic that should not be there, by the fundamental. */
  readonly nullHarmonicDb: number
  /** The energy of everything that is no harmonic, by all energy. */
  readonly nonHarmonicDb: number
  /** The loudest line that is no harmonic, by the fundamental. */
  readonly aliasLineDb: number
}

/** `levels` is one cycle of the wave as equal steps; `gainAt` what known filters leave of a frequency. */
export function measureTone(
  samples: Float64Array,
  rate: number,
  tone: { readonly hz: number; readonly levels: readonly number[]; readonly gainAt: (hz: number) => number },
): ToneMeasures {
  const from = Math.round(0.1 * rate)
  const judgedHz = Math.min(12_000, 0.4 * rate)
  const harmonics = judgeHarmonics(samples.subarray(from, from + WINDOW), rate, tone, judgedHz)
  const rest = measureRest(samples.subarray(from, from + WINDOW), (tone.hz / rate) * WINDOW)
  return { cents: measureCents(samples, from, rate, tone.hz), ...harmonics, ...rest }
}

/** The phase of the fundamental half a window later gives the frequency more precisely than a peak. */
function measureCents(samples: Float64Array, from: number, rate: number, hz: number): number {
  const span = WINDOW / 2
  const first = project(samples.subarray(from, from + span), hz / rate)
  const second = project(samples.subarray(from + span, from + 2 * span), hz / rate)
  const expected = 2 * Math.PI * (hz / rate) * span
  const drift = second.phase - first.phase - expected
  const turned = drift - 2 * Math.PI * Math.round(drift / (2 * Math.PI))
  return 1200 * Math.log2(1 + turned / expected)
}

function judgeHarmonics(
  samples: Float64Array,
  rate: number,
  { hz, levels, gainAt }: Parameters<typeof measureTone>[2],
  judgedHz: number,
): Pick<ToneMeasures, 'harmonicErrorDb' | 'nullHarmonicDb'> {
  const count = Math.floor(judgedHz / hz)
  const rows = Array.from({ length: count }, (_, at) => {
    const harmonic = at + 1
    const got = project(samples, (harmonic * hz) / rate).amplitude
    return { got, wanted: harmonicOf(levels, harmonic) * gainAt(harmonic * hz) }
  })
  const fundamental = rows[0] ?? { got: 0, wanted: 0 }
  const there = rows.filter(({ wanted }) => wanted > 0.03 * fundamental.wanted)
  const gains = there.map(({ got, wanted }) => toDb(got / wanted))
  const gain = gains.reduce((sum, each) => sum + each, 0) / gains.length
  const absent = rows.filter(({ wanted }) => wanted < 1e-6 * fundamental.wanted)
  return {
    harmonicErrorDb: Math.max(...gains.map((each) => Math.abs(each - gain))),
    nullHarmonicDb: Math.max(-200, ...absent.map(({ got }) => toDb(got / fundamental.got))),
  }
}

/** The spectrum above about 20 Hz without the lobes of the harmonics. */
function measureRest(
  samples: Float64Array,
  fundamentalBin: number,
): Pick<ToneMeasures, 'nonHarmonicDb' | 'aliasLineDb'> {
  const power = powerSpectrum(samples)
  let harmonicPower = 0
  let restPower = 0
  let fundamental = 0
  let loudest = 0
  for (let bin = 2 * LOBE_BINS; bin < power.length; bin += 1) {
    const each = power[bin] as number
    const harmonic = Math.max(1, Math.round(bin / fundamentalBin))
    const isHarmonic = Math.abs(bin - harmonic * fundamentalBin) <= LOBE_BINS + 1
    if (isHarmonic) harmonicPower += each
    else restPower += each
    if (isHarmonic && harmonic === 1) fundamental = Math.max(fundamental, each)
    if (!isHarmonic) loudest = Math.max(loudest, each)
  }
  return {
    nonHarmonicDb: toDb(Math.sqrt(restPower / (restPower + harmonicPower))),
    aliasLineDb: toDb(Math.sqrt(loudest / fundamental)),
  }
}

/** Amplitude of a harmonic of a wave made of equal steps, each held for its time. */
function harmonicOf(levels: readonly number[], harmonic: number): number {
  const turn = (2 * Math.PI * harmonic) / levels.length
  let real = 0
  let imaginary = 0
  levels.forEach((level, at) => {
    real += level * Math.cos(turn * at)
    imaginary -= level * Math.sin(turn * at)
  })
  const held = harmonic % levels.length === 0 ? 0 : Math.sin(turn / 2) / (turn / 2)
  return ((2 * Math.hypot(real, imaginary)) / levels.length) * Math.abs(held)
}

function toDb(ratio: number): number {
  return 20 * Math.log10(Math.max(ratio, 1e-12))
}

/** Amplitude and phase of one frequency, in cycles a sample, under the window. */
function project(samples: Float64Array, frequency: number): { readonly amplitude: number; readonly phase: number } {
  const window = kaiser(samples.length)
  let real = 0
  let imaginary = 0
  let whole = 0
  // A pointer that turns by the same angle each sample: far cheaper than a sine each.
  const cosine = Math.cos(2 * Math.PI * frequency)
  const sine = Math.sin(2 * Math.PI * frequency)
  let x = 1
  let y = 0
  for (let at = 0; at < samples.length; at += 1) {
    const weight = window[at] as number
    const value = weight * (samples[at] as number)
    real += value * x
    imaginary -= value * y
    whole += weight
    const turned = x * cosine - y * sine
    y = x * sine + y * cosine
    x = turned
  }
  return { amplitude: (2 * Math.hypot(real, imaginary)) / whole, phase: Math.atan2(imaginary, real) }
}

const windows = new Map<number, Float64Array>()

function kaiser(length: number): Float64Array {
  const known = windows.get(length)
  if (known !== undefined) return known
  const window = Float64Array.from({ length }, (_, at) => {
    const across = (2 * (at + 0.5)) / length - 1
    return besselZero(BETA * Math.sqrt(1 - across * across)) / besselZero(BETA)
  })
  windows.set(length, window)
  return window
}

function besselZero(x: number): number {
  let term = 1
  let sum = 1
  for (let n = 1; term > 1e-16 * sum; n += 1) {
    term *= (x * x) / (4 * n * n)
    sum += term
  }
  return sum
}

function powerSpectrum(samples: Float64Array): Float64Array {
  const window = kaiser(samples.length)
  const real = samples.map((sample, at) => sample * (window[at] as number))
  const imaginary = new Float64Array(samples.length)
  transform(real, imaginary)
  return real.subarray(0, samples.length / 2).map((value, bin) => value ** 2 + (imaginary[bin] as number) ** 2)
}

/** Fourier transform in place: halves apart by decimation in frequency, then put in order. */
function transform(real: Float64Array, imaginary: Float64Array): void {
  const length = real.length
  for (let span = length / 2; span >= 1; span /= 2) {
    for (let offset = 0; offset < span; offset += 1) {
      const cosine = Math.cos((Math.PI * offset) / span)
      const sine = -Math.sin((Math.PI * offset) / span)
      for (let low = offset; low < length; low += 2 * span) {
        const high = low + span
        const differenceReal = (real[low] as number) - (real[high] as number)
        const differenceImaginary = (imaginary[low] as number) - (imaginary[high] as number)
        real[low] = (real[low] as number) + (real[high] as number)
        imaginary[low] = (imaginary[low] as number) + (imaginary[high] as number)
        real[high] = differenceReal * cosine - differenceImaginary * sine
        imaginary[high] = differenceReal * sine + differenceImaginary * cosine
      }
    }
  }
  const bits = Math.log2(length)
  const copyReal = real.slice()
  const copyImaginary = imaginary.slice()
  for (let at = 0; at < length; at += 1) {
    let reversed = 0
    for (let bit = 0; bit < bits; bit += 1) reversed |= ((at >> bit) & 1) << (bits - 1 - bit)
    real[at] = copyReal[reversed] as number
    imaginary[at] = copyImaginary[reversed] as number
  }
}
