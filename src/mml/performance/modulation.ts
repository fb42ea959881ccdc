/**
 * The register values of a channel at a moment of a note: lists, vibratos, glides
 * and envelopes as pure functions of the time since the note began. House texts
 * count in ticks and cents, native ppmck in frames and units of the period
 * register.
 */
import { boundTimer, nearestNoisePeriod, toUnboundedTimer } from '../chip/pitch.ts'
import { toVelocity } from '../score/score.ts'
import type { ScoreNote, ScoreVoice } from '../score/score.ts'
import type { ChannelType } from '../chip/channels.ts'
import type { EnvelopePoint, ListDefinition } from '../language/curves.ts'

/** Dialect and profile together decide the units and rules of modulations. */
export type Convention = 'housePpmck' | 'nativePpmck' | 'housePyxel' | 'nativePyxel'

export interface Moment {
  /** Ticks since the note began, since its track began, and of the whole note. */
  readonly ticks: number
  readonly trackTicks: number
  readonly noteTicks: number
  /** Frames of 1/60 s since the note began, and since its gate closed (-1 before that). */
  readonly frames: number
  readonly releaseFrames: number
}

export interface Registers {
  readonly level: number
  readonly timer: number
  readonly duty: number
  readonly period: number
}

/** House lists advance every 48 ticks: 125 ms at 120 quarter notes a minute. */
const TICKS_PER_LIST_STEP = 48

/** House ppmck noise has one pitch. */
const HOUSE_NOISE_PERIOD = 8

export function toRegisters(
  note: ScoreNote,
  voice: ScoreVoice,
  type: ChannelType,
  convention: Convention,
  moment: Moment,
): Registers {
  const level = toLevel(voice, convention, moment)
  if (type === 'noise') return { level, timer: 0, duty: 0, period: toNoisePeriod(note, voice, convention, moment) }
  const timer = toTimer(note, voice, type, convention, moment)
  if (type === 'triangle')
    return {
      level: level > 0 || convention === 'housePpmck' || convention === 'housePyxel' ? 15 : 0,
      timer,
      duty: 0,
      period: 0,
    }
  return { level, timer, duty: toDuty(voice, convention, moment), period: 0 }
}

function toLevel(voice: ScoreVoice, convention: Convention, moment: Moment): number {
  if (moment.releaseFrames >= 0) return voice.releaseVolume ? valueAt(voice.releaseVolume, moment.releaseFrames) : 0
  if (voice.volumeList) return valueAt(voice.volumeList, listIndex(convention, moment))
  if (voice.envelope === null) return toVelocity(voice)
  const shaped =
    convention === 'nativePyxel'
      ? (voice.volume * curveAt(voice.envelope, 127, moment.ticks)) / 127
      : curveAt(voice.envelope, voice.volume, moment.ticks)
  return Math.round((shaped * 15) / 127)
}

function toDuty(voice: ScoreVoice, convention: Convention, moment: Moment): number {
  if (moment.releaseFrames >= 0 && voice.releaseDuty) return valueAt(voice.releaseDuty, moment.releaseFrames)
  return voice.dutyList ? valueAt(voice.dutyList, listIndex(convention, moment)) : voice.duty
}

function toNoisePeriod(note: ScoreNote, voice: ScoreVoice, convention: Convention, moment: Moment): number {
  if (convention === 'housePpmck') return HOUSE_NOISE_PERIOD
  if (convention === 'housePyxel') return Math.min(15, Math.max(0, 15 - Math.floor(note.note / 8)))
  if (convention === 'nativePyxel') return nearestNoisePeriod(note.note)
  const moved = voice.noteList ? sumAt(voice.noteList, moment.frames) : 0
  return ((note.pitch.noise ?? 0) + moved) & 15
}

function toTimer(
  note: ScoreNote,
  voice: ScoreVoice,
  type: ChannelType,
  convention: Convention,
  moment: Moment,
): number {
  const { slideTo, timer } = note.pitch
  const slide = slideTo === null ? 0 : (slideTo - note.note) * progress(moment)
  if (convention === 'nativePpmck') {
    const semitones = (voice.noteList ? sumAt(voice.noteList, moment.frames) : 0) + slide
    const units =
      voice.detune + (voice.pitchList ? sumAt(voice.pitchList, moment.frames) : 0) + lfoAt(voice, moment.frames)
    const plain = timer ?? toUnboundedTimer(note.note + semitones, type)
    return boundTimer(boundTimer(plain) - units)
  }
  const index = listIndex(convention, moment)
  const semitones = voice.noteList ? valueAt(voice.noteList, index) : 0
  const listed = voice.pitchList ? valueAt(voice.pitchList, index) : 0
  const cents =
    voice.detune +
    listed +
    lfoAt(voice, moment.ticks) +
    vibratoAt(voice, convention, moment) +
    glideAt(note, voice, moment)
  return boundTimer(toUnboundedTimer(note.note + slide + semitones + cents / 100, type))
}

