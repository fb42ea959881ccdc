import { expect, test } from 'vitest'
import { MAX_CONTEXT_CHARS, MAX_DIAGNOSTICS, MAX_INPUT_BYTES } from '../../../src/mml/limits.ts'
import { quote } from '../../../src/mml/language/diagnostic.ts'
import type { Dialect } from '../../../src/mml/language/dialect.ts'
import { analyse, cautions, faults, ppmck, pyxel, score } from '../support/played.ts'

type Row = readonly [text: string, ...faults: string[]]

/** House texts, and the code and place of each of their faults. */
const PPMCK: readonly Row[] = [
  ['A c ? d', 'SYNTAX_INVALID_TOKEN 1:5'],
  ['A c\n\t? d', 'SYNTAX_INVALID_TOKEN 2:2'],
  ['A \u{1F600} ? c', 'SYNTAX_INVALID_TOKEN 1:3', 'SYNTAX_INVALID_TOKEN 1:5'],
  ['A C', 'SYNTAX_INVALID_TOKEN 1:3'],
  ['A o c', 'SYNTAX_INVALID_NUMBER 1:3'],
  ['A v c', 'SYNTAX_INVALID_NUMBER 1:3'],
  ['A @ c', 'SYNTAX_INVALID_NUMBER 1:3'],
  ['A q c', 'SYNTAX_INVALID_NUMBER 1:3'],
  ['A t c', 'SYNTAX_INVALID_NUMBER 1:3'],
  ['A D c', 'SYNTAX_INVALID_NUMBER 1:3'],
  ['A s4 c', 'SYNTAX_INVALID_NUMBER 1:3'],
  ['A s4, c', 'SYNTAX_INVALID_NUMBER 1:3'],
  ['A o-1 c', 'SYNTAX_INVALID_NUMBER 1:3'],
  ['A @v c', 'SYNTAX_INVALID_NUMBER 1:3'],
  ['A EP c', 'SEMANTIC_UNDEFINED_REFERENCE 1:3'],
  ['A EN c', 'SEMANTIC_UNDEFINED_REFERENCE 1:3'],
  ['A MP c', 'SEMANTIC_UNDEFINED_REFERENCE 1:3'],
  ['A @v1 c', 'SEMANTIC_UNDEFINED_REFERENCE 1:3'],
  ['A @@1 c', 'SEMANTIC_UNDEFINED_REFERENCE 1:3'],
  ['A c 4 8', 'SYNTAX_UNEXPECTED_TOKEN 1:7'],
  ['A c++', 'SYNTAX_UNEXPECTED_TOKEN 1:5'],
  ['A v4. c', 'SYNTAX_UNEXPECTED_TOKEN 1:5'],
  ['A {c}', 'SYNTAX_UNEXPECTED_TOKEN 1:3', 'SYNTAX_UNEXPECTED_TOKEN 1:5'],
  ['c d\nA c', 'SYNTAX_UNEXPECTED_TOKEN 1:1', 'SYNTAX_UNEXPECTED_TOKEN 1:3'],
  ['@v1 A c', 'SYNTAX_UNEXPECTED_TOKEN 1:1'],
  ['A c\n#TITLE "x"', 'SYNTAX_UNEXPECTED_TOKEN 2:1'],
  ['@v1={1}\n#TITLE "x"\nA c', 'SYNTAX_UNEXPECTED_TOKEN 2:1'],
  ['#TITEL "x"\nA c', 'SYNTAX_UNEXPECTED_TOKEN 1:2'],
  ['#TITLE "x\nA c', 'SYNTAX_UNTERMINATED_HEADER 1:1'],
  ['#\nA c', 'SYNTAX_UNTERMINATED_HEADER 1:1'],
  ['A [c|d|e]2', 'SYNTAX_UNEXPECTED_TOKEN 1:7'],
  ['A [c [d]2', 'SYNTAX_UNTERMINATED_REPEAT 1:3'],
  ['A c]2', 'SYNTAX_UNMATCHED_REPEAT_END 1:4'],
  ['A c^', 'SYNTAX_UNTERMINATED_TIE 1:4'],
  ['A c& [d]2', 'SYNTAX_UNTERMINATED_TIE 1:4'],
  ['A [c&]2', 'SYNTAX_UNTERMINATED_TIE 1:5'],
  ['A c&&d', 'SYNTAX_UNTERMINATED_TIE 1:4'],
  ['A ^4 c', 'SYNTAX_UNEXPECTED_TOKEN 1:3'],
  ['A c\nB d\nA e', 'SYNTAX_DUPLICATE_TRACK 3:1'],
  ['A c\nL c', 'SYNTAX_UNEXPECTED_TOKEN 2:3'],
  ['A c\nL v4 r', 'SYNTAX_UNEXPECTED_TOKEN 2:3'],
  ['@v1={}\nA c', 'SYNTAX_UNEXPECTED_TOKEN 1:6'],
  ['@v1={|1}\nA c', 'SYNTAX_UNEXPECTED_TOKEN 1:6'],
  ['@v1={1|}\nA c', 'SYNTAX_UNEXPECTED_TOKEN 1:8'],
  ['@v1={1,,2}\nA c', 'SYNTAX_UNEXPECTED_TOKEN 1:8'],
  ['@v1={1,2\nA c', 'SYNTAX_UNEXPECTED_TOKEN 2:1'],
  ['@v1={1,2', 'SYNTAX_UNEXPECTED_TOKEN 1:9'],
  ['@v1=15\nA c', 'SYNTAX_UNEXPECTED_TOKEN 1:5'],
  ['@MP1={1 2,3,0}\nA c', 'SYNTAX_UNEXPECTED_TOKEN 1:9'],
  ['@MP1={1,2,3}\nA c', 'SEMANTIC_VALUE_OUT_OF_RANGE 1:1'],
  ['@v1={16}\nA c', 'SEMANTIC_VALUE_OUT_OF_RANGE 1:1'],
  ['@1={4}\nA c', 'SEMANTIC_VALUE_OUT_OF_RANGE 1:1'],
  ['@EP1={127}\nA c', 'SEMANTIC_VALUE_OUT_OF_RANGE 1:1'],
  ['@v256={1}\nA c', 'SEMANTIC_VALUE_OUT_OF_RANGE 1:1'],
  ['A @v1={1} c @v1={2} c', 'SEMANTIC_DUPLICATE_DEFINITION 1:13'],
  ['A o7 > c', 'SEMANTIC_VALUE_OUT_OF_RANGE 1:6'],
  ['A o0 [< c]3', 'SEMANTIC_VALUE_OUT_OF_RANGE 1:7'],
  ['A D127 c', 'SEMANTIC_VALUE_OUT_OF_RANGE 1:3'],
  ['A D-128 c', 'SEMANTIC_VALUE_OUT_OF_RANGE 1:3'],
  ['A s8,1 c', 'SEMANTIC_VALUE_OUT_OF_RANGE 1:3'],
  ['A s1,0 c', 'SEMANTIC_VALUE_OUT_OF_RANGE 1:3'],
  ['A v+16 c', 'SEMANTIC_VALUE_OUT_OF_RANGE 1:3'],
  ['A [c]0', 'SEMANTIC_VALUE_OUT_OF_RANGE 1:5'],
  ['A [c]100000', 'SEMANTIC_VALUE_OUT_OF_RANGE 1:5'],
  ['A [[c]50000]3 d', 'SEMANTIC_VALUE_OUT_OF_RANGE 1:12'],
  ['A [c]60000 [d]60000 e', 'SEMANTIC_VALUE_OUT_OF_RANGE 1:14'],
  ['A [<>]1000000000', 'SEMANTIC_VALUE_OUT_OF_RANGE 1:6'],
  ['A c4\nL l4 r', 'SEMANTIC_VALUE_OUT_OF_RANGE 2:1'],
  ['T @1 c', 'SEMANTIC_CHANNEL_MISMATCH 1:3'],
  ['T @9 c', 'SEMANTIC_VALUE_OUT_OF_RANGE 1:3'],
  ['N s1,1 c', 'SEMANTIC_CHANNEL_MISMATCH 1:3'],
  ['A c ? [', 'SYNTAX_INVALID_TOKEN 1:5', 'SYNTAX_UNTERMINATED_REPEAT 1:7'],
  ['A v16 ?', 'SYNTAX_INVALID_TOKEN 1:7'],
  ['A c\u00b2', 'SYNTAX_INVALID_TOKEN 1:4'],
  ['A c\uff14', 'SYNTAX_INVALID_TOKEN 1:4'],
]

