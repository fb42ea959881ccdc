/**
 * A WAV file in memory: RIFF, PCM, 16 bits, one channel, header of 44 bytes.
 * Samples are first 32-bit floats in the buffer of the file and are converted in
 * place, so a long song is not held twice.
 */

const WAV_HEADER_BYTES = 44

const BYTES_PER_SAMPLE = 2

/** Full scale of a sample. */
const FULL_SCALE = 32_767

/** The memory of a file of `samples` samples: fill `samples` with floats, then call `finish` once. */
export class WavBuffer {
  /** About -1 to 1; values outside are clipped by `finish`. */
  readonly samples: Float32Array
  readonly #buffer: ArrayBuffer
  readonly #sampleRate: number

  constructor(samples: number, sampleRate: number) {
    this.#buffer = new ArrayBuffer(WAV_HEADER_BYTES + samples * Float32Array.BYTES_PER_ELEMENT)
    this.samples = new Float32Array(this.#buffer, WAV_HEADER_BYTES, samples)
    this.#sampleRate = sampleRate
  }

  /** The file, every sample times `gain`, rounded. Overwrites `samples`. */
  finish(gain: number): Uint8Array {
    const count = this.samples.length
    // Sample n overwrites bytes of floats before 2n + 1, all of which have been read by then.
    const int16 = new Int16Array(this.#buffer, WAV_HEADER_BYTES, count)
    const samples = this.samples
    const scale = gain * FULL_SCALE
    for (let at = 0; at < count; at += 1) {
      const wide = Math.floor((samples[at] as number) * scale + 0.5)
      int16[at] = wide > FULL_SCALE ? FULL_SCALE : wide < -FULL_SCALE ? -FULL_SCALE : wide
    }
    const bytes = count * BYTES_PER_SAMPLE
    writeHeader(new DataView(this.#buffer), bytes, this.#sampleRate)
    return new Uint8Array(this.#buffer, 0, WAV_HEADER_BYTES + bytes)
  }
}

/** Little-endian, like the Int16Array of `finish` on every machine that V8 runs on. */
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
