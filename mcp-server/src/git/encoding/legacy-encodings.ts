/**
 * Finds the encoding of text that is not UTF-8: the declared one, else the best
 * guess whose decoding is text. The answer depends on the bytes alone, so that a
 * repeated import gives the same text.
 */
import { detectAll } from 'jschardet'
import { countMatches } from './count-matches.ts'

/** The detector's names of the encodings that are guessed, with the labels of `TextDecoder`. */
const GUESSED: ReadonlyMap<string, string> = new Map([
  ['cp932', 'shift_jis'],
  ['euc-jp', 'euc-jp'],
  ['gb18030', 'gb18030'],
  ['big5', 'big5'],
  ['cp949', 'euc-kr'],
  ['windows-1252', 'windows-1252'],
  ['windows-1250', 'windows-1250'],
  ['windows-1251', 'windows-1251'],
  ['windows-1253', 'windows-1253'],
  ['windows-1254', 'windows-1254'],
  ['windows-1255', 'windows-1255'],
  ['windows-1256', 'windows-1256'],
  ['iso-8859-2', 'iso-8859-2'],
  ['koi8-r', 'koi8-r'],
])

/** Tried last, where the bytes are too few for the detector. */
const COMMONEST = 'windows-1252'

/** Names of encodings in git's attributes that `TextDecoder` calls otherwise. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['cp932', 'shift_jis'],
  ['sjis-win', 'shift_jis'],
  ['eucjp', 'euc-jp'],
  ['eucjp-win', 'euc-jp'],
  ['cp936', 'gbk'],
  ['cp949', 'euc-kr'],
  ['uhc', 'euc-kr'],
  ['euckr', 'euc-kr'],
  ['cp950', 'big5'],
  ['latin1', 'iso-8859-1'],
  ['utf-16-bom', 'utf-16'],
  ['utf-16le-bom', 'utf-16le'],
  ['utf-16be-bom', 'utf-16be'],
])

/** The detector looks at no more of a text; enough to be sure. */
const SAMPLE_BYTES = 65_536

/** Controls that are in no text: C0 but tab, newlines, form feed, escape and the end mark of DOS, and C1. */
// oxlint-disable-next-line no-control-regex -- these characters are what is looked for
const CONTROLS = /[\0-\x08\x0b\x0e-\x19\x1c-\x1f\x7f-\x9f]/

/** Letters of Greek, Cyrillic, Hebrew and Arabic, alone and beside a Latin letter. */
const OTHER_ALPHABET_WORD = /(?<![a-z])[\u0370-\u06ff]{2,}(?![a-z])/gi
const MIXED_WORD = /[a-z][\u0370-\u06ff]|[\u0370-\u06ff][a-z]/gi

/** The label of `TextDecoder` for a declared encoding; undefined for an unknown one. */
export function toEncodingLabel(declared: string): string | undefined {
  const name = declared.trim().toLowerCase()
  try {
    return new TextDecoder(OTHER_NAMES.get(name) ?? name).encoding
  } catch {
    return undefined
  }
}

/** The label of the encoding that these bytes most likely have; undefined when none of them gives text. */
export function guessEncoding(bytes: Uint8Array): string | undefined {
  const sample = bytes.subarray(0, SAMPLE_BYTES)
  const guesses = detectAll(sample, { detectEncodings: [...GUESSED.keys()], minimumThreshold: 0 })
  const labels = guesses.flatMap(({ encoding }) => GUESSED.get(encoding?.toLowerCase() ?? '') ?? [])
  return [...labels, COMMONEST].find((label) => isText(sample, label))
}

function isText(bytes: Uint8Array, label: string): boolean {
  try {
    // As part of a stream, so that the sample may end within a character.
    const text = new TextDecoder(label, { fatal: true, ignoreBOM: false }).decode(bytes, { stream: true })
    // An accent within a Latin word is a letter of another alphabet in the encodings for those.
    return !CONTROLS.test(text) && countMatches(text, MIXED_WORD) <= countMatches(text, OTHER_ALPHABET_WORD)
  } catch {
    return false
  }
}