const PYXEL: readonly Row[] = [
  ['C', 'SYNTAX_UNEXPECTED_TOKEN 1:1'],
  ['0: c', 'SYNTAX_INVALID_TOKEN 1:4'],
  ['0: C ; x', 'SYNTAX_INVALID_TOKEN 1:6', 'SYNTAX_INVALID_TOKEN 1:8'],
  ['4: C', 'SYNTAX_INVALID_TRACK_HEADER 1:1', 'SYNTAX_UNEXPECTED_TOKEN 1:4'],
  ['12: C', 'SYNTAX_INVALID_TRACK_HEADER 1:1', 'SYNTAX_UNEXPECTED_TOKEN 1:5'],
  ['0: C\n0: D', 'SYNTAX_DUPLICATE_TRACK 2:1'],
  ['0: C\n1: D&', 'SYNTAX_UNTERMINATED_TIE 2:5'],
  ['0: [C\n1: D]2', 'SYNTAX_UNTERMINATED_REPEAT 1:4', 'SYNTAX_UNMATCHED_REPEAT_END 2:5'],
  ['0: O C', 'SYNTAX_INVALID_NUMBER 1:4'],
  ['0: K+ C', 'SYNTAX_INVALID_NUMBER 1:4'],
  ['0: @ENV C', 'SYNTAX_INVALID_NUMBER 1:4'],
  ['0: O8 C', 'SEMANTIC_VALUE_OUT_OF_RANGE 1:4'],
  ['0: V128 C', 'SEMANTIC_VALUE_OUT_OF_RANGE 1:4'],
  ['0: Q101 C', 'SEMANTIC_VALUE_OUT_OF_RANGE 1:4'],
  ['0: K128 C', 'SEMANTIC_VALUE_OUT_OF_RANGE 1:4'],
  ['0: Y-128 C', 'SEMANTIC_VALUE_OUT_OF_RANGE 1:4'],
  ['0: @4 C', 'SEMANTIC_VALUE_OUT_OF_RANGE 1:4'],
  ['0: @0 C', 'SEMANTIC_CHANNEL_MISMATCH 1:4'],
  ['2: @1 C', 'SEMANTIC_CHANNEL_MISMATCH 1:4'],
  ['3: @2 C', 'SEMANTIC_CHANNEL_MISMATCH 1:4'],
  ['0: @ENV1 C', 'SEMANTIC_UNDEFINED_REFERENCE 1:4'],
  ['0: @ENV0 1 2 C', 'SEMANTIC_VALUE_OUT_OF_RANGE 1:4'],
  ['0: @ENV1 1 2 3 C', 'SEMANTIC_VALUE_OUT_OF_RANGE 1:4'],
  ['0: @ENV1 128 2 C', 'SEMANTIC_VALUE_OUT_OF_RANGE 1:4'],
  ['0: @VIB1 1 2 C', 'SEMANTIC_VALUE_OUT_OF_RANGE 1:4'],
  ['0: @GLI1 1 C', 'SEMANTIC_VALUE_OUT_OF_RANGE 1:4'],
  ['0: @ENV1 1 2 C\n1: @ENV1 1 2 C', 'SEMANTIC_DUPLICATE_DEFINITION 2:4'],
  ['0: @ENV1{1} C', 'SYNTAX_INVALID_TOKEN 1:9', 'SYNTAX_UNEXPECTED_TOKEN 1:10', 'SYNTAX_INVALID_TOKEN 1:11'],
  ['0: [C]0', 'SEMANTIC_VALUE_OUT_OF_RANGE 1:6'],
]

