/**
 * Unrolls one track: repeats expanded, ties joined, every note with its exact
 * position and its voice. Walks the flat list of statements with a small stack
 * and without recursion.
 */
import type { Length, Pitch, Statement, Track } from '../language/ast.ts'
import { octaveRange, type Argument } from '../language/commands.ts'
import { passesOf } from './check-size.ts'
import { DefinitionTables } from './definitions.ts'
import { applyDefinition, EFFECTS, stepVolume, toInitialState } from './effects.ts'
import type { TrackState } from './effects.ts'
import { scale, ZERO } from './fraction.ts'
import type { Fraction } from './fraction.ts'
import { PartWriter } from './part-writer.ts'
import { boundTimer, toNearestNote } from '../chip/pitch.ts'
import { PLAIN_PITCH } from './score.ts'
import type { ControlBody, NotePitch, ScoreTrack } from './score.ts'
import { CHANNEL_TYPES, CHANNELS } from '../chip/channels.ts'
import type { ChannelName } from '../chip/channels.ts'
import type { Dialect, Profile } from '../language/dialect.ts'
import { DEFAULT_TEMPO, QUARTER, toTicks } from './timing.ts'
import type { TrackWarnings } from './track-warnings.ts'

interface Pass {
  left: number
  readonly start: Fraction
}

interface UnrollOptions {
  readonly mode: Dialect
  readonly profile: Profile
  readonly tables: DefinitionTables
  readonly failed: ReadonlySet<Statement>
  /** Native: -1 when a header makes `>` lower the octave. */
  readonly octaveSign: 1 | -1
  /** The gate value of a note that sounds to its end. */
  readonly gateDenominator: number
}

export function unrollTrack(track: Track, options: UnrollOptions, warnings: TrackWarnings): ScoreTrack {
  return new TrackUnroller(track, options, warnings).unroll()
}

class TrackUnroller {
  readonly #track: Track
  readonly #options: UnrollOptions
  readonly #warnings: TrackWarnings
  readonly #home: ChannelName
  readonly #octaves: Argument
  readonly #state: TrackState
  readonly #part: PartWriter
  readonly #passes: Pass[] = []
  #tupletStep: Fraction | null = null

  constructor(track: Track, options: UnrollOptions, warnings: TrackWarnings) {
    this.#track = track
    this.#options = options
    this.#warnings = warnings
    this.#part = new PartWriter(track.place === 'sample')
    this.#home = CHANNELS[typeof track.place === 'number' ? track.place : 0] ?? 'Pulse1'
    const tables = [new DefinitionTables(), options.tables]
    const { mode, profile, gateDenominator } = options
    this.#octaves = octaveRange(mode, profile)
    const channelType = CHANNEL_TYPES[this.#home]
    this.#state = toInitialState({ mode, profile, channelType, tables, gateDenominator }, DEFAULT_TEMPO)
  }

  unroll(): ScoreTrack {
    const { body, place } = this.#track
    for (let at = 0; at < body.length; at++) {
      const statement = body[at] as Statement
      if (statement.kind === 'close') at = this.#close(statement, at)
      else if (statement.kind === 'break') at = this.#passes.at(-1)?.left === 1 ? this.#leave(statement.close) : at
      else if (statement.kind === 'command' && statement.command.effect === 'endTrack') break
      else if (!this.#options.failed.has(statement)) this.#statement(statement, at)
    }
    return this.#part.toScoreTrack(place)
  }

  #statement(statement: Statement, index: number): void {
    switch (statement.kind) {
      case 'note':
        return this.#note(statement)
      case 'rest':
        return this.#part.rest(this.#ticks(statement.length))
      case 'extend':
        return this.#part.extend(this.#ticks(statement.length), this.#state.voice)
      case 'slur':
        return this.#part.join()
      case 'open':
        return void this.#passes.push({ left: this.#countOf(statement.close), start: this.#part.position })
      case 'slurOpen':
      case 'slurClose':
        return this.#part.slurAll(statement.kind === 'slurOpen')
      case 'tupletOpen':
        this.#tupletStep = this.#toTupletStep(index, statement.close)
        return
      case 'tupletClose':
        this.#tupletStep = null
        return
      case 'define':
        return this.#control(applyDefinition(this.#state, statement), statement.at)
      case 'command':
        return this.#command(statement)
      case 'timed':
        return this.#timed(statement)
      default:
        return
    }
  }

  #countOf(close: number): number {
    const statement = this.#track.body[close]
    return statement?.kind === 'close' ? passesOf(statement.count) : 1
  }

