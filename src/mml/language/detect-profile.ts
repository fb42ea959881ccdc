/**
 * Detects the profile of a text: native when it contains syntax that only the
 * dialect's own compiler reads, else house.
 */
import type { Dialect, Profile } from './dialect.ts'

/** A group of capital letters at the start of a line, followed by a blank or the end of the line. */
const LINE_HEAD = /^([A-Z]+)(?=[ \t]|$)(.*)/
const NEVER_TRACKS = ['MPOF', 'EPOF', 'ENOF']
const SELECTORS = ['MP', 'EP', 'EN']
const UNQUOTED_HEADER = /^[ \t]*#[ \t]*[A-Za-z][A-Za-z0-9-]*[ \t]+[^"\s;]/
const BRACED_PARAMETERS = /@(?:ENV|VIB|GLI)[ \t]*[0-9]*\s*\{/i

/** `text` has no byte order mark. */
export function detectProfile(text: string, mode: Dialect): Profile {
  if (mode === 'pyxel') return BRACED_PARAMETERS.test(text) ? 'native' : 'house'
  const lines = text.split(/\r\n|\r|\n/)
  return lines.some(showsNative) ? 'native' : 'house'
}

function showsNative(line: string): boolean {
  const [code = ''] = line.split(';', 1)
  if (code.includes('/*')) return !/^[ \t]*#/.test(code)
  if (UNQUOTED_HEADER.test(code)) return true
  const [, letters = '', after = ''] = LINE_HEAD.exec(code) ?? []
  if (letters === '' || NEVER_TRACKS.includes(letters)) return false
  if (SELECTORS.includes(letters) && /^[ \t]*[0-9]/.test(after)) return false
  return letters.length > 1 || 'CDE'.includes(letters)
}
