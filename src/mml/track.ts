/**
 * Plays one track out: repeats unrolled, ties joined, every note with its
 * exact position and the voice it is played with. Walks along the flat list
 * of statements with a small stack, never deeper.
 */
import type { Length, Pitch, Statement, Track } from './ast.ts'
import { passesOf } from './count.ts'
import { DefinitionTables } from './definitions.ts'
import { applyDefinition, EFFECTS, toFreshState } from './effects.ts'
import type { TrackState } from './effects.ts'
import { add, scale, ZERO } from './fraction.ts'
import type { Fraction } from './fraction.ts'
import type { ScoreItem, ScoreNote, ScoreTrack } from './score.ts'
import { toNearestNote } from './pitch.ts'
import { CHANNEL_TYPES, CHANNELS } from './sequence.ts'
import type { ChannelName, Mode, Profile } from './sequence.ts'
import { DEFAULT_TEMPO, toTicks } from './timing.ts'
import type { TrackWarnings } from './track-warnings.ts'

interface Pass {
  left: number
  readonly start: Fraction
}

export interface TrackSetting {
  readonly mode: Mode
  readonly profile: Profile
  readonly tables: DefinitionTables
  readonly failed: ReadonlySet<Statement>
  /** Native: `>` raises, or, after a header, lowers. */
  readonly octaveSign: 1 | -1
  /** What `q` counts in. */
  readonly gateDenominator: number
}

export function playTrack(track: Track, setting: TrackSetting, warnings: TrackWarnings): ScoreTrack {
  const player = new TrackPlayer(track, setting, warnings)
  player.play()
  return player.toScoreTrack()
}

class TrackPlayer {
  readonly #track: Track
  readonly #setting: TrackSetting
  readonly #warnings: TrackWarnings
  readonly #home: ChannelName
  readonly #state: TrackState
  readonly #items: ScoreItem[] = []
  readonly #tempos: ScoreTrack['tempos'][number][] = []
  readonly #passes: Pass[] = []
  #position = ZERO
  #loopStart: Fraction | null = null
  /** The note or rest that a tie goes on with. */
  #last: (ScoreItem & { kind: 'note' | 'rest' }) | null = null
  #lastNote: ScoreNote | null = null
  #joins = false
  /** Inside `( )`: whether its first note has been played. */
  #group: 'first' | 'rest' | null = null
  #tupletStep: Fraction | null = null

