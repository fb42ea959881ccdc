import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { composeMml } from '../../../src/mml/compose.ts'
import { Diagnostics } from '../../../src/mml/language/diagnostic.ts'
import { parsePpmck } from '../../../src/mml/language/parse-ppmck.ts'
import { printTree } from '../support/print-tree.ts'
import { parsePyxel } from '../../../src/mml/language/parse-pyxel.ts'
import { CHANNELS } from '../../../src/mml/chip/channels.ts'
import type { Dialect, Profile } from '../../../src/mml/language/dialect.ts'
import { toSource } from '../../../src/mml/language/source.ts'
import { analyse, noteEvents, performanceOf } from '../support/played.ts'

interface Reading {
  readonly mode: Dialect
  readonly profile: Profile
}

const READINGS: readonly Reading[] = [
  { mode: 'ppmck', profile: 'house' },
  { mode: 'ppmck', profile: 'native' },
  { mode: 'pyxel', profile: 'house' },
  { mode: 'pyxel', profile: 'native' },
]

/** Words that are whole in a body of each dialect. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  'ppmck house': words(
    'c  d+4  e-8..  f#  g1  r  r8.  ^8  ^4.  ^c  &8  & d  & r4  &  a & t90 a  |  o3  o5  >  <  l8  l4.',
    'v9  v+2  v-  @1  q5  t150  D-9  s2,-3  @v1  @@1  EP1  EPOF  EN1  ENOF  MP1  MPOF  @v7={1,2|3}',
    '@7={0}  [  ]2  ]  [c|d]3  ; words\n  \n  ',
  ),
  'ppmck native': words(
    'c  d++4  e-8..  c#9  c%30  c4-8  c4~#3  r  r#7  ^8  ^  ^%9  &  (  )  c_g  c4_d8.  {cde}4',
    '{c r v3 d}  {  }  n36  n40,8.  @n300,4  K2  w4  w  k8  q6,-1  @q2  @t4,30  s8,9  @v1  @vr1',
    '@@r255  EP1  EN1  MP1  EP255  L  !  !!  y$4000,5  D3  D255  o5  >  [  ]2  [c|d]3  |:  :|2  \\',
    'l#5  l8.  v9  v+  @2  t90  |  / words\n    /* x */  \nA ',
  ),
  'pyxel house': words(
    'C  D+4  E-8..  F#  R  R8.  &8  &8.  & D  & R4  &  A & T90 A  |  O3  >  <  L8  L  L4.  V90  Q50',
    '@1  @2  T90  K-2  K+3  Y9  @ENV1  @ENV0  @VIB1  @GLI1  [  ]2  ]  \n  @ENV7 10 20 30 40',
    '@VIB7 1 2 3  @GLI7 9 9',
  ),
  'pyxel native': words(
    'c  D+4  e-8  F#  r  &8  & d  &  c & t90 c  |  o3  O9  >  <  l8  L  v90  q50  @0  @1  @3  @9  t90',
    'k-2  y9  @env1  @ENV1{1,2,3}  @vib1{0,9,9}  @GLI1{*,*}  @gli2{-5,3}  [  ]2  ]0  \n',
  ),
}

/** Lines of words with two blanks between them. */
function words(...lines: readonly string[]): string[] {
  return lines.flatMap((line) => line.split('  '))
}

const HEADS: Readonly<Record<string, readonly string[]>> = {
  'ppmck house': [
    '#TITLE "x"\n@v1={15,9|8}\n@1={1,2}\n@EP1={5,-5}\n@EN1={0,4|7}\n@MP1={1,2,3,0}\nA ',
    '\nB ',
    '\nT ',
    '\nN ',
  ],
  'ppmck native': [
    '#TITLE x y\n@v1={15 9|8}\n@1={1}\n@EP1={5 -5}\n@EN1={|0 4}\n@MP1={1 2 3}\nA ',
    '\nBC ',
    '\nD ',
    '\nA ',
  ],
  'pyxel house': ['0: @ENV1 127 1 64 48 @VIB1 9 9 9 @GLI1 9 9 ', '\n1: ', '\n2: ', '\n3: '],
  'pyxel native': ['0: @ENV1{127} ', '\n1: ', '\n2: ', '\n3: '],
}

const keyOf = ({ mode, profile }: Reading) => `${mode} ${profile}`

/** A text of one to four tracks made of whole words; many are valid, none need be. */
function texts(reading: Reading): fc.Arbitrary<string> {
  const body = fc
    .array(fc.constantFrom(...(WORDS[keyOf(reading)] ?? [])), { maxLength: 14 })
    .map((words) => words.join(' '))
  const heads = HEADS[keyOf(reading)] ?? []
  return fc
    .array(body, { minLength: 1, maxLength: heads.length })
    .map((bodies) => bodies.map((text, index) => `${heads[index]}${text}`).join(''))
}

function parse({ mode, profile }: Reading, text: string) {
  const source = toSource(text)
  const diagnostics = new Diagnostics(source)
  const tree = (mode === 'ppmck' ? parsePpmck : parsePyxel)(source.text, profile, diagnostics)
  return { tree, hasErrors: diagnostics.hasErrors }
}