const NO_PROFILE = { profile: 'house' } as const

test.each(PPMCK.map((row) => [JSON.stringify(row[0]), row] as const))(
  'The faults of the ppmck text %s are known.',
  (_, [text, ...wanted]) => {
    expect(faults(ppmck(text, NO_PROFILE))).toEqual(wanted)
  },
)

test.each(PYXEL.map((row) => [JSON.stringify(row[0]), row] as const))(
  'The faults of the pyxel text %s are known.',
  (_, [text, ...wanted]) => {
    expect(faults(pyxel(text, NO_PROFILE))).toEqual(wanted)
  },
)

test('A diagnostic has phase, severity, message and the whole line.', () => {
  expect(ppmck('A c\n  v16 d ; loud').errors).toEqual([
    {
      code: 'SEMANTIC_VALUE_OUT_OF_RANGE',
      phase: 'semantic',
      line: 2,
      column: 3,
      message: 'v takes 0..15, not 16.',
      severity: 'error',
      hint: 'For example: v12 c',
      context: '  v16 d ; loud',
    },
  ])
})

test('A long line is cut to a window around the place.', () => {
  const [first] = ppmck(`A ${'c '.repeat(5000)}?${' d'.repeat(5000)}`).errors
  expect(first?.column).toBe(10_003)
  expect(first?.context.length).toBeLessThanOrEqual(MAX_CONTEXT_CHARS)
  expect(first?.context).toContain('c ? d')
})

