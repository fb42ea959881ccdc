/**
 * The lexicon of a dialect in a profile: its note letters, its marks, and how
 * comments and tracks are written. Command names come from the command table.
 */
import { listCommands } from './commands.ts'
import type { Command } from './commands.ts'
import type { Dialect, Profile } from './dialect.ts'

export interface Lexicon {
  readonly mode: Dialect
  readonly profile: Profile
  /** Command names and marks by first character, longest first. */
  readonly spellings: ReadonlyMap<string, readonly Spelling[]>
  readonly notes: ReadonlyMap<string, number>
  readonly rest: string
  /** Letters may be written in either case. */
  readonly foldsCase: boolean
  readonly comments: readonly string[]
  readonly blockComments: boolean
  readonly hexNumbers: boolean
  readonly headers: boolean
  /** Letters: a capital letter anywhere. Lines: a letter group at the start of a line. Digits: a number before a colon. */
  readonly tracks: 'letters' | 'lines' | 'digits'
}

export interface Spelling {
  readonly text: string
  readonly command: Command | null
}

const SEMITONES = [
  ['c', 0],
  ['d', 2],
  ['e', 4],
  ['f', 5],
  ['g', 7],
  ['a', 9],
  ['b', 11],
] as const

const PPMCK_MARKS = ['+', '-', '#', '.', ',', '=', '{', '}', '|', '[', ']', '^', '&']
const PPMCK_NATIVE_MARKS = ['(', ')', '_', '~', '%', '|:', ':|', '\\', '$']
const PYXEL_MARKS = ['+', '-', '#', '.', '|', '[', ']', '&', ':']
const PYXEL_NATIVE_MARKS = ['{', '}', ',', '*']

/** Definitions of expansion chips and samples. They are skipped, and one warning names them. */
export const FOREIGN_DEFINITIONS = ['@DPCM', '@FM', '@OP', '@OPL', '@N', '@W', '@M', '@S', '@X']

/** The lexicon of a dialect in a profile, built once. */
export function lexiconOf(mode: Dialect, profile: Profile): Lexicon {
  const key = `${mode} ${profile}`
  const known = LEXICONS.get(key) ?? toLexicon(mode, profile)
  LEXICONS.set(key, known)
  return known
}

const LEXICONS = new Map<string, Lexicon>()

function toLexicon(mode: Dialect, profile: Profile): Lexicon {
  const native = profile === 'native'
  const isPpmck = mode === 'ppmck'
  const marks = isPpmck
    ? [...PPMCK_MARKS, ...(native ? [...PPMCK_NATIVE_MARKS, ...FOREIGN_DEFINITIONS] : [])]
    : [...PYXEL_MARKS, ...(native ? PYXEL_NATIVE_MARKS : [])]
  return {
    mode,
    profile,
    spellings: toSpellings(mode, profile, marks),
    notes: new Map(SEMITONES.map(([letter, value]) => [isPpmck ? letter : letter.toUpperCase(), value])),
    rest: isPpmck ? 'r' : 'R',
    foldsCase: !isPpmck && native,
    comments: isPpmck ? (native ? [';', '/'] : [';']) : [],
    blockComments: isPpmck && native,
    hexNumbers: isPpmck && native,
    headers: isPpmck,
    tracks: isPpmck ? (native ? 'lines' : 'letters') : 'digits',
  }
}

function toSpellings(mode: Dialect, profile: Profile, marks: readonly string[]): Map<string, Spelling[]> {
  const spellings = new Map<string, Spelling[]>()
  const named = listCommands(mode, profile).map((command) => ({ text: command.name, command }))
  for (const spelling of [...named, ...marks.map((text) => ({ text, command: null }))]) {
    const first = spelling.text.charAt(0)
    spellings.set(first, [...(spellings.get(first) ?? []), spelling])
  }
  for (const list of spellings.values()) list.sort((a, b) => b.text.length - a.text.length)
  return spellings
}
