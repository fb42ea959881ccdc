/**
 * From control changes to samples, block by block: four voices, the mixer, the
 * band-limited steps and the filters. The mixed level is what steps, at every
 * edge of any voice, because the mixer is not linear. It holds one block and
 * the state of the voices, whatever the length of the music.
 */
import type { ControlChange, Performance } from './performance.ts'
import { type Filter, highPass, lowPass } from './output-filter.ts'
import { mix } from './mixer.ts'
import { Noise } from './noise.ts'
import { Pulse } from './pulse.ts'
import { REACH, StepBuffer } from './band-limited-step.ts'
import { CPU_HZ } from './chip-tables.ts'
import { Triangle } from './triangle.ts'
import type { Voice } from './voice.ts'

export interface ChannelSound {
  /** Samples in a second. */
  readonly sampleRate: number
  /** The filters of the console (90 Hz, 440 Hz, 14 kHz) in place of the one that only takes away what is constant. */
  readonly consoleFilters: boolean
}

/** Below this nothing is heard; what is above it, such as the wander of a halted level, is taken away. */
const LOWEST_HZ = 20

/** Samples that take about as long as one step of a voice. */
const SAMPLES_PER_EFFORT = 10

/** Samples by which the steps come out late, and which are thrown away at the start. */
const LATE = REACH - 1

class Channel {
  readonly voice: Voice
  readonly #changes: Iterator<ControlChange>
  #next: ControlChange | undefined
  #changeAt = Infinity
  /** Cycle at which anything happens here. */
  dueAt = Infinity

  constructor(voice: Voice, changes: Iterable<ControlChange>) {
    this.voice = voice
    this.#changes = changes[Symbol.iterator]()
    this.#pull()
  }

  /** Does what is due at `dueAt`. */
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

export class Renderer {
  readonly #channels: readonly [Channel, Channel, Channel, Channel]
  readonly #steps: StepBuffer
  readonly #filters: readonly Filter[]
  readonly #block: Float64Array
  readonly #samplesPerCycle: number
  /** The mixed level now. */
  #level: number
  /** Samples rendered so far, those thrown away at the start among them. */
  #done = 0
  #effort = 0

  /** `blockSamples` is the most that one call of `render` may ask for. */
  constructor({ channels }: Pick<Performance, 'channels'>, sound: ChannelSound, blockSamples: number) {
    this.#channels = [
      new Channel(new Pulse(), channels.Pulse1()),
      new Channel(new Pulse(), channels.Pulse2()),
      new Channel(new Triangle(), channels.Triangle()),
      new Channel(new Noise(), channels.Noise()),
    ]
    this.#samplesPerCycle = sound.sampleRate / CPU_HZ
    this.#level = this.#mixed()
    this.#steps = new StepBuffer(Math.max(blockSamples, LATE), this.#level)
    this.#filters = toFilters(sound, this.#level)
    this.#block = new Float64Array(Math.max(blockSamples, LATE))
    this.#advance(LATE)
  }

  /** The next `count` samples, about -1 to 1. They are this renderer's own and hold until the next call. */
  render(count: number): Float64Array {
    this.#advance(count)
    return this.#block.subarray(0, count)
  }

  /** Work since the last call: one for each thing that happened to a voice, and one for so many samples. */
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

  /** Everything that happens before `count` more samples are over, in order of time. */
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

function toFilters({ sampleRate, consoleFilters }: ChannelSound, resting: number): Filter[] {
  if (!consoleFilters) return [highPass(LOWEST_HZ, sampleRate, resting)]
  return [highPass(90, sampleRate, resting), highPass(440, sampleRate, 0), lowPass(14_000, sampleRate, 0)]
}