test('A window never splits a character.', () => {
  const [first] = ppmck(`A ${'\u{1F600}'.repeat(500)}`).errors
  expect(first?.context.isWellFormed()).toBe(true)
})

test.each([
  ['a'.repeat(24), `"${'a'.repeat(24)}"`],
  ['a'.repeat(25), `"${'a'.repeat(24)}..."`],
  ['\u{1F600}'.repeat(24), `"${'\u{1F600}'.repeat(24)}"`],
  ['\u{1F600}'.repeat(25), `"${'\u{1F600}'.repeat(24)}..."`],
])('The source text %j is quoted as %s.', (text, quoted) => {
  expect(quote(text)).toBe(quoted)
})

test('A list ends with the number of omitted diagnostics.', () => {
  const { errors } = ppmck(`A ${'?'.repeat(20_000)}`)
  expect(errors).toHaveLength(MAX_DIAGNOSTICS + 1)
  expect(errors.at(-1)).toMatchObject({ severity: 'error', column: MAX_DIAGNOSTICS + 3 })
  expect(errors.at(-1)?.message).toBe('At least 900 more errors from here on.')
  expect(ppmck(`A ${'?'.repeat(120)}`).errors.at(-1)?.message).toBe('20 more errors from here on.')
})

const HINTS: readonly (readonly [Dialect, string, string | RegExp])[] = [
  ['ppmck', 'A C4', 'Did you mean c?'],
  ['pyxel', '0: c4', /native/],
  ['ppmck', 'A c\uff14', 'Write the ASCII character 4.'],
  ['ppmck', 'A c\u0664', 'Write numbers with the digits 0 to 9.'],
  ['ppmck', 'A c\u200b', 'Remove this invisible character.'],
  ['ppmck', 'A (c d)', /native/],
  ['pyxel', '0: C ; bass', /no comments/],
  ['ppmck', '#TITEL "x"\nA c', 'Did you mean TITLE?'],
  ['ppmck', '@v2={1}\n@v9={1}\nA @v3 c', 'Did you mean 2? Defined: 2, 9.'],
  ['ppmck', 'A @v3 c', 'Define it first: @v1={0,1}.'],
]

test.each(HINTS)('The %s text %j has a hint.', (mode, text, hint) => {
  expect(analyse(mode, text, NO_PROFILE).errors[0]?.hint).toMatch(hint)
})

test('Track letters without a blank after them have a hint.', () => {
  expect(ppmck('A[c]2', { profile: 'native' }).errors[0]?.hint).toMatch(/blank/)
})

test('A byte order mark is not a character, and CR LF and CR end lines.', () => {
  expect(faults(ppmck('\uFEFF? A c\r\n\t?\r?'))).toEqual([
    'SYNTAX_INVALID_TOKEN 1:1',
    'SYNTAX_INVALID_TOKEN 2:2',
    'SYNTAX_INVALID_TOKEN 3:1',
  ])
})