  constructor(track: Track, setting: TrackSetting, warnings: TrackWarnings) {
    this.#track = track
    this.#setting = setting
    this.#warnings = warnings
    this.#home = CHANNELS[typeof track.place === 'number' ? track.place : 0] ?? 'Pulse1'
    const tables = [new DefinitionTables(), setting.tables]
    const { mode, profile, gateDenominator } = setting
    const channelType = CHANNEL_TYPES[this.#home]
    this.#state = toFreshState({ mode, profile, channelType, tables, gateDenominator }, DEFAULT_TEMPO)
  }

  toScoreTrack(): ScoreTrack {
    const { place } = this.#track
    return { place, items: this.#items, end: this.#position, loopStart: this.#loopStart, tempos: this.#tempos }
  }

  play(): void {
    const { body } = this.#track
    for (let at = 0; at < body.length; at++) {
      const statement = body[at] as Statement
      if (statement.kind === 'close') at = this.#close(statement, at)
      else if (statement.kind === 'break') at = this.#passes.at(-1)?.left === 1 ? this.#leave(statement.close) : at
      else if (statement.kind === 'command' && statement.command.effect === 'endTrack') break
      else if (!this.#setting.failed.has(statement)) this.#statement(statement, at)
    }
  }

  #statement(statement: Statement, index: number): void {
    switch (statement.kind) {
      case 'note':
        return this.#note(statement)
      case 'rest':
        return this.#rest(this.#ticks(statement.length))
      case 'extend':
        return this.#extend(this.#ticks(statement.length))
      case 'slur':
        this.#joins = true
        return
      case 'open':
        return void this.#passes.push({ left: this.#countOf(statement.close), start: this.#position })
      case 'slurOpen':
        this.#group = 'first'
        return
      case 'slurClose':
        this.#group = null
        return
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

  /** The end of a pass: back to the start, or on. Returns the index to go on from. */
  #close(statement: Statement & { kind: 'close' }, at: number): number {
    const pass = this.#passes.at(-1)
    if (pass === undefined) return at
    pass.left--
    if (pass.left > 0) return statement.open
    return this.#leave(at)
  }

  #leave(close: number): number {
    const pass = this.#passes.pop()
    const statement = this.#track.body[close]
    if (pass && statement?.kind === 'close') {
      this.#items.push({ kind: 'repeat', start: pass.start, end: this.#position, count: statement.count ?? 0 })
    }
    return close
  }

  #ticks(length: Length): Fraction {
    return this.#tupletStep ?? toTicks(length, this.#state.defaultTicks, this.#state.tempo)
  }

  #toTupletStep(open: number, close: number): Fraction {
    const body = this.#track.body
    const end = body[close]
    const total = end?.kind === 'tupletClose' ? toTicks(end.length, this.#state.defaultTicks, this.#state.tempo) : ZERO
    const isPart = ({ kind }: Statement) => kind === 'note' || kind === 'rest' || kind === 'extend' || kind === 'timed'
    const parts = body.slice(open, close).filter(isPart).length
    return scale(total, 1, Math.max(1, parts))
  }

  #command({ at, command, values }: Statement & { kind: 'command' }): void {
    const { octaveSign } = this.#setting
    switch (command.effect) {
      case 'octaveUp':
        return this.#shiftOctave(octaveSign, at)
      case 'octaveDown':
        return this.#shiftOctave(-octaveSign, at)
      case 'volumeStep':
        return this.#stepVolume(command.name === 'v-' ? -(values[0] ?? 1) : (values[0] ?? 1), at)
      case 'loopPoint':
        this.#loopStart = this.#position
        return
      case 'startHere':
        return this.#startHere()
      case 'registerWrite':
        return this.#warnings.register(at, values[0] ?? 0)
      default:
        return this.#control(EFFECTS[command.effect]?.(this.#state, values) ?? null, at)
    }
  }

