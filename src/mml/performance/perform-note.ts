/**
 * One note as changes of its channel's registers: its start, every change while it
 * sounds, and its end.
 */
import { add, scale, subtract, toNumber } from '../score/fraction.ts'
import type { Fraction } from '../score/fraction.ts'
import { MIN_STEP_SECONDS } from '../limits.ts'
import { stepOf, toRegisters } from './modulation.ts'
import type { Convention, Moment, Registers } from './modulation.ts'
import type { ControlChange } from './performance.ts'
import { LOWEST_PULSE_TIMER } from '../chip/chip-tables.ts'
import { LAST_TIMER } from '../chip/pitch.ts'
import type { ScoreNote, Sweep, ScoreVoice } from '../score/score.ts'
import type { ChannelName, ChannelType } from '../chip/channels.ts'
import { FRAMES_PER_SECOND } from '../score/timing.ts'
import type { TempoMap } from '../score/timing.ts'

/** A note of the score in one pass of the loop: `offset` is the seconds added to its position in the score. */
export interface PerformedNote {
  readonly note: ScoreNote
  readonly tempo: TempoMap
  readonly offset: Fraction
  readonly startSeconds: number
}

interface NoteContext {
  readonly name: ChannelName
  readonly type: ChannelType
  readonly convention: Convention
  /** Seconds at which the next note or the end of the song cuts this note. */
  readonly until: number
  /** The channel's state before the note. */
  readonly last: ControlChange | null
}

/** The clock of the sweep unit. */
const HALF_FRAMES_PER_SECOND = 2 * FRAMES_PER_SECOND

