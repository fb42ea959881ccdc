import { expect, test } from 'vitest'
import { toUnboundedTimer } from '../../src/mml/chip/pitch.ts'
import {
  cautions,
  changes,
  eventsOf,
  faults,
  frames,
  noteEvents,
  performanceOf,
  pyxel,
  score,
  sequenceOf,
  stateAt,
} from './support/played.ts'

const native = (text: string, options = {}) => pyxel(text, { profile: 'native', ...options })

const timer = (note: number) => toUnboundedTimer(note, 'pulse')

/** A register every so many ticks of 1/48 quarter, at 75 quarters a minute, where one of them is 1/60 s. */
const ticks = (text: string, register: 'level' | 'timer', count: number, from = 0) =>
  frames(native(`T75 Q100 @1 ${text}`), register, count, 'Pulse1', from / 60)

test('an envelope begins at its level, draws straight lines, and multiplies the volume', () => {
  expect(ticks('V127 @ENV1{0,4,127} L1 C', 'level', 6)).toEqual([2, 6, 9, 13, 15, 15])
  expect(ticks('V64 @ENV1{127,1,64} L1 C', 'level', 4).slice(1)).toEqual([4, 4, 4])
})

test('an envelope begins again with every note', () => {
  const levels = ticks('V127 @ENV1{127,1,0} C4 C4', 'level', 1, 48)
  expect(levels[0]).toBeGreaterThan(7)
})

test('a slot may be defined again, and one that is not defined is none', () => {
  const analysis = native('0: Q100 V127 @ENV1{0} C @ENV1{127} C @ENV1 C @ENV7 C @ENV0 C')
  expect(analysis.errors).toEqual([])
  const played = changes(analysis)
  expect([0.25, 0.75, 1.25, 1.75, 2.25].map((at) => stateAt(played, at).level)).toEqual([0, 15, 15, 15, 15])
})

test('a vibrato with a delay begins again with every note', () => {
  const swung = ticks('@VIB1{12,8,100} C4 C4', 'timer', 96)
  expect(swung.slice(0, 12).every((value) => value === timer(60))).toBe(true)
  expect(swung[14]).toBeLessThan(timer(60))
  expect(swung[18]).toBeGreaterThan(timer(60))
  expect(swung.slice(48)).toEqual(swung.slice(0, 48))
})

test('a vibrato without a delay runs on from note to note', () => {
  const swung = ticks('@VIB1{0,36,100} C4 C4', 'timer', 96)
  expect(swung.slice(36, 72)).toEqual(swung.slice(0, 36))
  expect(swung.slice(48, 84)).not.toEqual(swung.slice(0, 36))
})

test('a glide comes from below when negative, and * takes the note before and the length', () => {
  const slid = ticks('@GLI1{-1200,24} C4', 'timer', 30)
  expect(slid[0]).toBeGreaterThan(timer(49))
  expect(slid.slice(24)).toEqual(Array.from({ length: 6 }, () => timer(60)))
  const starred = native('T75 Q100 @1 C4 @GLI1{*,*} G4')
  expect(sequenceOf(starred).definitions.glides[1]).toEqual({ initial_offset_cents: null, duration_ticks: null })
  const up = frames(starred, 'timer', 48, 'Pulse1', 48 / 60)
  expect(up[0]).toBeGreaterThan(timer(60.2))
  expect(up[24]).toBeLessThan(timer(63.4))
  expect(up[23]).toBeGreaterThan(timer(63.6))
  expect(up[47]).toBeLessThan(timer(66.5))
})

test('letters in either case', () => {
  expect(score(native('0: t150 l8 o5 c+ d- r <b&16'))).toBe('0:73:96 96:73:96 288:71:144')
  expect(score(native('0: @env1{100} @vib1{1,2,3} @gli1{1,2} k1 y1 q50 v9 c'))).toBe('0:61:192')
})

test('octaves from -1 to 9', () => {
  const analysis = native('0: O-1 C O9 C')
  expect(score(analysis)).toBe('0:0:192 192:120:192')
  expect(faults(native('0: O10 C'))).toEqual(['SEMANTIC_VALUE_OUT_OF_RANGE 1:4'])
  expect(faults(native('0: O9 > C'))).toEqual(['SEMANTIC_VALUE_OUT_OF_RANGE 1:7'])
})

test('lengths with dots, on ties and on L, and a bare L', () => {
  expect(score(native('0: L4. C L8 C4&8. R4&8 L D'))).toBe('0:60:288 288:60:336 912:62:192')
})

