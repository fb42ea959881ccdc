/**
 * One note as the changes of its channel's registers: its start, everything
 * that moves while it sounds, and its end.
 */
import { add, scale, subtract, toNumber } from '../score/fraction.ts'
import type { Fraction } from '../score/fraction.ts'
import { MIN_STEP_SECONDS } from '../limits.ts'
import { stepOf, toRegisters } from './modulation.ts'
import type { Manner, Moment, Registers } from './modulation.ts'
import type { ControlChange } from '../synth/performance.ts'
import { LOWEST_PULSE_TIMER } from '../synth/chip-tables.ts'
import { LAST_TIMER } from '../synth/pitch.ts'
import type { ScoreNote, Sweep, ScoreVoice } from '../score/score.ts'
import type { ChannelName, ChannelType } from '../language/sequence.ts'
import { FRAMES_PER_SECOND } from '../score/timing.ts'
import type { TempoMap } from '../score/timing.ts'

/** A note of the score in one pass of the loop: `offset` seconds later than it stands in the score. */
export interface PlayedNote {
  readonly note: ScoreNote
  readonly tempo: TempoMap
  readonly offset: Fraction
  readonly startSeconds: number
}

export interface NoteSetting {
  readonly name: ChannelName
  readonly type: ChannelType
  readonly manner: Manner
  /** Seconds: where the next note begins, or the end. */
  readonly until: number
  /** The channel's state before. */
  readonly last: ControlChange | null
}

/** The sweep unit is clocked by half frames. */
const HALF_FRAMES_PER_SECOND = 120

/** Yields the changes of one note and returns the channel's state after it. */
export function* performNote(played: PlayedNote, setting: NoteSetting): Generator<ControlChange, ControlChange | null> {
  const { note, startSeconds } = played
  const { until, type } = setting
  let { last } = setting
  const gate = Math.min(until, gateSeconds(played))
  const end = Math.min(until, endSeconds(played))
  let restart = type === 'pulse' && !note.legato
  for (const { atSeconds, registers } of soundingMoments(played, setting, gate, end)) {
    const change = toChange(atSeconds, registers, restart)
    if (restart || last === null || !isSameState(last, change)) {
      yield change
      last = change
    }
    restart = false
  }
  const isSilent = last === null || last.level === 0
  const meetsNext = note.joined || Math.max(gate, startSeconds) >= until
  if (!isSilent && last && !(meetsNext && end >= until)) {
    last = { ...last, atSeconds: Math.max(end > gate ? end : gate, last.atSeconds), level: 0, restart: false }
    yield last
  }
  return last
}

function toChange(atSeconds: number, { level, timer, duty, period }: Registers, restart: boolean): ControlChange {
  return { atSeconds, level, timer, duty, period, short: false, restart }
}

function isSameState(a: ControlChange, b: ControlChange): boolean {
  return a.level === b.level && a.timer === b.timer && a.duty === b.duty && a.period === b.period
}

function secondsAt({ tempo, offset }: PlayedNote, position: Fraction): number {
  return toNumber(add(offset, tempo.secondsAt(position)))
}

/** Where the note is let go. */
function gateSeconds(played: PlayedNote): number {
  const { note } = played
  const { gate } = note.voice
  if (note.joined) return secondsAt(played, note.end)
  const sounding = scale(subtract(note.end, note.start), gate.numerator || 1, gate.denominator)
  const plain = gate.numerator === 0 ? played.startSeconds : secondsAt(played, add(note.start, sounding))
  const cut = plain + gate.frames / FRAMES_PER_SECOND
  return Math.min(Math.max(cut, played.startSeconds), secondsAt(played, note.end))
}

/** Where the last trace of the note ends: a release list sounds to the end of the note, or of the k after it. */
function endSeconds(played: PlayedNote): number {
  const { note } = played
  if (note.voice.releaseVolume === null || note.joined) return gateSeconds(played)
  return secondsAt(played, note.released ?? note.end)
}

interface Sounding {
  readonly atSeconds: number
  readonly registers: Registers
}

/** Each stretch of the note with one voice, then what sounds after it is let go. */
function* soundingMoments(played: PlayedNote, setting: NoteSetting, gate: number, end: number): Generator<Sounding> {
  const { note, startSeconds } = played
  const starts = [{ at: startSeconds, voice: note.voice }]
  for (const { at, voice } of note.later ?? []) starts.push({ at: secondsAt(played, at), voice })
  for (const [index, { at, voice }] of starts.entries()) {
    const until = Math.min(gate, starts[index + 1]?.at ?? gate)
    if (at < until) yield* stretch(played, setting, voice, { from: at, until, gate: Number.POSITIVE_INFINITY })
  }
  if (end > gate) yield* stretch(played, setting, note.voice, { from: gate, until: end, gate })
}

