import { expect, test } from 'vitest'
import { CPU_HZ } from '../../src/mml/chip/chip-tables.ts'
import { toUnboundedTimer } from '../../src/mml/chip/pitch.ts'
import { CHANNELS, CHANNEL_TYPES } from '../../src/mml/chip/channels.ts'
import type { ChannelName } from '../../src/mml/chip/channels.ts'
import type { Definitions } from '../../src/mml/language/curves.ts'
import type { Dialect } from '../../src/mml/language/dialect.ts'
import type { ComposedMml } from '../../src/mml/compose.ts'
import { analyse, changes, eventsOf, noteEvents, performanceOf, sequenceOf, stateAt } from './support/played.ts'
import cases from './reference-cases.json'

interface Fault {
  readonly code: string
  readonly line?: number
  readonly column?: number
}

interface ChannelExpectation {
  readonly note_count: number
  readonly octave_range: readonly number[]
  readonly duration_ticks: number
  readonly notes?: readonly (readonly [number, number, number])[]
  readonly note_params?: readonly (readonly number[])[]
  readonly control_event_types?: readonly string[]
}

interface Tone {
  readonly channel: ChannelName
  readonly midi: number
  readonly detune_cents: number
  readonly ideal_hz: number
  readonly timer: number
  readonly hz: number
  readonly cents_error: number
  readonly clamped?: boolean
}

interface Expectation {
  readonly valid?: boolean
  readonly errors?: readonly Fault[]
  readonly errors_any_of?: readonly string[]
  readonly forbidden_codes?: readonly string[]
  readonly warning_codes?: readonly string[]
  readonly warnings_optional?: boolean
  readonly profile?: string
  readonly channels?: Partial<Record<ChannelName, ChannelExpectation>>
  readonly ignore_midi_channels?: readonly string[]
  readonly tick_tolerance?: number
  readonly note_fields?: readonly Record<string, unknown>[]
  readonly events_must_include?: readonly Record<string, unknown>[]
  readonly tones?: readonly Tone[]
  readonly tempo_map?: readonly (readonly [number, number])[]
  readonly total_ticks?: number
  readonly duration_sec?: number
  readonly duration_tol_sec?: number
  readonly legato?: readonly (readonly [ChannelName, number, number])[]
  readonly noise_period_indices?: readonly number[]
  readonly loop?: { readonly start_tick: number; readonly end_tick: number }
  readonly definition_slots?: Readonly<Record<string, readonly number[]>>
  readonly definitions_semantic?: Readonly<Record<string, Record<string, unknown>>>
}

interface Case {
  readonly name: string
  readonly mode: Dialect
  readonly mml?: string
  readonly generated?: {
    prefix: string
    unit: string
    count: number
    mid?: string
    unit2?: string
    count2?: number
    suffix: string
  }
  readonly expect: Expectation
}

type Judge<K extends keyof Expectation> = (
  analysis: ComposedMml,
  wanted: NonNullable<Expectation[K]>,
  all: Expectation,
) => void

