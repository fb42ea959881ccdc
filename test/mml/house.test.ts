import { expect, test } from 'vitest'
import { toUnboundedTimer } from '../../src/mml/chip/pitch.ts'
import type { ChannelName } from '../../src/mml/chip/channels.ts'
import type { ComposedMml } from '../../src/mml/compose.ts'
import {
  changes,
  eventsOf,
  faults,
  noteEvents,
  performanceOf,
  ppmck,
  pyxel,
  score,
  sequenceOf,
  stateAt,
} from './support/played.ts'

const timer = (note: number) => toUnboundedTimer(note, 'pulse')

/** A register every 48 ticks at 120 quarters a minute, in the middle of the step. */
function steps(
  analysis: ComposedMml,
  register: 'level' | 'timer' | 'duty' | 'period',
  count: number,
  channel: ChannelName = 'Pulse1',
): number[] {
  const all = changes(analysis, channel)
  return Array.from({ length: count }, (_, step) => stateAt(all, (step + 0.5) * 0.125)[register])
}

/** A register every so many ticks at 120 quarters a minute, just after the tick. */
function atTicks(analysis: ComposedMml, register: 'level' | 'timer', ticks: readonly number[]): number[] {
  const all = changes(analysis)
  return ticks.map((tick) => stateAt(all, (tick + 0.01) / 384)[register])
}

test('Lists advance every 48 ticks.', () => {
  const text = '@v1={15,12|7,9}\n@1={0,1|3}\nA @v1 @@1 c1'
  expect(steps(ppmck(text), 'level', 6)).toEqual([15, 12, 7, 9, 7, 9])
  expect(steps(ppmck(text), 'duty', 5)).toEqual([0, 1, 3, 3, 3])
})

test('A list restarts with every note and keeps its last value.', () => {
  expect(steps(ppmck('@v1={15,3}\nA @v1 c8. c8.'), 'level', 6)).toEqual([15, 3, 3, 15, 3, 3])
})

test('A note list gives semitones above the note.', () => {
  expect(steps(ppmck('@EN1={0,4,7}\nA EN1 c1'), 'timer', 4)).toEqual([60, 64, 67, 67].map(timer))
})

test('A pitch list, D and a vibrato count in cents.', () => {
  expect(steps(ppmck('@EP1={100,-100}\nA EP1 c1'), 'timer', 2)).toEqual([61, 59].map(timer))
  expect(steps(ppmck('A D100 c1'), 'timer', 1)).toEqual([timer(61)])
  const swung = atTicks(ppmck('@MP1={48,24,100,0}\nA MP1 c1'), 'timer', [0, 47, 48, 72, 96, 120, 144])
  expect(swung).toEqual([60, 60, 60, 61, 60, 59, 60].map(timer))
})

test('The later of v and @v applies, and v+ ends a list.', () => {
  expect(steps(ppmck('@v1={3}\nA @v1 v9 c'), 'level', 1)).toEqual([9])
  expect(steps(ppmck('@v1={3}\nA v9 @v1 c'), 'level', 1)).toEqual([3])
  expect(steps(ppmck('A v5 v+10 c'), 'level', 1)).toEqual([15])
  expect(steps(ppmck('@v1={3}\nA v5 @v1 v+2 c'), 'level', 1)).toEqual([7])
})

test('The command @ ends a duty list.', () => {
  expect(steps(ppmck('@1={0}\nA @@1 @3 c'), 'duty', 1)).toEqual([3])
})

test('A sweep moves the period at its own clock.', () => {
  const down = changes(ppmck('A s3,-2 c1'))
  expect(down.slice(0, 2).map(({ atSeconds, timer: value }) => [atSeconds, value])).toEqual([
    [0, 427],
    [4 / 120, 427 + 106],
  ])
  const up = changes(ppmck('B s3,2 c1'), 'Pulse2')
  expect(up[1]?.timer).toBe(427 - 106)
  expect(changes(ppmck('A s3,2 s0,1 c1'))).toHaveLength(1)
})

test('Low pulse notes sound without a sweep.', () => {
  expect(stateAt(changes(ppmck('A o1 a')), 0.1)).toMatchObject({ level: 15, timer: 2033 })
})

test('The gate cuts the last part of a note, in eighths and in percent.', () => {
  const offAt = (analysis: ComposedMml) => changes(analysis).find(({ level }) => level === 0)?.atSeconds
  expect(offAt(ppmck('A q4 c r'))).toBeCloseTo(0.25, 9)
  expect(offAt(pyxel('0: Q60 C R'))).toBeCloseTo(0.3, 9)
  expect(offAt(ppmck('A q4 c^4 r'))).toBeCloseTo(0.5, 9)
})