test('A text that is too long is refused before it is read.', () => {
  const { errors, sequence } = ppmck(`A ${'c'.repeat(MAX_INPUT_BYTES)}`)
  expect(sequence).toBe(null)
  expect(errors).toMatchObject([{ code: 'VALIDATION_INPUT_TOO_LARGE', phase: 'api', line: 0, column: 0, context: '' }])
  expect(faults(ppmck(`A ${'\u3042'.repeat(MAX_INPUT_BYTES / 2)}`))).toEqual(['VALIDATION_INPUT_TOO_LARGE 0:0'])
})

test('Noise notes are one warning with a count.', () => {
  const { warnings } = ppmck('N c d [e]8')
  expect(warnings).toMatchObject([{ code: 'SEMANTIC_CHANNEL_MISMATCH', line: 1, column: 3, severity: 'warning' }])
  expect(warnings[0]?.message).toContain('10 notes')
})

test('Notes that the chip cannot play are one warning for each cause and track.', () => {
  expect(cautions(ppmck('A o0 c d e o1 a\nT o0 c a o7 b'))).toEqual([
    'SEMANTIC_NOTE_OUT_OF_RANGE 1:6',
    'SEMANTIC_NOTE_OUT_OF_RANGE 2:6',
  ])
  expect(cautions(pyxel('0: O7 K127 C C'))).toEqual(['SEMANTIC_NOTE_OUT_OF_RANGE 1:12'])
  expect(cautions(pyxel('0: O7 K36 B'))).toEqual(['SEMANTIC_NOTE_OUT_OF_RANGE 1:11'])
})

test('A repeat without a count is a warning.', () => {
  expect(cautions(ppmck('A [c]'))).toEqual(['SEMANTIC_UNSUPPORTED_FEATURE 1:5'])
})

test('Different tempos at one moment are a warning.', () => {
  expect(cautions(ppmck('A t120 c t90 c\nB t100 c t90 c'))).toEqual(['SEMANTIC_CHANNEL_MISMATCH 2:3'])
  expect(cautions(ppmck('A t120 c\nB t120 c'))).toEqual([])
})

test('A text with nothing to play is a warning, and rests count.', () => {
  for (const text of ['A', '; only words', 'A v4 t90', '@v1={1}']) {
    expect(cautions(ppmck(text))[0], text).toMatch(/^SEMANTIC_EMPTY_TRACK 1:/)
  }
  expect(cautions(ppmck('A r1'))).toEqual([])
})

test('A faulty statement has no effect.', () => {
  expect(faults(ppmck('A o9 v99 [> c]3 @v1={16} @v1 c'))).toEqual([
    'SEMANTIC_VALUE_OUT_OF_RANGE 1:3',
    'SEMANTIC_VALUE_OUT_OF_RANGE 1:6',
    'SEMANTIC_VALUE_OUT_OF_RANGE 1:17',
    'SEMANTIC_UNDEFINED_REFERENCE 1:26',
  ])
})

const NATIVE: readonly string[] = [
  'C cde',
  'AB c',
  'D\nA c',
  'E c',
  '#TITLE Harbour\nA c',
  'A c /* d */ e',
  '\uFEFFC c',
  'A c\r\nC d',
]
const HOUSE: readonly string[] = [
  'A c',
  'A l8\nc d e f',
  'A c\nMPOF c',
  'A c\nEPOF\nENOF c',
  '@EP1={1}\nA c\nEP1 c\nEP 1 c',
  '#TITLE "Harbour Town"\nA c',
  '#TITLE\nA c',
  'A c ; C D E\n; /* x',
  'A c\nD50 c',
  '  C c',
]

test('The profile auto detects native texts.', () => {
  for (const text of NATIVE) expect(ppmck(text).profile, text).toBe('native')
  for (const text of HOUSE) expect(ppmck(text).profile, text).toBe('house')
})

test('A given profile applies.', () => {
  expect(ppmck('A c', { profile: 'native' }).profile).toBe('native')
  expect(ppmck('C c', { profile: 'house' }).profile).toBe('house')
  expect(score(ppmck('A c', { profile: 'auto' }))).toBe('0:60:192')
})