interface Span {
  readonly from: number
  readonly until: number
  /** Where the note was let go. */
  readonly gate: number
}

function* stretch(played: PlayedNote, setting: NoteSetting, voice: ScoreVoice, span: Span): Generator<Sounding> {
  const { note } = played
  const { type, manner } = setting
  const sweep = type === 'pulse' ? voice.sweep : null
  const step = span.gate < span.until ? 'frames' : stepOf(note, voice, manner)
  const read = (at: number) => toRegisters(note, voice, type, manner, toMoment(played, at, span.gate))
  const swept = sweep && new SweptTimer(sweep, setting.name === 'Pulse1')
  const emit = (at: number, registers: Registers): Sounding => ({
    atSeconds: at,
    registers: swept ? swept.apply(registers) : muteHigh(registers, type),
  })
  yield emit(span.from, read(span.from))
  let nextLook = lookAfter(played, step, span.from)
  let nextSweep = swept ? span.from + swept.seconds : Number.POSITIVE_INFINITY
  for (;;) {
    const at = Math.min(nextLook, nextSweep)
    if (at >= span.until) return
    if (at === nextSweep) {
      swept?.clock()
      nextSweep += swept?.seconds ?? Number.POSITIVE_INFINITY
    }
    yield emit(at, read(at))
    if (at >= nextLook) nextLook = lookAfter(played, step, at)
  }
}

/** The first look after `at`: a whole number of frames, or of steps of ticks, from the start of the note. */
function lookAfter(played: PlayedNote, step: ReturnType<typeof stepOf>, at: number): number {
  if (step === null) return Number.POSITIVE_INFINITY
  const { startSeconds, tempo, note } = played
  if (step === 'frames') {
    return startSeconds + (Math.floor((at - startSeconds) * FRAMES_PER_SECOND + EPSILON) + 1) / FRAMES_PER_SECOND
  }
  const start = toNumber(note.start)
  const elapsed = tempo.tickAtSeconds(at - toNumber(played.offset)) - start
  const secondsPerTick = tempo.secondsPerTickAt(start + elapsed)
  const coarse = step * Math.max(1, Math.ceil(MIN_STEP_SECONDS / (secondsPerTick * step)))
  const next = start + (Math.floor(elapsed / coarse + EPSILON) + 1) * coarse
  return toNumber(played.offset) + tempo.secondsAtTick(next)
}

/** Added before a division is rounded down, so that 2.9999999 steps are 3. */
const EPSILON = 1e-6

function toMoment(played: PlayedNote, at: number, gate: number): Moment {
  const { note, tempo, startSeconds } = played
  const trackTicks = tempo.tickAtSeconds(at - toNumber(played.offset))
  const released = at - gate
  return {
    ticks: snap(trackTicks - toNumber(note.start)),
    trackTicks: snap(trackTicks),
    noteTicks: toNumber(note.end) - toNumber(note.start),
    frames: Math.floor((at - startSeconds) * FRAMES_PER_SECOND + EPSILON),
    releaseFrames: released < 0 ? -1 : Math.floor(released * FRAMES_PER_SECOND + EPSILON),
  }
}

/** The whole number of ticks that a detour over seconds has blurred. */
function snap(ticks: number): number {
  const whole = Math.round(ticks)
  return Math.abs(ticks - whole) < EPSILON ? whole : Math.max(0, ticks)
}

function muteHigh(registers: Registers, type: ChannelType): Registers {
  return type === 'pulse' && registers.timer < LOWEST_PULSE_TIMER ? { ...registers, level: 0 } : registers
}

/** The period as the sweep unit moves it; a new period written by anything else starts it anew. */
class SweptTimer {
  /** Seconds between two clocks. */
  readonly seconds: number
  readonly #sweep: Sweep
  readonly #isFirstPulse: boolean
  #written = -1
  #timer = 0

  constructor(sweep: Sweep, isFirstPulse: boolean) {
    this.#sweep = sweep
    this.#isFirstPulse = isFirstPulse
    this.seconds = sweep.divider / HALF_FRAMES_PER_SECOND
  }

  apply(registers: Registers): Registers {
    if (registers.timer !== this.#written) {
      this.#written = registers.timer
      this.#timer = registers.timer
    }
    return { ...registers, timer: this.#timer, level: this.#isMuted() ? 0 : registers.level }
  }

  clock(): void {
    if (this.#sweep.shift > 0 && !this.#isMuted()) this.#timer = Math.max(0, this.#target())
  }

  /** Pulse 1 subtracts in one's complement, and so one more. */
  #target(): number {
    const change = this.#timer >> this.#sweep.shift
    return this.#sweep.raises ? this.#timer - change - (this.#isFirstPulse ? 1 : 0) : this.#timer + change
  }

  #isMuted(): boolean {
    return this.#timer < LOWEST_PULSE_TIMER || this.#target() > LAST_TIMER
  }
}
