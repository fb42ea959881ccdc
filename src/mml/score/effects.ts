/**
 * The effect of each command on the state of its track, and the event it adds to
 * the note sequence. One function for each effect that takes no time; effects
 * that take time are in unroll-track.ts.
 */
import type { Definition } from '../language/ast.ts'
import type { Effect } from '../language/commands.ts'
import type { DefinitionTables, Table } from './definitions.ts'
import type { Fraction } from './fraction.ts'
import { toVelocity } from './score.ts'
import type { ControlBody, ScoreVoice } from './score.ts'
import type { ChannelType } from '../chip/channels.ts'
import type { ListDefinition } from '../language/curves.ts'
import type { Dialect, Profile } from '../language/dialect.ts'
import { QUARTER } from './timing.ts'
import type { Tempo } from './timing.ts'

export interface TrackState {
  readonly mode: Dialect
  readonly profile: Profile
  readonly channelType: ChannelType
  /** The gate value of a note that sounds to its end. */
  readonly gateDenominator: number
  octave: number
  transpose: number
  defaultTicks: Fraction
  tempo: Tempo
  voice: ScoreVoice
  /** Pyxel: the waveform selected last; null before the first selection. */
  tone: number | null
  /** Definitions of this track so far, then definitions of the whole text. */
  readonly tables: readonly DefinitionTables[]
}

type Values = readonly number[]

/** Null when the effect adds no event. */
type Apply = (state: TrackState, values: Values) => ControlBody | null

const NATIVE_OFF = 255
const NO_LIST: ListDefinition = { points: [], loop_points: [] }

export const EFFECTS: Partial<Readonly<Record<Effect, Apply>>> = {
  octave: (state, [octave = 4]) => {
    state.octave = octave
    return null
  },
  volume: (state, [volume = 0]) => {
    // The triangle has no volume; only the native driver takes 0 as silence.
    if (state.channelType === 'triangle' && state.profile === 'house') return null
    setVoice(state, { volume, ...(state.mode === 'ppmck' ? { volumeList: null } : {}) })
    return { type: 'volume', value: toVelocity(state.voice) }
  },
  duty: (state, [duty = 2]) => {
    setVoice(state, { duty, dutyList: null })
    return { type: 'duty', value: duty }
  },
  tone: (state, [tone = 0]) => {
    state.tone = tone > 3 ? 0 : tone
    if (state.tone === 0 || state.tone === 3) return null
    const duty = state.tone === 1 ? 2 : 1
    setVoice(state, { duty })
    return { type: 'duty', value: duty }
  },
  gate: (state, [amount = 0, frames = 0]) => {
    const { gateDenominator: denominator } = state
    const numerator = Math.min(amount, denominator)
    setVoice(state, { gate: { numerator, denominator, frames } })
    return state.mode === 'pyxel' ? null : { type: 'quantize', value: Math.round((8 * numerator) / denominator) }
  },
  gateFrames: (state, [frames = 0]) => {
    setVoice(state, { gate: { numerator: 1, denominator: 1, frames: -frames } })
    return { type: 'quantize', value: 8 }
  },
  tempo: (state, [bpm = 120]) => {
    state.tempo = { numerator: bpm, denominator: 1 }
    return { type: 'tempo', bpm }
  },
  frameTempo: (state, [length = 4, frames = 30]) => {
    // A whole note of 4 quarters in `length * frames` frames: 4 * 60 * 60 quarters a minute.
    state.tempo = { numerator: 14_400, denominator: length * frames }
    return { type: 'tempo', bpm: 14_400 / (length * frames) }
  },
  detune: (state, [written = 0]) => {
    const detune = state.mode === 'ppmck' && state.profile === 'native' && written === NATIVE_OFF ? 0 : written
    setVoice(state, { detune })
    return state.mode === 'pyxel' ? null : { type: 'detune', value: detune }
  },
  transpose: (state, [semitones = 0]) => {
    state.transpose = semitones
    return null
  },
  sweep: (state, [speed = 0, depth = 0]) => {
    setVoice(state, { sweep: state.profile === 'house' ? toHouseSweep(speed, depth) : toNativeSweep(speed, depth) })
    return { type: 'sweep', speed, depth }
  },
  volumeList: (state, [slot = 0]) => {
    setVoice(state, { volumeList: find(state, 'volume_envelopes', slot) })
    return { type: 'vol_envelope', slot, ...NO_LIST, is_definition: false }
  },
  dutyList: (state, [slot = 0]) => {
    setVoice(state, { dutyList: find(state, 'duty_envelopes', slot) })
    return { type: 'duty_envelope', slot, ...NO_LIST, is_definition: false }
  },
  pitchList: (state, [slot = 0]) => {
    const pitchList = find(state, 'pitch_envelopes', slot)
    setVoice(state, { pitchList })
    return { type: 'pitch_envelope', slot, ...NO_LIST, is_definition: false, is_off: pitchList === null }
  },
  noteList: (state, [slot = 0]) => {
    const noteList = find(state, 'note_envelopes', slot)
    setVoice(state, { noteList })
    return { type: 'note_envelope', slot, ...NO_LIST, is_definition: false, is_off: noteList === null }
  },
  lfo: (state, [slot = 0]) => {
    const lfo = find(state, 'lfos', slot)
    setVoice(state, { lfo })
    return { type: 'lfo', slot, ...NO_LFO, is_definition: false, is_off: lfo === null }
  },
  pitchListOff: (state) => {
    setVoice(state, { pitchList: null })
    return { type: 'pitch_envelope', slot: 0, ...NO_LIST, is_definition: false, is_off: true }
  },
  noteListOff: (state) => {
    setVoice(state, { noteList: null })
    return { type: 'note_envelope', slot: 0, ...NO_LIST, is_definition: false, is_off: true }
  },
  lfoOff: (state) => {
    setVoice(state, { lfo: null })
    return { type: 'lfo', slot: 0, ...NO_LFO, is_definition: false, is_off: true }
  },
  releaseVolume: (state, [slot = 0]) => {
    setVoice(state, { releaseVolume: find(state, 'volume_envelopes', slot) })
    return null
  },
  releaseDuty: (state, [slot = 0]) => {
    setVoice(state, { releaseDuty: find(state, 'duty_envelopes', slot) })
    return null
  },
  envelope: (state, [slot = 0]) => {
    const envelope = find(state, 'envelopes', slot)?.points ?? null
    setVoice(state, { envelope })
    return { type: 'envelope', slot, points: envelope ?? [] }
  },
  vibrato: (state, [slot = 0]) => {
    const vibrato = find(state, 'vibratos', slot)
    setVoice(state, { vibrato })
    return { type: 'vibrato', slot, params: vibrato ?? {} }
  },
  glide: (state, [slot = 0]) => {
    const glide = find(state, 'glides', slot)
    setVoice(state, { glide })
    return { type: 'glide', slot, params: glide ?? {} }
  },
  registerWrite: () => null,
}