test('Every note restarts its pulse, a tied one does not.', () => {
  expect(changes(ppmck('A c c&c c')).filter(({ restart }) => restart)).toHaveLength(3)
})

test('The triangle ignores volume.', () => {
  const analysis = ppmck('T v3 c')
  expect(changes(analysis, 'Triangle')[0]).toMatchObject({ level: 15, timer: toUnboundedTimer(60, 'triangle') })
  expect(noteEvents(analysis, 'Triangle')[0]?.velocity).toBe(15)
})

test('Noise has period 8 in ppmck, and follows the note in pyxel.', () => {
  expect(steps(ppmck('N c'), 'period', 1, 'Noise')).toEqual([8])
  expect(steps(pyxel('3: Q100 L8 O0 C O4 C O7 B'), 'period', 5, 'Noise')).toEqual([14, 14, 8, 8, 2])
})

test('A volume curve is linear from V on, then constant.', () => {
  const levels = atTicks(pyxel('0: Q100 V127 @ENV1 0 96 127 48 C1'), 'level', [0, 24, 48, 72, 96, 120, 144, 400])
  expect(levels).toEqual([15, 11, 8, 4, 0, 8, 15, 15])
})

test('A vibrato starts at the pitch, rising, after its delay.', () => {
  const swung = atTicks(pyxel('0: Q100 @VIB1 48 96 100 C1'), 'timer', [0, 47, 48, 72, 96, 120, 144])
  expect(swung).toEqual([60, 60, 60, 61, 60, 59, 60].map(timer))
})

test('A glide starts away from the note and arrives in time.', () => {
  const slid = atTicks(pyxel('0: Q100 @GLI1 200 96 C1'), 'timer', [0, 48, 96, 300])
  expect(slid).toEqual([62, 61, 60, 60].map(timer))
})

test('Selecting slot 0 ends a curve, a vibrato or a glide.', () => {
  const analysis = pyxel('0: Q100 V127 @ENV1 0 0 @VIB1 0 8 99 @GLI1 99 900 @ENV0 @VIB0 @GLI0 C1')
  expect(changes(analysis)).toMatchObject([{ level: 15, timer: timer(60) }])
})

test('Positions are rounded, lengths are not.', () => {
  expect(score(ppmck('A l7 c d e f g a b > c'))).toBe(
    '0:60:110 110:62:109 219:64:110 329:65:110 439:67:110 549:69:109 658:71:110 768:72:110',
  )
  expect(sequenceOf(ppmck('A [c9]81')).channels.Pulse1.total_ticks).toBe(768 * 9)
})

test('Dots apply to default lengths and ties.', () => {
  expect(score(ppmck('A l4. c l8 d^8. e&8. f'))).toBe('0:60:288 288:62:240 528:64:240 768:65:96')
})

test('Ties and slurs continue across commands.', () => {
  expect(score(ppmck('A c4 v7 ^8 d&>d e^ t90 e f'))).toBe('0:60:288 288:62:192 480:74:192 672:76:384 1056:77:192')
})

test('A change of voice inside a held note applies at once.', () => {
  expect(steps(ppmck('A v15 c4 v7 ^4'), 'level', 8)).toEqual([15, 15, 15, 15, 7, 7, 7, 7])
})

test('Definitions are allowed inside repeats.', () => {
  expect(ppmck('A [@v1={9} @v1 c]3').errors).toEqual([])
})

test('Definitions in a track are events, those before it are not.', () => {
  const analysis = ppmck('@v1={15|8}\nA @v2={3,2|1} @v2 c')
  const list = eventsOf(analysis, 'Pulse1').filter(({ type }) => type === 'vol_envelope')
  expect(list).toEqual([
    { type: 'vol_envelope', tick_position: 0, slot: 2, points: [3, 2], loop_points: [1], is_definition: true },
    { type: 'vol_envelope', tick_position: 0, slot: 2, points: [], loop_points: [], is_definition: false },
  ])
  expect(sequenceOf(analysis).definitions.volume_envelopes).toEqual({
    1: { points: [15], loop_points: [8] },
    2: { points: [3, 2], loop_points: [1] },
  })
})

test('The field type is the first of every event.', () => {
  const analysis = ppmck('@MP1={1,2,3,0}\nA t90 v9 @1 q4 D3 s1,1 MP1 v+ [c r]2\nL r8')
  const events = eventsOf(analysis, 'Pulse1')
  expect(new Set(events.map(({ type }) => type)).size).toBe(11)
  for (const event of events) expect(Object.keys(event)[0]).toBe('type')
})

