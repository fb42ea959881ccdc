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
  ppmck,
  score,
  sequenceOf,
  stateAt,
} from './support/played.ts'

const native = (text: string, options = {}) => ppmck(text, { profile: 'native', ...options })

/** The period of a note on a pulse channel. */
const timer = (note: number) => toUnboundedTimer(note, 'pulse')

test('every line of a track goes on with it, whatever stands between', () => {
  const analysis = native('A c\nB e\nA d ; a comment\n  e\nB f')
  expect(score(analysis)).toBe('0:60:192 192:62:192 384:64:192')
  expect(score(analysis, 'Pulse2')).toBe('0:64:192 192:65:192')
})

test('a repeat may reach over lines of its track', () => {
  expect(score(native('A [c\nB e\nA d]2'))).toBe('0:60:192 192:62:192 384:60:192 576:62:192')
})

test('a letter group addresses each of its tracks, with a state of its own', () => {
  const analysis = native('AB l8\nA o5 c\nB c')
  expect([score(analysis), score(analysis, 'Pulse2')]).toEqual(['0:72:96', '0:60:96'])
})

test('a fault in a line of several tracks is told once', () => {
  expect(faults(native('ABC c ? d'))).toEqual(['SYNTAX_INVALID_TOKEN 1:7'])
})

test('the triangle sounds an octave below what is written', () => {
  const analysis = native('C o4 c')
  expect(score(analysis, 'Triangle')).toBe('0:48:192')
  expect(changes(analysis, 'Triangle')[0]).toMatchObject({ level: 15, timer: timer(60) })
})

test('a volume list moves on once a frame and goes back to its mark', () => {
  expect(frames(native('A @v0 c1\n@v0 = { 10 9 | 7 5 }'), 'level', 8)).toEqual([10, 9, 7, 5, 7, 5, 7, 5])
})

test('a list without a mark holds its last value, and one may begin with its mark', () => {
  expect(frames(native('@v0={15,8}\nA @v0 c1'), 'level', 4)).toEqual([15, 8, 8, 8])
  expect(frames(native('@v0={| 3 6}\nA @v0 c1'), 'level', 4)).toEqual([3, 6, 3, 6])
})

test('the later of v and @v holds', () => {
  expect(frames(native('@v0={3}\nA v9 @v0 c1'), 'level', 1)).toEqual([3])
  expect(frames(native('@v0={3}\nA @v0 v9 c1'), 'level', 1)).toEqual([9])
})

test('a duty list moves on once a frame; @ ends it', () => {
  expect(frames(native('@0={0 1 | 3 2}\nA @@0 c1'), 'duty', 6)).toEqual([0, 1, 3, 2, 3, 2])
  expect(frames(native('@0={0 1}\nA @@0 @3 c1'), 'duty', 2)).toEqual([3, 3])
})

test('a note list adds up semitones', () => {
  const wanted = [60, 64, 67, 60, 64, 67].map(timer)
  expect(frames(native('@EN0={0 4 3 | -7 4 3}\nA EN0 c1'), 'timer', 6)).toEqual(wanted)
})

test('a note list without a mark stays where it arrived', () => {
  expect(frames(native('@EN0={0 12}\nA EN0 c1'), 'timer', 3)).toEqual([60, 72, 72].map(timer))
})

test('a pitch list adds up units of the period, upward when positive', () => {
  const analysis = native('@EP0={0 2 | 1}\nA EP0 c1 EPOF c1')
  expect(frames(analysis, 'timer', 4)).toEqual([427, 425, 424, 423])
  expect(frames(analysis, 'timer', 2, 'Pulse1', 2)).toEqual([427, 427])
})

test('slot 255 ends a list', () => {
  expect(frames(native('@EP0={9}\n@EN0={9}\n@MP0={0 1 9}\nA EP0 EN0 MP0 EP255 EN255 MP255 c1'), 'timer', 3)).toEqual([
    427, 427, 427,
  ])
})

test('detune takes units off the period, and 255 ends it', () => {
  expect(frames(native('A D5 c1'), 'timer', 1)).toEqual([422])
  expect(frames(native('A D-5 c1'), 'timer', 1)).toEqual([432])
  expect(frames(native('A D5 D255 c1'), 'timer', 1)).toEqual([427])
})

