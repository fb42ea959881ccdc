import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { sanitize } from '../../src/text/sanitize.ts'
import { runs } from '../support/runs.ts'

/** Shows what is not seen: `U+200B`. */
function shown(text: string): string {
  return text.replace(/[\0\p{Cf}\uFE0F]/gu, (unit) => `<${unit.codePointAt(0)?.toString(16)}>`)
}

const ENGLAND = '\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}'

test.each([
  ['plain characters', 'a-b "c"\n\td', 'a-b "c"\n\td'],
  ['lone surrogates', 'a\uD800b\uDC00', 'a\uFFFDb\uFFFD'],
  ['a surrogate pair', '\uD83D\uDE00', '😀'],
  ['NUL', 'a\0b', 'ab'],
  ['direction marks', 'a\u202Eb\u2066c\u2069d\u200E\u061C', 'abcd'],
  ['zero-width characters', 'pass\u200Bword\uFEFF\u2060', 'password'],
  ['smuggled tags', 'hi\u{E0049}\u{E0067}\u{E006E}', 'hi'],
  ['tags after a flag that name no place', '🏴\u{E0049}\u{E0020}\u{E007F}', '🏴'],
  ['a subdivision flag', ENGLAND, shown(ENGLAND)],
  ['regional indicators', '🇯🇵', '🇯🇵'],
  ['a family', '👨\u200D👩\u200D👧', '👨<200d>👩<200d>👧'],
  ['a joiner after a variation selector', '❤\uFE0F\u200D🔥', '❤<fe0f><200d>🔥'],
  ['a joiner after a skin tone', '👩🏽\u200D💻', '👩🏽<200d>💻'],
  ['joiners between letters', 'می\u200Cخواهم क्\u200Dष', 'می<200c>خواهم क्<200d>ष'],
  ['a stray tag before a joiner', 'x\u{E007F}\u200D👩', 'x👩'],
  ['a joiner beside a zero-width space', '👨\u200D\u200B👩', '👨👩'],
  ['a joiner alone', 'a\u200D b 👨\u200D', 'a b 👨'],
])('The sanitized form of a text with %s is known.', (_, text, expected) => {
  expect(shown(sanitize(text))).toBe(expected)
})

const fragment = fc.oneof(
  fc.constantFrom('a', 'क', '्', '\u200D', '\u200C', '\u200B', '\0', '\u202E', '👨', '🏴', '🏽', '\uFE0F', '\uD800'),
  fc.constantFrom('\u{E0067}', '\u{E0062}', '\u{E0065}', '\u{E007F}', '\u{E0001}', '🇯', '🇵', ENGLAND, ' '),
)

test('Sanitizing is idempotent and keeps visible characters.', () => {
  fc.assert(
    fc.property(fc.array(fragment, { maxLength: 24 }), (fragments) => {
      const once = sanitize(fragments.join(''))
      expect(sanitize(once)).toBe(once)
      expect(once.isWellFormed()).toBe(true)
      const seen = /[^\0\p{Cf}]/gu
      expect(once.match(seen)).toEqual(fragments.join('').toWellFormed().match(seen))
    }),
    { numRuns: runs(400) },
  )
})