test.each(READINGS)('printing and reading again is a fixed point: $mode $profile', (reading) => {
  let judged = 0
  fc.assert(
    fc.property(texts(reading), (text) => {
      const { tree, hasErrors } = parse(reading, text)
      if (hasErrors) return
      judged++
      const printed = printTree(tree)
      const again = parse(reading, printed)
      expect(again.hasErrors, printed).toBe(false)
      expect(printTree(again.tree)).toBe(printed)
      const [before, after] = [text, printed].map((mml) => composeMml(mml, reading))
      expect(after?.sequence).toEqual(before?.sequence)
      expect(after?.performance?.totalSeconds).toBe(before?.performance?.totalSeconds)
    }),
    { numRuns: 800 },
  )
  expect(judged).toBeGreaterThan(40)
})

test.each([
  ['pyxel', 'native', '0: @ENV1{127} c & | d', '0: @ENV1{127} c & d'],
  ['pyxel', 'native', '0: @ENV1{127} c & | r', '0: @ENV1{127} c & r'],
  ['pyxel', 'house', '0: C4 & | 8 D', '0: C4 & 8 D'],
  ['pyxel', 'house', '0: C4 & || R8', '0: C4 & R8'],
  ['ppmck', 'house', 'A c4 & | r8 ^ | 8', 'A c4 & r8 ^ 8'],
] as const)('a bar line after & changes nothing: %s %s %s', (mode, profile, barred, plain) => {
  const read = (text: string) => {
    const { tree, hasErrors } = parse({ mode, profile }, text)
    return { hasErrors, printed: printTree(tree) }
  }
  expect(read(barred)).toEqual(read(plain))
})

const PHRASES: Readonly<Record<Dialect, readonly string[]>> = {
  ppmck: ['c', 'd+8', 'e5', 'r7', 'f&f', 'g&a', 'a^16.', '> b <', 'v+1 c', 'l8 d', 'q4 e', '[c d]2', '[e|f]3'],
  pyxel: ['C', 'D+8', 'E5', 'R7', 'F&F', 'G&A', 'A&16', '> B <', 'V50 C', 'L8 D', 'Q40 E', '[C D]2', 'K1 C K0', '@2 F'],
}

test.each(['ppmck', 'pyxel'] as const)('[x]n is x written n times: %s', (mode) => {
  const head = mode === 'ppmck' ? 'A ' : '0: '
  const phrase = fc
    .array(fc.constantFrom(...PHRASES[mode]), { minLength: 1, maxLength: 8 })
    .map((words) => words.join(' '))
  fc.assert(
    fc.property(phrase, fc.integer({ min: 1, max: 5 }), (text, times) => {
      const folded = analyse(mode, `${head}[${text}]${times}`)
      const written = analyse(mode, `${head}${Array.from({ length: times }, () => text).join(' ')}`)
      expect(noteEvents(folded)).toEqual(noteEvents(written))
      expect(performanceOf(folded).totalSeconds).toBe(performanceOf(written).totalSeconds)
      for (const name of CHANNELS) {
        expect([...performanceOf(folded).channels[name]()]).toEqual([...performanceOf(written).channels[name]()])
      }
    }),
    { numRuns: 150 },
  )
})

const FRAGMENTS = [
  ...Object.values(WORDS).flat(),
  ...words(
    'A  B  T  N  L  0:  9:  #  #TITLE  "  {  }  |  =  ,  $  ~  *  \u0000  é  😀  4294967296  -1  ..  ++',
    '^^  &&  /*  */  @  @@  @v  @v1={  @MP1={1,2  \r  \u3000  ²  ４',
  ),
]

test.each(READINGS)('token soup never throws and never leaves the text: $mode $profile', (reading) => {
  const soup = fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 40 }).map((fragments) => fragments.join(''))
  fc.assert(
    fc.property(soup, (text) => {
      const { errors, warnings, sequence, performance } = composeMml(text, reading)
      const lines = toSource(text).lineStarts.length
      for (const { line, column, message, context, severity } of [...errors, ...warnings]) {
        expect(line).toBeGreaterThanOrEqual(1)
        expect(line).toBeLessThanOrEqual(lines)
        expect(column).toBeGreaterThanOrEqual(1)
        expect(column).toBeLessThanOrEqual([...context].length + 1)
        expect(message).not.toBe('')
        expect(['error', 'warning']).toContain(severity)
      }
      expect(sequence === null).toBe(errors.length > 0)
      if (performance === null) return
      for (const name of CHANNELS) {
        let last = 0
        for (const change of performance.channels[name]()) {
          expect(change.atSeconds).toBeGreaterThanOrEqual(last)
          last = change.atSeconds
          expect(Number.isInteger(change.level) && change.level >= 0 && change.level <= 15).toBe(true)
          expect(Number.isInteger(change.timer) && change.timer >= 0 && change.timer <= 2047).toBe(true)
          expect(Number.isInteger(change.period) && change.period >= 0 && change.period <= 15).toBe(true)
          expect([0, 1, 2, 3]).toContain(change.duty)
        }
        expect(last).toBeLessThanOrEqual(performance.totalSeconds + 1e-9)
      }
    }),
    { numRuns: 700 },
  )
})

test.each(READINGS)('any string at all gets an answer: $mode $profile', (reading) => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      const { errors, sequence } = composeMml(text, reading)
      expect(sequence === null).toBe(errors.length > 0)
    }),
    { numRuns: 300 },
  )
})
