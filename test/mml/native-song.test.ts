import { expect, test } from 'vitest'
import { listCommands } from '../../src/mml/language/commands.ts'
import {
  changes,
  faults,
  noteEvents,
  performanceOf,
  ppmck,
  pyxel,
  score,
  sequenceOf,
  stateAt,
} from './support/played.ts'

/** A song in which every native ppmck command and header has its part. */
const SONG = `#TITLE Lights on the Quay
#COMPOSER nobody in particular
#MAKER nobody
#PROGRAMER nobody
#OCTAVE-REV 0
#GATE-DENOM 8
#PITCH-CORRECTION
#DPCM-RESTSTOP
#EX-VRC6

/* Lists: louder or softer,
   brighter or darker, and so on. */
@v0 = { 15 13 11 10 | 9 8 }
@v1 = { 12, 8, 4, 2, 0 }
@v2 = { $6 $4 $2 0 }       ; after a note is let go
@0 = { 2 2 1 | 1 }
@1 = { 0 }
@EP0 = { 0 1 | 1 -1 }
@EN0 = { | 0 4 3 -7 }
@MP0 = { 12 3 2 0 }

ABCD t150                  ; all four
A l8 o4 @v0 @@0 @vr2 @@r1 q7
A c d e f (ga>c)< b        / a slur
A c4_g4 {cde}4 c4&c8 r8
A [EN0 c e | g a ENOF]2 k8 w8
A MP0 c2 MPOF EP0 c4 EPOF D2 c8 D255 c8
A |: c \\ d :|3 n36,8 @n253,8 K2 c K0 c
A s8,9 c s0,0 c y$4000,191 c @q2 c q6,1 c q8 c

B o3 l4. @1 v8 c l4 e%24 g#12 c4-16 v+2 c v-1 c c64..
B @t4,24 L [c e g > c <]2
  c e g >c<                ; an indented line goes on
C o4 l4 c g L c g c2 ^4 r4^4
D l16 v8 @v1 n15 n2 r n2 c c+ o7 d b
D L n4,4 r4 n12,4 r4
E c r c
M o4 @2 c d e
A ! c d e f g
`

test('A song that uses every command compiles.', () => {
  const analysis = ppmck(SONG)
  expect([analysis.profile, faults(analysis)]).toEqual(['native', []])
  const reported = analysis.warnings.map(({ code, message }) => `${code} ${message}`)
  expect(reported).toHaveLength(2)
  expect(reported.join('\n')).toMatch(/expansion chips or samples: M\./)
  expect(reported.join('\n')).toMatch(/Track E plays samples/)
})

test('The song contains every command.', () => {
  const missing = listCommands('ppmck', 'native').filter(({ name }) => !SONG.includes(name))
  expect(missing.map(({ name }) => name)).toEqual(['!!'])
})

test('The song has the notes that it says.', () => {
  const analysis = ppmck(SONG)
  expect(score(analysis).split(' ').slice(0, 9).join(' ')).toBe(
    '0:60:96 96:62:96 192:64:96 288:65:96 384:67:96 480:69:96 576:72:96 672:71:96 768:60:192',
  )
  const slurred = noteEvents(analysis).slice(4, 8)
  expect(slurred.map(({ gate_time }) => gate_time)).toEqual([1, 1, 0.875, 0.875])
  expect(noteEvents(analysis, 'Triangle').map((note) => [note.tick_position, note.note_number, note.duration])).toEqual(
    [
      [0, 48, 192],
      [192, 55, 192],
      [384, 48, 192],
      [576, 55, 192],
      [768, 48, 576],
    ],
  )
  const drums = changes(analysis, 'Noise')
  const sixteenth = 0.1
  expect([0, 1, 3, 4, 5, 6, 7].map((step) => stateAt(drums, step * sixteenth + 0.01).period)).toEqual([
    15, 2, 2, 0, 1, 2, 11,
  ])
  const { loop, totalSeconds } = performanceOf(analysis)
  expect(loop?.endSeconds).toBeLessThanOrEqual(totalSeconds)
  expect(sequenceOf(analysis).bpm).toBe(150)
})

/** As it is written in tutorials: blanks in lists, volume envelopes, a waveform named on the noise track. */
const TUTORIAL = `#TITLE My first chip tune
#COMPOSER A Learner
#PROGRAMER A Learner

@v0 = { 10 9 8 7 6 5 4 3 2 }
@v1 = { 15 15 14 14 13 13 12 12 11 11 10 10 9 9 8 8 7 7 6 6 }

ABCD t150

A l8 o4 @01 @v0
A [c d e f @v1 g4 @v0 a16 b16 >c c d16 e16 f<]2

B l8 o3 @02 v10
B [c1]2

C l4 o3 q6
C [c e g8 g8 a16 b16 >c8 <]4

D l8 o1 @0 @v1
D [@v0 b @v0 e @v1 a @v0 e]8
`

test('A text from tutorials compiles with one warning.', () => {
  const analysis = ppmck(TUTORIAL)
  expect([analysis.profile, faults(analysis)]).toEqual(['native', []])
  expect(analysis.warnings.map(({ code, line }) => [code, line])).toEqual([['SEMANTIC_CHANNEL_MISMATCH', 19]])
  expect(analysis.channelSummary.map(({ note_count: count }) => count)).toEqual([24, 2, 28, 32])
})

/** Every feature of native pyxel in four channels. */
const PYXEL = `0: t150 l8 v100 q80 @1 @env1{110,24,60,24,20} @vib1{24,8,20} @gli1{-100,6} cdef g4. & a16 b16 >c4&8 r8
1: @ENV2{0,12,127} @2 o3 [c e g >c<]4 k+2 y-5 @env0 @vib1 c4 & d8.
2: @0 O2 L4. c8 | L g & g & a L @gli2{*,*} c e k-12 > c r4&8
3: @3 o7 l16 q50 [f r o4 c o7]4 [o9 c]0
`

test('Every feature of native pyxel compiles.', () => {
  const analysis = pyxel(PYXEL)
  expect([analysis.profile, faults(analysis)]).toEqual(['native', []])
  expect(analysis.warnings.map(({ code }) => code)).toEqual(['SEMANTIC_UNSUPPORTED_FEATURE'])
  expect(analysis.channelSummary.map(({ note_count: count }) => count)).toEqual([8, 18, 6, 10])
  const missing = listCommands('pyxel', 'native').filter(({ name }) => !PYXEL.toUpperCase().includes(name))
  expect(missing).toEqual([])
})