test('Volume of pyxel is scaled, and K is added to notes.', () => {
  const [note] = noteEvents(pyxel('0: V64 K-3 Y-7 Q33 C'))
  expect(note).toMatchObject({ velocity: 8, note_number: 57, detune_cents: -7, gate_time: 0.33 })
})

test('Every closing bracket adds a repeat event.', () => {
  const repeats = eventsOf(ppmck('A [[c8]2 d8]2'), 'Pulse1').filter(({ type }) => type === 'repeat')
  expect(repeats).toMatchObject([
    { start_tick: 0, end_tick: 192, repeat_count: 2, tick_position: 192, duration: 0 },
    { start_tick: 288, end_tick: 480, repeat_count: 2 },
    { start_tick: 0, end_tick: 576, repeat_count: 2 },
  ])
})

test('House tracks share one tempo, and at one moment the later channel wins.', () => {
  const analysis = ppmck('B t60 c c\nA t120 c c')
  expect(performanceOf(analysis).totalSeconds).toBe(2)
  expect(sequenceOf(analysis).bpm).toBe(120)
})

test('A loop is repeated as often as requested, for all tracks together.', () => {
  const analysis = ppmck('A c d e f\nB c\nL r', { loops: 3 })
  const { totalSeconds, loop, fadeSeconds } = performanceOf(analysis)
  expect([totalSeconds, loop, fadeSeconds]).toEqual([2 + 2 * 1.5, { startSeconds: 0.5, endSeconds: 2 }, 0])
  const starts = changes(analysis).filter(({ restart }) => restart)
  expect(starts.map(({ timer: value }) => value)).toEqual([60, 62, 64, 65, 62, 64, 65, 62, 64, 65].map(timer))
  expect(changes(analysis, 'Pulse2').filter(({ restart }) => restart)).toHaveLength(1)
})

test('A fade uses another pass of the loop, or the end of a song without a loop.', () => {
  const looped = performanceOf(ppmck('A c d\nL', { fadeSeconds: 5 }))
  expect([looped.totalSeconds, looped.fadeSeconds]).toEqual([1 + 5, 5])
  const plain = performanceOf(ppmck('A c d', { fadeSeconds: 5, loops: 4 }))
  expect([plain.totalSeconds, plain.fadeSeconds, plain.loop]).toEqual([1, 1, null])
})

test('Tracks start with the initial state, at a capital letter anywhere.', () => {
  const analysis = ppmck('A o6 v3 l8 c B c')
  expect(noteEvents(analysis, 'Pulse2')[0]).toMatchObject({ note_number: 60, velocity: 15, duration: 192 })
})

test('Unused channels are present and empty.', () => {
  const analysis = ppmck('A c')
  expect(sequenceOf(analysis).channels.Noise).toEqual({ channel_type: 'noise', events: [], total_ticks: 0 })
  expect(analysis.channelSummary).toEqual([
    { channel: 'Pulse1', note_count: 1, octave_range: [4, 4], duration_ticks: 192 },
    { channel: 'Pulse2', note_count: 0, octave_range: [4, 4], duration_ticks: 0 },
    { channel: 'Triangle', note_count: 0, octave_range: [4, 4], duration_ticks: 0 },
    { channel: 'Noise', note_count: 0, octave_range: [4, 4], duration_ticks: 0 },
  ])
})

test('A header may be followed by a comment.', () => {
  expect(faults(ppmck('#TITLE "Harbour" ; at night\n#composer\n#EX-DISKFM\nA c'))).toEqual([])
})

test('A performance can be read repeatedly.', () => {
  const { channels } = performanceOf(ppmck('A c d'))
  expect([...channels.Pulse1()]).toEqual([...channels.Pulse1()])
})

test('Modulation at an extreme tempo is updated at most once a millisecond.', () => {
  const analysis = ppmck(`@MP1={0,1,99,0}\nA t1000000 MP1 c1${'^1'.repeat(5000)}`)
  expect(changes(analysis).length).toBeLessThan(1000 * performanceOf(analysis).totalSeconds + 10)
})

test('A note without a sounding part ends the note before it.', () => {
  const played = changes(pyxel('0: Q100 C Q0 C C Q100 C'))
  expect(played.map(({ atSeconds, level }) => [atSeconds, level > 0])).toEqual([
    [0, true],
    [0.5, false],
    [1.5, true],
  ])
})

test('Notes of length 0 are silent.', () => {
  const played = changes(ppmck('A c d8~8 e', { profile: 'native' }))
  expect(played.map(({ atSeconds, timer: value }) => [atSeconds, value])).toEqual([
    [0, timer(60)],
    [0.5, timer(64)],
  ])
})