/** Every key an expectation may have, and how it is judged. */
const JUDGES: { readonly [K in keyof Required<Expectation>]: Judge<K> } = {
  valid: ({ errors, sequence }, wanted) => {
    expect(errors.length === 0, JSON.stringify(errors.slice(0, 3))).toBe(wanted)
    expect(sequence !== null).toBe(wanted)
  },
  errors: ({ errors }, wanted) => {
    for (const fault of wanted) expect(errors).toContainEqual(expect.objectContaining(fault))
    if (wanted.length === 0) expect(errors).toEqual([])
  },
  errors_any_of: ({ errors }, wanted) => expect(errors.some(({ code }) => wanted.includes(code))).toBe(true),
  forbidden_codes: ({ errors }, wanted) => expect(errors.filter(({ code }) => wanted.includes(code))).toEqual([]),
  warning_codes: ({ warnings }, wanted) => {
    for (const code of wanted) expect(warnings.map((warning) => warning.code)).toContain(code)
  },
  warnings_optional: ({ warnings }, wanted) => expect(wanted || warnings.length > 0).toBe(true),
  profile: (analysis, wanted) => expect(analysis.profile).toBe(wanted),
  channels: judgeChannels,
  ignore_midi_channels: (_, wanted) => expect(CHANNELS).toEqual(expect.arrayContaining([...wanted])),
  tick_tolerance: (_, wanted) => expect(wanted).toBeGreaterThanOrEqual(0),
  note_fields: (analysis, wanted) => {
    for (const { channel, index, ...fields } of wanted) {
      expect(noteEvents(analysis, channel as ChannelName)[Number(index)]).toMatchObject(fields)
    }
  },
  events_must_include: (analysis, wanted) => {
    for (const { channel, ...fields } of wanted) {
      expect(eventsOf(analysis, channel as ChannelName)).toContainEqual(expect.objectContaining(fields))
    }
  },
  tones: judgeTones,
  tempo_map: (analysis, wanted) => expect(tempoMap(analysis)).toEqual(wanted),
  total_ticks: (analysis, wanted, { tick_tolerance: tolerance = 0 }) => {
    const totals = CHANNELS.map((name) => sequenceOf(analysis).channels[name].total_ticks)
    expect(Math.abs(Math.max(...totals) - wanted)).toBeLessThanOrEqual(tolerance)
  },
  duration_sec: (analysis, wanted, { duration_tol_sec: tolerance = 0 }) => {
    expect(Math.abs(performanceOf(analysis).totalSeconds - wanted)).toBeLessThanOrEqual(tolerance)
  },
  duration_tol_sec: (_, wanted) => expect(wanted).toBeLessThanOrEqual(0.002),
  legato: judgeLegato,
  noise_period_indices: (analysis, wanted, all) => {
    const played = changes(analysis, 'Noise')
    const periods = noteEvents(analysis, 'Noise').map((note) => stateAt(played, middleOf(note, all)).period)
    expect(periods).toEqual(wanted)
  },
  loop: (analysis, wanted, all) => {
    const { loop } = performanceOf(analysis)
    expect(loop?.startSeconds).toBeCloseTo(secondsAt(wanted.start_tick, all), 9)
    expect(loop?.endSeconds).toBeCloseTo(secondsAt(wanted.end_tick, all), 9)
  },
  definition_slots: (analysis, wanted) => {
    for (const [table, slots] of Object.entries(wanted)) {
      const found = Object.keys(sequenceOf(analysis).definitions[table as keyof Definitions])
      expect(found.map(Number)).toEqual(slots)
    }
  },
  definitions_semantic: judgeDefinitions,
}

function judgeChannels(analysis: ComposedMml, wanted: NonNullable<Expectation['channels']>, all: Expectation): void {
  const tolerance = all.tick_tolerance ?? 0
  for (const [key, channel] of Object.entries(wanted)) {
    const name = key as ChannelName
    const notes = noteEvents(analysis, name)
    const ignoresMidi = all.ignore_midi_channels?.includes(name) === true
    const summary = analysis.channelSummary.find((line) => line.channel === name)
    expect(summary?.note_count).toBe(channel.note_count)
    expect(notes).toHaveLength(channel.note_count)
    if (!ignoresMidi) expect(summary?.octave_range).toEqual(channel.octave_range)
    expect(Math.abs((summary?.duration_ticks ?? -1) - channel.duration_ticks)).toBeLessThanOrEqual(tolerance)
    for (const [index, [tick, midi, duration]] of (channel.notes ?? []).entries()) {
      const note = notes[index]
      expect(Math.abs((note?.tick_position ?? -9) - tick)).toBeLessThanOrEqual(tolerance)
      expect(Math.abs((note?.duration ?? -9) - duration)).toBeLessThanOrEqual(tolerance)
      if (!ignoresMidi) expect(note?.note_number).toBe(midi)
    }
    if (channel.note_params) expect(paramsOf(notes)).toEqual(new Set(channel.note_params.map((line) => line.join(' '))))
    if (channel.control_event_types) judgeControls(analysis, name, channel.control_event_types)
  }
}

function paramsOf(notes: ReturnType<typeof noteEvents>): Set<string> {
  return new Set(notes.map((note) => [note.velocity, note.duty, note.gate_time, note.detune_cents].join(' ')))
}

/** Native track groups give a command to every track of the group, so there more may be seen than is asked for. */
function judgeControls(analysis: ComposedMml, name: ChannelName, wanted: readonly string[]): void {
  const found = new Set(
    eventsOf(analysis, name)
      .map(({ type }) => type)
      .filter((type) => type !== 'note' && type !== 'rest'),
  )
  if (analysis.profile === 'native') expect([...found]).toEqual(expect.arrayContaining([...wanted]))
  else expect(found).toEqual(new Set(wanted))
}

const MOVES_PITCH = ['lfo', 'pitch_envelope', 'note_envelope', 'vibrato', 'glide', 'sweep']