test('the sequence tells of a detune in cents', () => {
  expect(noteEvents(native('A D5 c'))[0]?.detune_cents).toBeCloseTo(1200 * Math.log2(428 / 423), 9)
})

test('a vibrato waits, then swings in quarters of its period around the pitch', () => {
  expect(frames(native('@MP0={2 2 4 0}\nA MP0 c1'), 'timer', 12)).toEqual([
    427, 427, 427, 425, 423, 425, 427, 429, 431, 429, 427, 425,
  ])
})

test('lengths in counts, frames and differences', () => {
  expect(score(native('A c%48 d%24 e4~%12'))).toBe('0:60:192 192:62:96 288:64:144')
  expect(score(native('A t150 c#24 d#4'))).toBe('0:60:192 192:62:32')
  expect(score(native('A l4. c d8-16 l%96 e'))).toBe('0:60:288 288:62:48 336:64:384')
  expect(score(native('A c64.. d'))).toBe('0:60:21 21:62:192')
})

test('# after a note counts frames and makes nothing sharp', () => {
  expect(score(native('A c#30'))).toBe('0:60:192')
  expect(score(native('A c+8 d-8 e++8'))).toBe('0:61:96 96:61:96 192:66:96')
})

test('^ goes on with notes and rests, also after commands', () => {
  expect(score(native('A c4^8 d4 v3 ^%24 r4^4 e'))).toBe('0:60:288 288:62:288 960:64:192')
})

test('& to another pitch is no new attack, to the same pitch one note', () => {
  const analysis = native('A q4 c&d&d e')
  expect(score(analysis)).toBe('0:60:192 192:62:384 576:64:192')
  expect(changes(analysis).map(({ restart, level }) => [restart, level])).toEqual([
    [true, 15],
    [false, 15],
    [false, 0],
    [true, 15],
    [false, 0],
  ])
})

test('( ) slurs what stands in it', () => {
  const slurred = changes(native('A (c d e) f')).map(({ atSeconds, timer, restart }) => [atSeconds, timer, restart])
  expect(slurred).toEqual(
    changes(native('A c&d&e f')).map(({ atSeconds, timer, restart }) => [atSeconds, timer, restart]),
  )
})

test('_ slides from one note to the other while it lasts', () => {
  const analysis = native('A c4_g d')
  expect(score(analysis)).toBe('0:60:192 192:62:192')
  const slid = frames(analysis, 'timer', 30)
  expect(slid[0]).toBe(timer(60))
  expect(slid[15]).toBe(timer(63.5))
  expect(slid.toSorted((a, b) => b - a)).toEqual(slid)
  expect(slid[29]).toBeLessThan(timer(66.5))
})

test('{ } shares one length among its notes', () => {
  expect(score(native('A {cde}4 {c r}8 f'))).toBe('0:60:64 64:62:64 128:64:64 192:60:48 288:65:192')
})

test('notes by number, on D by period', () => {
  expect(score(native('A l8 n32 n43,4 n48'))).toBe('0:60:96 96:71:192 288:72:96')
  expect(score(native('C n32'), 'Triangle')).toBe('0:48:192')
  const noise = native('D l4 n3 n18 c b+ o7 d')
  const played = changes(noise, 'Noise')
  expect([0.1, 0.6, 1.1, 1.6, 2.1].map((at) => stateAt(played, at).period)).toEqual([3, 2, 0, 12, 2])
})

test('@n plays a period as it is', () => {
  const analysis = native('A @n253,8 @n1000')
  expect(changes(analysis).map((change) => change.timer)).toEqual(expect.arrayContaining([253, 1000]))
  expect(score(analysis)).toBe('0:69:96 96:45:192')
})

test('K transposes, w holds', () => {
  expect(score(native('A K2 c K-12 c w8 d'))).toBe('0:62:192 192:48:288 480:50:192')
})

test('k lets go of a note: a rest in which its release list plays', () => {
  const analysis = native('@v0={15}\n@v1={6 4 2}\nA t150 @v0 @vr1 c4 k4 d4')
  expect(score(analysis)).toBe('0:60:192 384:62:192')
  expect(frames(analysis, 'level', 4, 'Pulse1', 24 / 60)).toEqual([6, 4, 2, 2])
  expect(frames(analysis, 'level', 1, 'Pulse1', 48 / 60)).toEqual([15])
})