function progress({ ticks, noteTicks }: Moment): number {
  return noteTicks === 0 ? 1 : Math.min(1, ticks / noteTicks)
}

function listIndex(convention: Convention, { ticks, frames }: Moment): number {
  return convention === 'nativePpmck' ? frames : Math.floor(ticks / TICKS_PER_LIST_STEP)
}

/** `speed` is a quarter of the period. The convention decides all units. */
function lfoAt({ lfo }: ScoreVoice, elapsed: number): number {
  if (lfo === null || lfo.speed === 0 || elapsed < lfo.delay) return 0
  return lfo.depth * triangleWave((elapsed - lfo.delay) / (4 * lfo.speed))
}

/** Native pyxel: without a delay the phase continues from note to note. */
function vibratoAt({ vibrato }: ScoreVoice, convention: Convention, { ticks, trackTicks }: Moment): number {
  if (vibrato === null || vibrato.period_ticks === 0) return 0
  const isContinuous = convention === 'nativePyxel' && vibrato.delay_ticks === 0
  const elapsed = isContinuous ? trackTicks : ticks - vibrato.delay_ticks
  return elapsed < 0 ? 0 : vibrato.depth_cents * triangleWave(elapsed / vibrato.period_ticks)
}

function glideAt(note: ScoreNote, { glide }: ScoreVoice, { ticks, noteTicks }: Moment): number {
  if (glide === null) return 0
  const offset = glide.initial_offset_cents ?? ((note.pitch.previous ?? note.note) - note.note) * 100
  const duration = glide.duration_ticks ?? noteTicks
  return ticks < duration ? offset * (1 - ticks / duration) : 0
}

/** From 0 up to 1, down to -1 and back to 0, once while `phase` rises by 1. */
function triangleWave(phase: number): number {
  const turn = phase - Math.floor(phase)
  if (turn < 0.25) return turn * 4
  return turn < 0.75 ? 2 - turn * 4 : turn * 4 - 4
}

/** Linear from level to level, the last one held. */
function curveAt(points: readonly EnvelopePoint[], from: number, ticks: number): number {
  let level = from
  let left = ticks
  for (const { target_volume: target, duration_ticks: duration } of points) {
    if (left < duration) return level + ((target - level) * left) / duration
    left -= duration
    level = target
  }
  return level
}

/** The value at a step: the list, then its loop repeated, or its last value held. */
function valueAt({ points, loop_points: loop }: ListDefinition, step: number): number {
  if (step < points.length) return points[step] ?? 0
  if (loop.length === 0) return points.at(-1) ?? 0
  return loop[(step - points.length) % loop.length] ?? 0
}

/** The sum of all values up to and including a step; without a loop nothing is added after the last. */
function sumAt({ points, loop_points: loop }: ListDefinition, step: number): number {
  const inLoop = loop.length === 0 ? 0 : Math.max(0, step + 1 - points.length)
  const rounds = loop.length === 0 ? 0 : Math.floor(inLoop / loop.length)
  return sum(points, step + 1) + rounds * sum(loop, loop.length) + sum(loop, inLoop - rounds * loop.length)
}

function sum(values: readonly number[], count: number): number {
  let total = 0
  for (let index = 0; index < Math.min(count, values.length); index++) total += values[index] ?? 0
  return total
}

/** Ticks between two updates, `frames` for one update a frame, or null when the note is constant. */
export function stepOf(note: ScoreNote, voice: ScoreVoice, convention: Convention): number | 'frames' | null {
  const { volumeList, dutyList, pitchList, noteList, lfo, envelope, vibrato, glide } = voice
  const hasLists = [volumeList, dutyList, pitchList, noteList].some((list) => list !== null)
  const moves = lfo !== null || envelope !== null || vibrato !== null || glide !== null || note.pitch.slideTo !== null
  if (convention === 'nativePpmck') return hasLists || moves ? 'frames' : null
  return moves ? 1 : hasLists ? TICKS_PER_LIST_STEP : null
}