function judgeTones(analysis: ComposedMml, wanted: readonly Tone[], all: Expectation): void {
  for (const tone of wanted) {
    const type = CHANNEL_TYPES[tone.channel]
    const unbounded = toUnboundedTimer(tone.midi + tone.detune_cents / 100, type)
    expect(Math.min(2047, unbounded)).toBe(tone.timer)
    expect(unbounded > 2047).toBe(tone.clamped === true)
    const hz = CPU_HZ / ((type === 'triangle' ? 32 : 16) * (tone.timer + 1))
    expect(hz).toBeCloseTo(tone.hz, 3)
    expect(Math.abs(1200 * Math.log2(hz / tone.ideal_hz) - tone.cents_error)).toBeLessThan(0.02)
    const events = eventsOf(analysis, tone.channel)
    if (events.some((event) => MOVES_PITCH.includes(event.type))) continue
    const played = changes(analysis, tone.channel)
    const notes = noteEvents(analysis, tone.channel).filter(
      (note) => note.note_number === tone.midi && note.detune_cents === tone.detune_cents,
    )
    expect(notes.length).toBeGreaterThan(0)
    for (const note of notes) expect(stateAt(played, middleOf(note, all)).timer).toBe(tone.timer)
  }
}

/** Both sound, nothing is silent between them, and the second is no new attack. */
function judgeLegato(analysis: ComposedMml, wanted: NonNullable<Expectation['legato']>, all: Expectation): void {
  for (const [channel, from, to] of wanted) {
    const notes = noteEvents(analysis, channel)
    const start = secondsAt(notes[to]?.tick_position ?? -1, all)
    const around = changes(analysis, channel).filter(({ atSeconds }) => Math.abs(atSeconds - start) < 0.01)
    expect(notes[from]?.gate_time).toBe(1)
    expect(notes[from]?.note_number).not.toBe(notes[to]?.note_number)
    expect(around).toHaveLength(1)
    expect(around[0]).toMatchObject({ restart: false })
    expect(around[0]?.level).toBeGreaterThan(0)
  }
}

function judgeDefinitions(analysis: ComposedMml, wanted: NonNullable<Expectation['definitions_semantic']>): void {
  const { envelopes, vibratos, glides } = sequenceOf(analysis).definitions
  for (const [name, fields] of Object.entries(wanted)) {
    const slot = Number(name.replace(/\D/g, ''))
    if (name.startsWith('envelope')) {
      const [initial, ...rest] = envelopes[slot]?.points ?? []
      expect(initial).toEqual({ target_volume: fields['initial'], duration_ticks: 0 })
      const segments = rest.map((point) => ({ ticks192: point.duration_ticks, level: point.target_volume }))
      expect(segments).toEqual(fields['segments'])
    } else if (name.startsWith('vibrato')) {
      expect(vibratos[slot]).toEqual({
        delay_ticks: fields['delay_ticks192'],
        period_ticks: fields['period_ticks192'],
        depth_cents: fields['depth_cents'],
      })
    } else {
      expect(name).toMatch(/^glide/)
      expect(glides[slot]).toEqual({ initial_offset_cents: fields['offset_cents'], duration_ticks: fields['ticks192'] })
    }
  }
}

function tempoMap(analysis: ComposedMml): (readonly [number, number])[] {
  const map = new Map([[0, 120]])
  for (const name of CHANNELS) {
    for (const event of eventsOf(analysis, name)) if (event.type === 'tempo') map.set(event.tick_position, event.bpm)
  }
  return [...map].sort(([a], [b]) => a - b)
}

/** Worked out from the expected tempo map, and so independent of what is judged. */
function secondsAt(tick: number, { tempo_map: tempos = [] }: Expectation): number {
  let seconds = 0
  for (const [index, [from, bpm]] of tempos.entries()) {
    const until = Math.min(tick, tempos[index + 1]?.[0] ?? tick)
    if (until > from) seconds += ((until - from) * 60) / (bpm * 192)
  }
  return seconds
}

/** A moment well inside the sounding part of the shortest gate. */
function middleOf(note: { tick_position: number; duration: number }, all: Expectation): number {
  return secondsAt(note.tick_position + note.duration * 0.05, all)
}

function textOf({ mml, generated }: Case): string {
  if (mml !== undefined) return mml
  if (generated === undefined) throw new Error('a case without a text')
  const { prefix, unit, count, mid = '', unit2 = '', count2 = 0, suffix } = generated
  return prefix + unit.repeat(count) + mid + unit2.repeat(count2) + suffix
}

const texts = (cases as unknown as (Case & { call?: unknown })[]).filter(({ call }) => call === undefined)

test('Every case but those of the tool itself is a text.', () => {
  expect(texts).toHaveLength(cases.length - 1)
})

test.each(texts.map((row) => [row.name, row] as const))(
  'The reference case "%s" has the expected result.',
  (_, row) => {
    const analysis = analyse(row.mode, textOf(row))
    for (const [key, wanted] of Object.entries(row.expect)) {
      const judge = JUDGES[key as keyof Expectation] as Judge<never> | undefined
      if (judge === undefined) throw new Error(`nothing judges ${key}`)
      judge(analysis, wanted as never, row.expect)
    }
  },
)