test('release lists sound after the gate; 255 ends them', () => {
  const text = '@v1={6 4}\n@1={0}\nA t150 q4 @2 @vr1 @@r1 c4'
  expect(frames(native(text), 'level', 3, 'Pulse1', 12 / 60)).toEqual([6, 4, 4])
  expect(frames(native(text), 'duty', 1, 'Pulse1', 12 / 60)).toEqual([0])
  expect(frames(native(`${text}\nA @vr255 c4`), 'level', 1, 'Pulse1', 36 / 60)).toEqual([0])
})

test('q counts eighths and adds frames, @q cuts frames', () => {
  const offAt = (text: string) => changes(native(text)).find(({ level }) => level === 0)?.atSeconds
  expect(offAt('A t150 q4 c')).toBeCloseTo(12 / 60, 9)
  expect(offAt('A t150 q4,-2 c')).toBeCloseTo(10 / 60, 9)
  expect(offAt('A t150 q4,2 c')).toBeCloseTo(14 / 60, 9)
  expect(offAt('A t150 @q6 c')).toBeCloseTo(18 / 60, 9)
  expect(offAt('#GATE-DENOM 16\nA t150 q4 c')).toBeCloseTo(6 / 60, 9)
})

test('@t gives the tempo as frames of a length', () => {
  const analysis = native('A @t4,24 c c')
  expect(sequenceOf(analysis).bpm).toBe(150)
  expect(performanceOf(analysis).totalSeconds).toBeCloseTo(48 / 60, 9)
})

test('each track has a tempo of its own', () => {
  const analysis = native('A t60 c d\nB t240 c d')
  expect(performanceOf(analysis).totalSeconds).toBe(2)
  expect(changes(analysis, 'Pulse2')[1]?.atSeconds).toBeCloseTo(0.25, 9)
  expect(analysis.warnings).toEqual([])
})

test('s writes the two halves of the sweep register', () => {
  const up = changes(native('A s8,9 c1'))
  expect(up.slice(0, 3).map(({ timer }) => timer)).toEqual([427, 427 - 213 - 1, 213 - 106 - 1])
  const down = changes(native('B s9,3 c1'), 'Pulse2')
  expect(down.slice(0, 2).map(({ atSeconds, timer }) => [atSeconds, timer])).toEqual([
    [0, 427],
    [2 / 120, 427 + 53],
  ])
  expect(changes(native('A s8,9 s0,0 c1')).map(({ timer }) => timer)).toEqual([427])
})

test('a sweep beyond the last period mutes', () => {
  const swept = changes(native('A o2 s8,1 c1'))
  expect(swept.map(({ level }) => level)).toContain(0)
  expect(swept.find(({ level }) => level === 0)?.atSeconds).toBeLessThan(0.1)
})

test('L is where its track returns to, on its own', () => {
  const analysis = native('A c L d e\nB c c c c c', { loops: 1 })
  expect(eventsOf(analysis, 'Pulse1').at(-1)).toEqual({
    type: 'repeat',
    tick_position: 576,
    duration: 0,
    start_tick: 192,
    end_tick: 576,
    repeat_count: 0,
  })
  const restarts = changes(analysis).filter(({ restart }) => restart)
  expect(restarts.map(({ atSeconds, timer }) => [atSeconds, timer])).toEqual([
    [0, 427],
    [0.5, 380],
    [1, 338],
    [1.5, 380],
    [2, 338],
  ])
})

test('! ends a track and !! begins it', () => {
  expect(score(native('A c d ! e'))).toBe('0:60:192 192:62:192')
  expect(score(native('A l8 o5 c d !! c e'))).toBe('0:72:96 96:76:96')
})

test('the second way to write a repeat', () => {
  expect(score(native('A |: c \\ d :|2 e'))).toBe('0:60:192 192:62:192 384:60:192 576:64:192')
  expect(score(native('A |:[c]2 d:|2'))).toBe(score(native('A [[c]2 d]2')))
})

test('a repeat wants a count of 2 or more', () => {
  expect(faults(native('A [c]1 [d] [e]2'))).toEqual([
    'SEMANTIC_VALUE_OUT_OF_RANGE 1:5',
    'SEMANTIC_VALUE_OUT_OF_RANGE 1:10',
  ])
})

