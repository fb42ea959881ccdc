import { expect, test } from 'vitest'
import { composeMml } from '../../src/mml/compose.ts'
import { MAX_DIAGNOSTICS, MAX_INPUT_BYTES, MAX_NUMBER, MAX_TRACK_EVENTS } from '../../src/mml/limits.ts'
import type { Dialect, Profile } from '../../src/mml/language/dialect.ts'
import { faults, noteEvents, ppmck, pyxel } from './support/played.ts'

const WHOLE = MAX_INPUT_BYTES - 16

/** A quarter, for bodies whose time does not depend on more. */
const QUARTER = MAX_INPUT_BYTES / 4

/** The same noise every time: a linear congruential generator picks from the alphabet. */
function noise(alphabet: string, length: number): string {
  let state = 1
  return Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return alphabet[Math.floor(state / 65_536) % alphabet.length]
  }).join('')
}

const PRINTABLE = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)).join('')
const LETTERS = 'cdefgabCDEFGAB[]|&^<>{}()@vq#tl0123456789+-.,= \n_~%!:\\yknwKDMPOEL'

/** Bodies of a track. */
const BODIES: Readonly<Record<string, string>> = {
  'opening brackets': '['.repeat(WHOLE),
  'closing brackets': ']'.repeat(WHOLE),
  'empty repeats': '[]2'.repeat(QUARTER / 4),
  'nested repeats': `${'['.repeat(20_000)}c${']2'.repeat(20_000)}`,
  'nested slurs and tuplets': '({'.repeat(QUARTER / 2),
  'printable noise': noise(PRINTABLE, WHOLE),
  'noise of commands': noise(LETTERS, WHOLE),
  'control characters': noise('\u0000\u0007\u001b\u007f\u200b', QUARTER / 4),
  'Unicode digits': 'c\uff14d\u0664e\u00b2'.repeat(QUARTER / 12),
  'lone surrogates': '\ud800\udc00\ud800'.repeat(QUARTER / 12),
  ties: `c${'&'.repeat(QUARTER - 1)}`,
  'extended notes': `c${'^1'.repeat(QUARTER / 2 - 1)}`,
  dots: `c${'.'.repeat(QUARTER - 1)}`,
  accidentals: `c${'+'.repeat(QUARTER - 1)}`,
  bars: '|'.repeat(QUARTER),
  'command letters': 'v'.repeat(QUARTER),
  'at signs': '@'.repeat(QUARTER),
  'quotation marks': '"'.repeat(QUARTER),
  'unclosed comments': '/*'.repeat(QUARTER / 2),
  hashes: '#\n'.repeat(QUARTER / 2),
  blanks: `${' '.repeat(QUARTER - 1)}#`,
  heads: '0:'.repeat(QUARTER / 2),
  'lines of tracks': 'A c\n'.repeat(QUARTER / 4),
  'every length and tempo': Array.from({ length: 8_000 }, (_, index) => `t${index + 1}c${1 + (index % 192)}`).join(''),
  'a tuplet of everything': `{${'c'.repeat(60_000)}}4`,
  'one number': `l${'9'.repeat(QUARTER - 2)}`,
}

const READINGS: readonly (readonly [Dialect, Profile, string])[] = [
  ['ppmck', 'house', 'A '],
  ['ppmck', 'native', 'ABCD '],
  ['pyxel', 'house', '0: '],
  ['pyxel', 'native', '0: '],
]

for (const [mode, profile, head] of READINGS) {
  test.each(Object.keys(BODIES))(`The ${profile} profile of ${mode} gives a bounded answer for %s.`, (name) => {
    const { errors, warnings, sequence } = composeMml(head + BODIES[name], { mode, profile })
    expect(errors.length).toBeLessThanOrEqual(MAX_DIAGNOSTICS + 1)
    expect(warnings.length).toBeLessThanOrEqual(MAX_DIAGNOSTICS + 1)
    expect(JSON.stringify([errors, warnings]).length).toBeLessThan(128 * 1024)
    expect(errors.map(({ code }) => code)).not.toContain('RUNTIME_INTERNAL_ERROR')
    expect(sequence === null).toBe(errors.length > 0)
    for (const channel of Object.values(sequence?.channels ?? {})) {
      expect(channel.events.length).toBeLessThanOrEqual(MAX_TRACK_EVENTS)
    }
  })
}

test('A million brackets are refused or reported without recursion.', () => {
  for (const bracket of ['[', ']', '[]']) {
    expect(faults(ppmck(`A ${bracket.repeat(1_000_000)}`))).toEqual(['VALIDATION_INPUT_TOO_LARGE 0:0'])
  }
})

test('Huge repeats are refused without unrolling.', () => {
  expect(faults(ppmck('A [c]1000000000'))).toEqual(['SEMANTIC_VALUE_OUT_OF_RANGE 1:5'])
  expect(faults(ppmck('A c[^4]1000000000'))).toEqual(['SEMANTIC_VALUE_OUT_OF_RANGE 1:7'])
  expect(faults(ppmck('A [[[[c]999999]999999]999999]999999'))).toEqual(['SEMANTIC_VALUE_OUT_OF_RANGE 1:8'])
  expect(faults(pyxel(`0: ${'['.repeat(3000)}C${']9'.repeat(3000)}`))).toHaveLength(1)
  expect(noteEvents(ppmck('A [c16]99999'))).toHaveLength(99_999)
})

test('The limit of events applies to text without repeats, at its last statement.', () => {
  expect(faults(ppmck(`A ${'c'.repeat(MAX_TRACK_EVENTS)}`))).toEqual([])
  expect(faults(ppmck(`A ${'c'.repeat(MAX_TRACK_EVENTS + 5)}`))).toEqual([
    `SEMANTIC_VALUE_OUT_OF_RANGE 1:${MAX_TRACK_EVENTS + 7}`,
  ])
})

test('Long numbers saturate at the largest number.', () => {
  const digits = '9'.repeat(4000)
  expect(faults(ppmck(`A c${digits} v${digits} [c]${digits}`))).toEqual([
    'SEMANTIC_VALUE_OUT_OF_RANGE 1:3',
    'SEMANTIC_VALUE_OUT_OF_RANGE 1:4005',
    'SEMANTIC_VALUE_OUT_OF_RANGE 1:8009',
  ])
  expect(ppmck(`A t${digits} c`).sequence?.bpm).toBe(MAX_NUMBER)
  expect(ppmck(`A c${digits}`).errors[0]?.message.length).toBeLessThan(200)
})

test('Property names of JavaScript have no effect.', () => {
  for (const text of ['#__proto__ "x"\nA c', '#constructor\nA c', '@v1={1}\nA toString', '#toString x']) {
    expect(ppmck(text, { profile: 'house' }).errors.length, text).toBeGreaterThan(0)
    expect(ppmck(text, { profile: 'native' }).errors.length, text).toBeGreaterThan(0)
  }
})