  #timed({ at, command, values, length }: Statement & { kind: 'timed' }): void {
    switch (command.effect) {
      case 'defaultLength': {
        const isBare = length.terms.every(({ value, dots }) => value === null && dots === 0)
        const quarter = { terms: [{ sign: 1, unit: 'note', value: 4, dots: 0 }] } as const
        this.#state.defaultTicks = toTicks(isBare ? quarter : length, this.#state.defaultTicks, this.#state.tempo)
        return
      }
      case 'hold':
        return this.#extend(this.#ticks(length))
      case 'keyOff': {
        const note = this.#lastNote
        this.#rest(this.#ticks(length))
        if (note) note.released = this.#position
        return
      }
      case 'noteNumber': {
        const [number = 0] = values
        const noise = this.#home === 'Noise' ? number & 15 : null
        const midi = (Math.floor(number / 16) + 3) * 12 + (number % 16) + this.#drop
        return this.#sound(midi, this.#ticks(length), at, { noise })
      }
      case 'directPeriod': {
        const timer = Math.min(values[0] ?? 0, 2047)
        return this.#sound(toNearestNote(timer, CHANNEL_TYPES[this.#home]), this.#ticks(length), at, { timer })
      }
      default:
        return
    }
  }

  #note({ at, pitch, length, slide }: Statement & { kind: 'note' }): void {
    const native = this.#state.profile === 'native'
    const isPpmckNoise = this.#home === 'Noise' && this.#state.mode === 'ppmck'
    const noise = isPpmckNoise && native ? (pitch.semitone + pitch.accidental + this.#state.transpose + 256) & 15 : null
    if (isPpmckNoise && !native) this.#warnings.noiseNote(at)
    const slideTo = slide && this.#midi(slide)
    this.#sound(this.#midi(pitch), this.#ticks(length), at, { noise, slideTo })
  }

  /** The note number as written, transposed where the channel has pitch. */
  #midi({ semitone, accidental }: Pitch): number {
    const transpose = this.#channel() === 'Noise' ? 0 : this.#state.transpose
    return (this.#state.octave + 1) * 12 + semitone + accidental + transpose + this.#drop
  }

  /** The native driver's triangle sounds an octave below the written note. */
  get #drop(): number {
    return this.#state.profile === 'native' && this.#state.mode === 'ppmck' && this.#home === 'Triangle' ? -12 : 0
  }

  /** Where the next note sounds: native pyxel tracks may choose any waveform, so any channel. */
  #channel(): ChannelName {
    const { tone, profile } = this.#state
    if (profile === 'house' || tone === null) return this.#home
    if (tone === 0) return 'Triangle'
    if (tone === 3) return 'Noise'
    return this.#home === 'Pulse1' || this.#home === 'Triangle' ? 'Pulse1' : 'Pulse2'
  }

  #sound(
    written: number,
    ticks: Fraction,
    at: number,
    { noise = null, timer = null, slideTo = null }: Partial<Pick<ScoreNote, 'noise' | 'timer' | 'slideTo'>>,
  ): void {
    const channel = this.#channel()
    const note = Math.min(127, Math.max(0, written))
    const start = this.#position
    const end = add(start, ticks)
    const before = this.#last?.kind === 'note' ? this.#last : null
    const joins = before !== null && (this.#joins || this.#group === 'rest') && before.channel === channel
    if (this.#group === 'first') this.#group = 'rest'
    this.#joins = false
    this.#position = end
    const isSame = joins && before.note === note && before.noise === noise && before.timer === timer
    if (isSame && before.slideTo === null && slideTo === null) {
      this.#holdNote(before, start, end)
      return
    }
    if (joins) before.joined = true
    if (this.#track.place === 'sample') return
    const { voice } = this.#state
    this.#warnings.note(at, channel, written, note, voice, { timer, noise })
    const previous = this.#lastNote?.note ?? null
    const later: ScoreNote['later'] = []
    const played = { kind: 'note', channel, start, end, note, voice, later, legato: joins } as const
    const item: ScoreNote = { ...played, joined: false, slideTo, timer, noise, previous, released: null }
    this.#items.push(item)
    this.#last = item
    this.#lastNote = item
  }

  #rest(ticks: Fraction): void {
    const start = this.#position
    this.#position = add(start, ticks)
    this.#joins = false
    const item = { kind: 'rest' as const, start, end: this.#position }
    this.#items.push(item)
    this.#last = item
  }

  #extend(ticks: Fraction): void {
    const start = this.#position
    const last = this.#last
    if (last === null) return this.#rest(ticks)
    this.#position = add(start, ticks)
    if (last.kind === 'note') this.#holdNote(last, start, this.#position)
    else last.end = this.#position
  }

  #holdNote(note: ScoreNote, from: Fraction, until: Fraction): void {
    note.end = until
    if ((note.later.at(-1)?.voice ?? note.voice) !== this.#state.voice) {
      note.later.push({ at: from, voice: this.#state.voice })
    }
  }

  #control(body: ReturnType<typeof applyDefinition>, offset: number): void {
    if (body === null) return
    this.#items.push({ kind: 'control', at: this.#position, body })
    if (body.type === 'tempo') this.#tempos.push({ at: this.#position, tempo: this.#state.tempo, offset })
  }

  #shiftOctave(by: number, at: number): void {
    const isPyxelNative = this.#state.mode === 'pyxel' && this.#state.profile === 'native'
    const [lowest, highest] = isPyxelNative ? [-1, 9] : [0, 7]
    const octave = this.#state.octave + by
    if (octave < lowest || octave > highest) this.#warnings.octave(at, octave, lowest, highest)
    else this.#state.octave = octave
  }

  #stepVolume(delta: number, at: number): void {
    const { voice } = this.#state
    this.#state.voice = { ...voice, volume: Math.min(15, Math.max(0, voice.volume + delta)), volumeList: null }
    this.#control({ type: 'rel_volume', delta }, at)
  }

  /** All that came before only sets the scene. */
  #startHere(): void {
    const { tempo } = this.#state
    this.#items.length = 0
    this.#tempos.splice(0, this.#tempos.length, ...(this.#tempos.length > 0 ? [{ at: ZERO, tempo, offset: 0 }] : []))
    for (const [index, { left }] of this.#passes.entries()) this.#passes[index] = { left, start: ZERO }
    this.#position = ZERO
    this.#loopStart = this.#loopStart && ZERO
    this.#last = null
    this.#lastNote = null
  }
}