test('comments to the end of the line, and over lines', () => {
  expect(score(native('A c / d\nA e /* f\nA g */ a ; b'))).toBe('0:60:192 192:64:192 384:69:192')
  expect(faults(native('A c /* d'))).toEqual(['SYNTAX_INVALID_TOKEN 1:5'])
})

test('hexadecimal and binary numbers', () => {
  expect(frames(native('@v0={$F xA %101}\nA @v0 c1'), 'level', 3)).toEqual([15, 10, 5])
  expect(native('A y$4015,15 c y$4000,%101 c y$4000,$BF c').errors).toEqual([])
})

test('headers without quotation marks', () => {
  const headers =
    '#TITLE My Song\n#COMPOSER me\n#MAKER me\n#PROGRAMER me\n#PITCH-CORRECTION\n#DPCM-RESTSTOP\n#EX-NAMCO106 4\n'
  const analysis = ppmck(`${headers}A c`)
  expect([analysis.profile, analysis.errors, analysis.warnings]).toEqual(['native', [], []])
  expect(native('#TITEL x\nA c').errors[0]).toMatchObject({ column: 2, hint: 'Did you mean TITLE?' })
})

test('OCTAVE-REV turns < and > round', () => {
  expect(score(native('#OCTAVE-REV 1\nA c < c'))).toBe('0:60:192 192:72:192')
  expect(score(native('#OCTAVE-REV 0\nA c < c'))).toBe('0:60:192 192:48:192')
})

test('samples are read and stay silent, with one warning', () => {
  const analysis = native('E c r n3 d\nE c\nA e')
  expect(cautions(analysis)).toEqual(['SEMANTIC_UNSUPPORTED_FEATURE 1:1'])
  expect(analysis.channelSummary.map((line) => line.note_count)).toEqual([1, 0, 0, 0])
})

test('samples alone are nothing to play', () => {
  expect(cautions(native('E c d'))).toContain('SEMANTIC_EMPTY_TRACK 1:1')
  expect(cautions(native('M c d'))).toContain('SEMANTIC_EMPTY_TRACK 1:1')
})

test('registers beyond those of the sound are left out with a warning', () => {
  expect(cautions(native('A y$4000,1 c'))).toEqual([])
  expect(cautions(native('A y$4015,1 c'))).toEqual(['SEMANTIC_UNSUPPORTED_FEATURE 1:3'])
})

test('tracks and definitions of other chips are named in one warning', () => {
  const analysis = native('#EX-VRC6\n@FM0={1 2}\n@DPCM0={"kick.dmc",15}\nM o4 @3 c\nN c ?? d\nO c\na c\nA c')
  expect(analysis.errors).toEqual([])
  expect(analysis.warnings).toHaveLength(1)
  expect(analysis.warnings[0]?.message).toContain('@FM, @DPCM, M, N, O, a')
  expect(score(analysis)).toBe('0:60:192')
})

test('a waveform on the noise channel is ignored with one warning', () => {
  const analysis = native('D l8 @0 n1 @0 n2\nD @1 n3')
  expect([analysis.errors, cautions(analysis)]).toEqual([[], ['SEMANTIC_CHANNEL_MISMATCH 1:6']])
})

test('volume steps are held to 0..15', () => {
  expect(faults(native('A v-20 c'))).toEqual(['SEMANTIC_VALUE_OUT_OF_RANGE 1:3'])
  expect(noteEvents(native('A v14 v+5 c v-15 c')).map(({ velocity }) => velocity)).toEqual([15, 0])
})

test('volume 0 halts the triangle', () => {
  expect(changes(native('C v0 c v5 c'), 'Triangle')).toMatchObject([
    { atSeconds: 0, level: 0 },
    { atSeconds: 0.5, level: 15 },
  ])
})

test('loops play the looped part again, with a fade over another round', () => {
  const { totalSeconds, fadeSeconds, loop } = performanceOf(native('A c L d e', { loops: 3, fadeSeconds: 2 }))
  expect([totalSeconds, fadeSeconds]).toEqual([0.5 + 3 + 2, 2])
  expect(loop).toEqual({ startSeconds: 0.5, endSeconds: 1.5 })
})