/** Yields the changes of one note and returns the channel's state after it. */
export function* performNote(
  performed: PerformedNote,
  context: NoteContext,
): Generator<ControlChange, ControlChange | null> {
  const { note, startSeconds } = performed
  const { until, type } = context
  let { last } = context
  const gate = Math.min(until, gateSeconds(performed))
  const end = Math.min(until, endSeconds(performed))
  let restart = type === 'pulse' && !note.legato
  for (const { atSeconds, registers } of soundingMoments(performed, context, gate, end)) {
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

function secondsAt({ tempo, offset }: PerformedNote, position: Fraction): number {
  return toNumber(add(offset, tempo.secondsAt(position)))
}

/** Seconds at which the gate closes: the end of the note without its release. */
function gateSeconds(performed: PerformedNote): number {
  const { note } = performed
  const { gate } = note.voice
  if (note.joined) return secondsAt(performed, note.end)
  const sounding = scale(subtract(note.end, note.start), gate.numerator || 1, gate.denominator)
  const plain = gate.numerator === 0 ? performed.startSeconds : secondsAt(performed, add(note.start, sounding))
  const cut = plain + gate.frames / FRAMES_PER_SECOND
  return Math.min(Math.max(cut, performed.startSeconds), secondsAt(performed, note.end))
}

/** Seconds at which the note falls silent: a release list sounds to the end of the note, or of the `k` after it. */
function endSeconds(performed: PerformedNote): number {
  const { note } = performed
  if (note.voice.releaseVolume === null || note.joined) return gateSeconds(performed)
  return secondsAt(performed, note.released ?? note.end)
}

interface Sounding {
  readonly atSeconds: number
  readonly registers: Registers
}

/** Each range of the note with one voice, then its release. */
function* soundingMoments(
  performed: PerformedNote,
  context: NoteContext,
  gate: number,
  end: number,
): Generator<Sounding> {
  const { note, startSeconds } = performed
  const starts = [{ at: startSeconds, voice: note.voice }]
  for (const { at, voice } of note.later ?? []) starts.push({ at: secondsAt(performed, at), voice })
  for (const [index, { at, voice }] of starts.entries()) {
    const until = Math.min(gate, starts[index + 1]?.at ?? gate)
    if (at < until) yield* soundingRange(performed, context, voice, { from: at, until, gate: Number.POSITIVE_INFINITY })
  }
  if (end > gate) yield* soundingRange(performed, context, note.voice, { from: gate, until: end, gate })
}

interface Span {
  readonly from: number
  readonly until: number
  /** Where the gate closed; Infinity before that. */
  readonly gate: number
}

function* soundingRange(
  performed: PerformedNote,
  context: NoteContext,
  voice: ScoreVoice,
  span: Span,
): Generator<Sounding> {
  const { note } = performed
  const { type, convention } = context
  const sweep = type === 'pulse' ? voice.sweep : null
  const step = span.gate < span.until ? 'frames' : stepOf(note, voice, convention)
  const read = (at: number) => toRegisters(note, voice, type, convention, toMoment(performed, at, span.gate))
  const swept = sweep && new SweptTimer(sweep, context.name === 'Pulse1')
  const emit = (at: number, registers: Registers): Sounding => ({
    atSeconds: at,
    registers: swept ? swept.apply(registers) : muteHigh(registers, type),
  })
  yield emit(span.from, read(span.from))
  let nextUpdate = updateAfter(performed, step, span.from)
  let nextSweep = swept ? span.from + swept.seconds : Number.POSITIVE_INFINITY
  for (;;) {
    const at = Math.min(nextUpdate, nextSweep)
    if (at >= span.until) return
    if (at === nextSweep) {
      swept?.clock()
      nextSweep += swept?.seconds ?? Number.POSITIVE_INFINITY
    }
    yield emit(at, read(at))
    if (at >= nextUpdate) nextUpdate = updateAfter(performed, step, at)
  }
}

/** The first update after `at`: a whole number of frames, or of tick steps, from the start of the note. */
function updateAfter(performed: PerformedNote, step: ReturnType<typeof stepOf>, at: number): number {
  if (step === null) return Number.POSITIVE_INFINITY
  const { startSeconds, tempo, note } = performed
  if (step === 'frames') {
    return startSeconds + (Math.floor((at - startSeconds) * FRAMES_PER_SECOND + EPSILON) + 1) / FRAMES_PER_SECOND
  }
  const start = toNumber(note.start)
  const elapsed = tempo.tickAtSeconds(at - toNumber(performed.offset)) - start
  const secondsPerTick = tempo.secondsPerTickAt(start + elapsed)
  const coarse = step * Math.max(1, Math.ceil(MIN_STEP_SECONDS / (secondsPerTick * step)))
  const next = start + (Math.floor(elapsed / coarse + EPSILON) + 1) * coarse
  return toNumber(performed.offset) + tempo.secondsAtTick(next)
}

/** Added before rounding down, so that 2.9999999 steps are 3. */
const EPSILON = 1e-6

function toMoment(performed: PerformedNote, at: number, gate: number): Moment {
  const { note, tempo, startSeconds } = performed
  const trackTicks = tempo.tickAtSeconds(at - toNumber(performed.offset))
  const released = at - gate
  return {
    ticks: snap(trackTicks - toNumber(note.start)),
    trackTicks: snap(trackTicks),
    noteTicks: toNumber(note.end) - toNumber(note.start),
    frames: Math.floor((at - startSeconds) * FRAMES_PER_SECOND + EPSILON),
    releaseFrames: released < 0 ? -1 : Math.floor(released * FRAMES_PER_SECOND + EPSILON),
  }
}

/** Removes the rounding error of a conversion to seconds and back: less than EPSILON from a whole tick is that tick. */
function snap(ticks: number): number {
  const whole = Math.round(ticks)
  return Math.abs(ticks - whole) < EPSILON ? whole : Math.max(0, ticks)
}

function muteHigh(registers: Registers, type: ChannelType): Registers {
  return type === 'pulse' && registers.timer < LOWEST_PULSE_TIMER ? { ...registers, level: 0 } : registers
}

/** The period under the sweep unit; a period written by anything else restarts it. */
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

  /** Pulse 1 subtracts in one's complement, which is one more. */
  #target(): number {
    const change = this.#timer >> this.#sweep.shift
    return this.#sweep.raises ? this.#timer - change - (this.#isFirstPulse ? 1 : 0) : this.#timer + change
  }

  #isMuted(): boolean {
    return this.#timer < LOWEST_PULSE_TIMER || this.#target() > LAST_TIMER
  }
}