  /** The end of a pass. Returns the index to continue after: the opening bracket, or this one. */
  #close(statement: Statement & { kind: 'close' }, at: number): number {
    const pass = this.#passes.at(-1)
    if (pass === undefined) return at
    pass.left--
    return pass.left > 0 ? statement.open : this.#leave(at)
  }

  #leave(close: number): number {
    const pass = this.#passes.pop()
    const statement = this.#track.body[close]
    if (pass && statement?.kind === 'close') this.#part.repeated(pass.start, statement.count ?? 0)
    return close
  }

  #ticks(length: Length): Fraction {
    return this.#tupletStep ?? toTicks(length, this.#state.defaultTicks, this.#state.tempo)
  }

  /** The length of a tuplet, divided equally among its notes and rests. */
  #toTupletStep(open: number, close: number): Fraction {
    const { body } = this.#track
    const end = body[close]
    const total = end?.kind === 'tupletClose' ? toTicks(end.length, this.#state.defaultTicks, this.#state.tempo) : ZERO
    const takesTime = ({ kind }: Statement) => ['note', 'rest', 'extend', 'timed'].includes(kind)
    const parts = body.slice(open, close).filter(takesTime).length
    return scale(total, 1, Math.max(1, parts))
  }

  #command({ at, command, values }: Statement & { kind: 'command' }): void {
    const { octaveSign } = this.#options
    switch (command.effect) {
      case 'octaveUp':
        return this.#shiftOctave(octaveSign, at)
      case 'octaveDown':
        return this.#shiftOctave(-octaveSign, at)
      case 'volumeStep':
        return this.#control(stepVolume(this.#state, command.name === 'v-' ? -(values[0] ?? 1) : (values[0] ?? 1)), at)
      case 'loopPoint':
        return this.#part.loopHere()
      case 'startHere':
        for (const [index, { left }] of this.#passes.entries()) this.#passes[index] = { left, start: ZERO }
        return this.#part.startHere(this.#state.tempo)
      case 'registerWrite':
        return this.#warnings.register(at, values[0] ?? 0)
      default:
        return this.#control(EFFECTS[command.effect]?.(this.#state, values) ?? null, at)
    }
  }

  #timed({ at, command, values, length }: Statement & { kind: 'timed' }): void {
    switch (command.effect) {
      case 'defaultLength':
        this.#state.defaultTicks = isBare(length)
          ? QUARTER
          : toTicks(length, this.#state.defaultTicks, this.#state.tempo)
        return
      case 'hold':
        return this.#part.extend(this.#ticks(length), this.#state.voice)
      case 'keyOff':
        return this.#part.letGo(this.#ticks(length))
      case 'noteNumber': {
        const [number = 0] = values
        const noise = this.#home === 'Noise' ? number & 15 : null
        const note = (Math.floor(number / 16) + 3) * 12 + (number % 16) + this.#drop
        return this.#sound(note, length, at, { ...PLAIN_PITCH, noise })
      }
      case 'directPeriod': {
        const timer = boundTimer(values[0] ?? 0)
        return this.#sound(toNearestNote(timer, CHANNEL_TYPES[this.#home]), length, at, { ...PLAIN_PITCH, timer })
      }
      default:
        return
    }
  }

  #note({ at, pitch, length, slide }: Statement & { kind: 'note' }): void {
    const native = this.#state.profile === 'native'
    const isPpmckNoise = this.#home === 'Noise' && this.#state.mode === 'ppmck'
    if (isPpmckNoise && !native) this.#warnings.noiseNote(at)
    const noise = isPpmckNoise && native ? (pitch.semitone + pitch.accidental + this.#state.transpose + 256) & 15 : null
    const slideTo = slide && this.#toNote(slide)
    const isPlain = noise === null && slideTo === null
    this.#sound(this.#toNote(pitch), length, at, isPlain ? PLAIN_PITCH : { ...PLAIN_PITCH, noise, slideTo })
  }

  #sound(written: number, length: Length, at: number, pitch: NotePitch): void {
    const channel = this.#channel()
    const note = Math.min(127, Math.max(0, written))
    const { voice } = this.#state
    const isNew = this.#part.sound({ channel, note, ticks: this.#ticks(length), voice, pitch })
    if (isNew) this.#warnings.note(at, channel, written, note, voice, pitch)
  }

  /** The note number before clamping, transposed when the channel has pitch. */
  #toNote({ semitone, accidental }: Pitch): number {
    const transpose = this.#channel() === 'Noise' ? 0 : this.#state.transpose
    return (this.#state.octave + 1) * 12 + semitone + accidental + transpose + this.#drop
  }

  /** The native driver's triangle sounds an octave below the written note. */
  get #drop(): number {
    return this.#state.profile === 'native' && this.#state.mode === 'ppmck' && this.#home === 'Triangle' ? -12 : 0
  }

  /** The channel of the next note: native pyxel tracks may select any waveform, so any channel. */
  #channel(): ChannelName {
    const { tone, profile } = this.#state
    if (profile === 'house' || tone === null) return this.#home
    if (tone === 0) return 'Triangle'
    if (tone === 3) return 'Noise'
    return this.#home === 'Pulse1' || this.#home === 'Triangle' ? 'Pulse1' : 'Pulse2'
  }

  #control(body: ControlBody | null, offset: number): void {
    this.#part.control(body, this.#state.tempo, offset)
  }

  #shiftOctave(by: number, at: number): void {
    const { min, max } = this.#octaves
    const octave = this.#state.octave + by
    if (octave < min || octave > max) this.#warnings.octave(at, octave, min, max)
    else this.#state.octave = octave
  }
}

/** `L` alone restores the initial length of a track. */
function isBare({ terms }: Length): boolean {
  return terms.every(({ value, dots }) => value === null && dots === 0)
}