const NO_LFO = { delay: 0, speed: 0, depth: 0, transition: 0 }

/** The event of a definition inside a track; a pyxel definition also selects its slot. */
export function applyDefinition(state: TrackState, definition: Definition): ControlBody | null {
  const { command, slot, points, loopPoints } = definition
  state.tables[0]?.add(definition)
  const list = { slot, points, loop_points: loopPoints, is_definition: true }
  switch (command.table) {
    case 'volume_envelopes':
      return { type: 'vol_envelope', ...list }
    case 'duty_envelopes':
      return { type: 'duty_envelope', ...list }
    case 'pitch_envelopes':
      return { type: 'pitch_envelope', ...list, is_off: false }
    case 'note_envelopes':
      return { type: 'note_envelope', ...list, is_off: false }
    case 'lfos': {
      const lfo = find(state, 'lfos', slot) ?? NO_LFO
      return { type: 'lfo', slot, ...lfo, is_definition: true, is_off: false }
    }
    default:
      return EFFECTS[command.effect]?.(state, [slot]) ?? null
  }
}

/** Changes the volume by steps within 0..15; ends a volume list, which would override it. */
export function stepVolume(state: TrackState, delta: number): ControlBody {
  const volume = Math.min(15, Math.max(0, state.voice.volume + delta))
  setVoice(state, { volume, volumeList: null })
  return { type: 'rel_volume', delta }
}

function setVoice(state: TrackState, change: Partial<ScoreVoice>): void {
  state.voice = { ...state.voice, ...change }
}

export function toInitialState(
  fixed: Pick<TrackState, 'mode' | 'profile' | 'channelType' | 'gateDenominator' | 'tables'>,
  tempo: Tempo,
): TrackState {
  const isPyxel = fixed.mode === 'pyxel'
  const voice: ScoreVoice = {
    volume: isPyxel ? 100 : 15,
    fullVolume: isPyxel ? 127 : 15,
    duty: 2,
    gate: isPyxel ? { numerator: 80, denominator: 100, frames: 0 } : { numerator: 8, denominator: 8, frames: 0 },
    detune: 0,
    sweep: null,
    volumeList: null,
    dutyList: null,
    pitchList: null,
    noteList: null,
    lfo: null,
    releaseVolume: null,
    releaseDuty: null,
    envelope: null,
    vibrato: null,
    glide: null,
  }
  return { ...fixed, octave: 4, transpose: 0, defaultTicks: QUARTER, tempo, voice, tone: null }
}

function find<T extends Table>(state: TrackState, table: T, slot: number) {
  for (const tables of state.tables) {
    const entry = tables.find(table, slot)
    if (entry !== undefined) return entry
  }
  return null
}

/** Speed 0 ends it; the sign of the depth is the direction. */
function toHouseSweep(speed: number, depth: number): ScoreVoice['sweep'] {
  return speed === 0 ? null : { divider: speed + 1, shift: Math.abs(depth), raises: depth > 0 }
}

/** The register `EPPP NSSS` as two numbers: the highest bit of the first enables, of the second raises. */
function toNativeSweep(speed: number, depth: number): ScoreVoice['sweep'] {
  return (speed & 8) === 0 ? null : { divider: (speed & 7) + 1, shift: depth & 7, raises: (depth & 8) !== 0 }
}
