/**
 * A WAV file in memory: RIFF, PCM, 16 bits, one channel, header of 44 bytes.
 * The samples are rendered as 32-bit floats in the second half of the room of
 * which the file is made, and narrowed where they lie: a long song is not held
 * twice.
 */
export const WAV_HEADER_BYTES = 44

const BYTES_PER_SAMPLE = 2

/** Full scale of a sample. */
const FULL_SCALE = 32_767

/** Room for a file of `samples` samples, to be filled with floats and then turned into the file. */
export class WavBuffer {
  /** Where the samples go before `toFile`; about -1 to 1. */
  readonly samples: Float32Array
  readonly #buffer: ArrayBuffer
  readonly #sampleRate: number

  constructor(samples: number, sampleRate: number) {
    this.#buffer = new ArrayBuffer(WAV_HEADER_BYTES + samples * Float32Array.BYTES_PER_ELEMENT)
    this.samples = new Float32Array(this.#buffer, WAV_HEADER_BYTES, samples)
    this.#sampleRate = sampleRate
  }

  /** The file, every sample times `gain`, rounded. The room is used up: `samples` holds nothing of use after it. */
  toFile(gain: number): Uint8Array {
    const count = this.samples.length
    // Sample n is written to bytes that floats before 2n + 1 lay on, all of which have been read by then.
    const narrowed = new Int16Array(this.#buffer, WAV_HEADER_BYTES, count)
    const samples = this.samples
    const scale = gain * FULL_SCALE
    for (let at = 0; at < count; at += 1) {
      const wide = Math.floor((samples[at] as number) * scale + 0.5)
      narrowed[at] = wide > FULL_SCALE ? FULL_SCALE : wide < -FULL_SCALE ? -FULL_SCALE : wide
    }
    const bytes = count * BYTES_PER_SAMPLE
    writeHeader(new DataView(this.#buffer), bytes, this.#sampleRate)
    return new Uint8Array(this.#buffer, 0, WAV_HEADER_BYTES + bytes)
  }
}

/** Sizes and rates are little-endian, as is every machine that V8 runs on, on which `toFile` relies. */
function writeHeader(view: DataView, dataBytes: number, sampleRate: number): void {
  writeTag(view, 0, 'RIFF')
  view.setUint32(4, WAV_HEADER_BYTES - 8 + dataBytes, true)
  writeTag(view, 8, 'WAVE')
  writeTag(view, 12, 'fmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, sampleRate, true)
  view.setUint32(28, sampleRate * BYTES_PER_SAMPLE, true)
  view.setUint16(32, BYTES_PER_SAMPLE, true)
  view.setUint16(34, 8 * BYTES_PER_SAMPLE, true)
  writeTag(view, 36, 'data')
  view.setUint32(40, dataBytes, true)
}

function writeTag(view: DataView, at: number, tag: string): void {
  for (let letter = 0; letter < tag.length; letter += 1) view.setUint8(at + letter, tag.charCodeAt(letter))
}