test('& joins, with commands between; a rest cannot be joined', () => {
  const analysis = native('0: Q50 @1 C & V90 T120 C D & E F')
  expect(score(analysis)).toBe('0:60:384 384:62:192 576:64:192 768:65:192')
  expect(noteEvents(analysis).map(({ gate_time }) => gate_time)).toEqual([0.5, 1, 0.5, 0.5])
  expect(faults(native('0: C & R'))).toEqual(['SYNTAX_UNEXPECTED_TOKEN 1:8'])
})

test(']0 goes on for ever', () => {
  const analysis = native('0: [C]0')
  expect([score(analysis), cautions(analysis)]).toEqual(['0:60:192 192:60:192', ['SEMANTIC_UNSUPPORTED_FEATURE 1:6']])
  expect(eventsOf(analysis, 'Pulse1').at(-1)).toMatchObject({ type: 'repeat', repeat_count: 0 })
})

test('lengths divide 192, and a dot wants an even number of ticks', () => {
  expect(native('0: C192 C64 C3 C6.').errors).toEqual([])
  expect(faults(native('0: C5'))).toEqual(['SEMANTIC_VALUE_OUT_OF_RANGE 1:4'])
  expect(faults(native('0: L64. C C64. C32.. C16..'))).toEqual([
    'SEMANTIC_VALUE_OUT_OF_RANGE 1:4',
    'SEMANTIC_VALUE_OUT_OF_RANGE 1:11',
    'SEMANTIC_VALUE_OUT_OF_RANGE 1:16',
  ])
})

test('every note chooses its waveform, and with it its channel', () => {
  const analysis = native('0: @0 C @1 D @2 E @3 F @4 G')
  expect(analysis.errors).toEqual([])
  expect(score(analysis, 'Pulse1')).toBe('192:62:192 384:64:192')
  expect(score(analysis, 'Triangle')).toBe('0:60:192 768:67:192')
  expect(score(analysis, 'Noise')).toBe('576:65:192')
  expect(noteEvents(analysis).map(({ duty }) => duty)).toEqual([2, 1])
})

test('where two tracks want one channel, the later note cuts the earlier', () => {
  const played = changes(native('0: Q100 @0 C1\n2: Q100 R4 G4'), 'Triangle')
  expect(played.map(({ atSeconds, timer: value, level }) => [atSeconds, value, level])).toEqual([
    [0, toUnboundedTimer(60, 'triangle'), 15],
    [0.5, toUnboundedTimer(67, 'triangle'), 15],
    [1, toUnboundedTimer(67, 'triangle'), 0],
  ])
})

test('up to four lines without heads are the four channels, with a warning', () => {
  const analysis = native('T120 C\n\nD\nE')
  expect(cautions(analysis)).toEqual(['SEMANTIC_OUTSIDE_TRACK 1:1'])
  expect([score(analysis), score(analysis, 'Pulse2'), score(analysis, 'Triangle')]).toEqual([
    '0:60:192',
    '0:62:192',
    '0:64:192',
  ])
})

test('one string, or brackets over lines, are one channel', () => {
  expect(score(native('T120 [C\nD]2'))).toBe('0:60:192 192:62:192 384:60:192 576:62:192')
  expect(score(native('C\nC\nC\nC\nD'))).toContain('768:62:192')
})

test('the additions keep: heads, bars, signs of K', () => {
  const analysis = native('0: K+2 C | K-2 C\n1: C')
  expect([score(analysis), cautions(analysis)]).toEqual(['0:62:192 192:58:192', []])
})

test('noise is clocked by the frequency of its note', () => {
  const played = changes(native('3: Q100 O4 C O7 F O9 B'), 'Noise')
  expect([0.25, 0.75, 1.25].map((at) => stateAt(played, at).period)).toEqual([15, 12, 6])
})

test('each track has a tempo of its own', () => {
  expect(performanceOf(native('0: T60 C\n1: T240 C')).totalSeconds).toBe(1)
})

test('the older syntax gets a hint', () => {
  expect(native('0: C ~ C').errors[0]?.hint).toMatch(/older syntax/)
  expect(native('0: X1 C').errors[0]?.hint).toMatch(/older syntax/)
})

test('braces after a parameter command choose this profile', () => {
  expect(pyxel('0: @VIB1{1,2,3} C').profile).toBe('native')
  expect(pyxel('0: @VIB1 1 2 3 C').profile).toBe('house')
})

test('wrong numbers of parameters', () => {
  for (const text of ['@ENV1{127,1}', '@ENV1{128}', '@VIB1{1,2}', '@GLI1{1}', '@GLI1{1,-2}', '@VIB1{-1,2,3}']) {
    expect(faults(native(`0: ${text} C`)), text).toEqual(['SEMANTIC_VALUE_OUT_OF_RANGE 1:4'])
  }
  expect(faults(native('0: @ENV1{1,2 C'))).toEqual(['SYNTAX_UNEXPECTED_TOKEN 1:14'])
})
