/**
 * Control changes to samples, block by block: four voices, the mixer, band-limited
 * steps and filters. The mixer is not linear, so each edge of any voice becomes a
 * step of the mixed level. Memory is one block and the state of the voices,
 * independent of the length of the music.
 */
import type { ControlChange, Performance } from '../performance/performance.ts'
import { type Filter, highPass, lowPass } from './output-filter.ts'
import { mix } from './mixer.ts'
import { Noise } from './noise.ts'
import { Pulse } from './pulse.ts'
import { REACH, StepBuffer } from './band-limited-step.ts'
import { CPU_HZ } from '../chip/chip-tables.ts'
import { Triangle } from './triangle.ts'
import type { Voice } from './voice.ts'

export interface SoundOptions {
  /** Hz. */
  readonly sampleRate: number
  /** The filters of the console (high-pass 90 and 440 Hz, low-pass 14 kHz) instead of a high-pass at LOWEST_HZ. */
  readonly consoleFilters: boolean
}

/** Below the audible range: removes the constant part of the signal, such as the level of a halted triangle. */
const LOWEST_HZ = 20

/** Samples that cost about as much time as one edge of a voice. */
const SAMPLES_PER_EFFORT = 10

/** Samples by which the step filter delays the signal; discarded at the start. */
const DELAY_SAMPLES = REACH - 1

class SynthChannel {
  readonly voice: Voice
  readonly #changes: Iterator<ControlChange>
  #next: ControlChange | undefined
  #changeAt = Infinity
  /** CPU cycle of the next change of controls or output. */
  dueAt = Infinity

  constructor(voice: Voice, changes: Iterable<ControlChange>) {
    this.voice = voice
    this.#changes = changes[Symbol.iterator]()
    this.#pull()
  }

  /** Applies the change or the step that is due at `dueAt`. */
  run(): void {
    if (this.#next !== undefined && this.#changeAt <= this.voice.nextAt) {
      this.voice.change(this.#changeAt, this.#next)
      this.#pull()
      return
    }
    this.voice.step()
    this.dueAt = Math.min(this.#changeAt, this.voice.nextAt)
  }

  #pull(): void {
    const { done, value } = this.#changes.next()
    this.#next = done === true ? undefined : value
    this.#changeAt = this.#next === undefined ? Infinity : this.#next.atSeconds * CPU_HZ
    this.dueAt = Math.min(this.#changeAt, this.voice.nextAt)
  }
}

export class ChipSynth {
  readonly #channels: readonly [SynthChannel, SynthChannel, SynthChannel, SynthChannel]
  readonly #steps: StepBuffer
  readonly #filters: readonly Filter[]
  readonly #block: Float64Array
  readonly #samplesPerCycle: number
  /** The mixed level after the last edge. */
  #level: number
  /** Samples made so far, the discarded ones included. */
  #done = 0
  #effort = 0

  /** `blockSamples` is the largest `count` of `nextBlock`. */
  constructor({ channels }: Pick<Performance, 'channels'>, sound: SoundOptions, blockSamples: number) {
    this.#channels = [
      new SynthChannel(new Pulse(), channels.Pulse1()),
      new SynthChannel(new Pulse(), channels.Pulse2()),
      new SynthChannel(new Triangle(), channels.Triangle()),
      new SynthChannel(new Noise(), channels.Noise()),
    ]
    this.#samplesPerCycle = sound.sampleRate / CPU_HZ
    this.#level = this.#mixed()
    this.#steps = new StepBuffer(Math.max(blockSamples, DELAY_SAMPLES), this.#level)
    this.#filters = toFilters(sound, this.#level)
    this.#block = new Float64Array(Math.max(blockSamples, DELAY_SAMPLES))
    this.#advance(DELAY_SAMPLES)
  }

  /** The next `count` samples, about -1 to 1. The array is reused by the next call. */
  nextBlock(count: number): Float64Array {
    this.#advance(count)
    return this.#block.subarray(0, count)
  }

  /** Work since the last call: one for each event of a voice and for each SAMPLES_PER_EFFORT samples. */
  takeEffort(): number {
    const effort = this.#effort
    this.#effort = 0
    return effort
  }

  #advance(count: number): void {
    this.#run(count)
    this.#steps.take(this.#block, count)
    for (const filter of this.#filters) filter.apply(this.#block, count)
    this.#done += count
    this.#effort += count / SAMPLES_PER_EFFORT
  }

  /** Runs all events within the next `count` samples, in order of time. */
  #run(count: number): void {
    const [pulse1, pulse2, triangle, noise] = this.#channels
    const end = (this.#done + count) / this.#samplesPerCycle
    for (;;) {
      const pulse = pulse2.dueAt < pulse1.dueAt ? pulse2 : pulse1
      const other = noise.dueAt < triangle.dueAt ? noise : triangle
      const channel = other.dueAt < pulse.dueAt ? other : pulse
      const at = channel.dueAt
      if (at >= end) return
      this.#effort += 1
      channel.run()
      const level = this.#mixed()
      if (level === this.#level) continue
      this.#steps.add(at * this.#samplesPerCycle - this.#done, level - this.#level)
      this.#level = level
    }
  }

  #mixed(): number {
    const [pulse1, pulse2, triangle, noise] = this.#channels
    return mix(pulse1.voice.output, pulse2.voice.output, triangle.voice.output, noise.voice.output)
  }
}

function toFilters({ sampleRate, consoleFilters }: SoundOptions, resting: number): Filter[] {
  if (!consoleFilters) return [highPass(LOWEST_HZ, sampleRate, resting)]
  return [highPass(90, sampleRate, resting), highPass(440, sampleRate, 0), lowPass(14_000, sampleRate, 0)]
}
