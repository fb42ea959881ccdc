/**
 * Parser of the ppmck dialect: headers, definitions, then tracks. In house texts a
 * capital letter anywhere starts a track; in native texts each line starts with
 * the letters of its tracks and continues them.
 */
import type { Definition, Header, Track, TrackPlace, Tree } from './ast.ts'
import type { Diagnostics } from './diagnostic.ts'
import { quote } from './diagnostic.ts'
import { lex } from './lexer.ts'
import { FOREIGN_DEFINITIONS, lexiconOf } from './lexicon.ts'
import type { Lexicon } from './lexicon.ts'
import { parseCommand } from './parse-command.ts'
import { parseBody } from './parse-body.ts'
import { TokenReader } from './token-reader.ts'
import type { Profile } from './dialect.ts'
import { nearestWord } from './suggest.ts'
import type { Token } from './lexer.ts'

const HOUSE_TRACKS: Readonly<Record<string, TrackPlace>> = { A: 0, B: 1, T: 2, N: 3, L: 'loop' }
const NATIVE_TRACKS: Readonly<Record<string, TrackPlace>> = { A: 0, B: 1, C: 2, D: 3, E: 'sample' }

const HOUSE_KEYS = [
  'TITLE',
  'COMPOSER',
  'PROGRAMER',
  'OCTAVE-REV',
  'INCLUDE',
  'EX-DISKFM',
  'EX-NAMCO106',
  'BANK-CHANGE',
  'EFFECT-INCLUDE',
]
const NATIVE_KEYS = [
  ...HOUSE_KEYS,
  'MAKER',
  'GATE-DENOM',
  'PITCH-CORRECTION',
  'DPCM-RESTSTOP',
  'NO-BANKSWITCH',
  'AUTO-BANKSWITCH',
  'SET-EFFECT',
]

/** The tokens of a line, and the letters of its tracks (null for a line of no track). */
interface Line {
  readonly tracks: Token | null
  readonly tokens: Token[]
}

export function parsePpmck(text: string, profile: Profile, diagnostics: Diagnostics): Tree {
  const lexicon = lexiconOf('ppmck', profile)
  const tokens = lex(text, lexicon)
  const parts =
    profile === 'house'
      ? parseHouse(tokens, lexicon, diagnostics, text)
      : parseNative(tokens, lexicon, diagnostics, text)
  return { mode: 'ppmck', profile, ...parts }
}

type Parts = Pick<Tree, 'headers' | 'definitions' | 'tracks'>

function parseHouse(tokens: readonly Token[], lexicon: Lexicon, diagnostics: Diagnostics, text: string): Parts {
  const reader = new TokenReader(tokens, lexicon, diagnostics, text.length)
  const headers: Header[] = []
  const definitions: Definition[] = []
  const tracks: Track[] = []
  const endsTrack = () => reader.isKind('tracks') || reader.isKind('header')
  for (let token = reader.next(); token !== undefined; token = reader.next()) {
    if (token.kind === 'header') {
      const comesLate = definitions.length > 0 || tracks.length > 0
      if (comesLate) reader.reject(token, 'a track or a definition')
      const header = parseHeader(reader, token, comesLate)
      if (header) headers.push(header)
    } else if (token.kind === 'tracks') {
      const track = {
        place: HOUSE_TRACKS[token.text] ?? 0,
        name: token.text,
        at: token.at,
        body: parseBody(reader, endsTrack),
      }
      if (tracks.some(({ place }) => place === track.place)) reportDuplicate(track, diagnostics)
      else tracks.push(track)
      if (track.place === 'loop') checkLoopTrack(track, diagnostics)
    } else {
      parseGlobal(reader, token, definitions)
    }
  }
  return { headers, definitions, tracks }
}

export function reportDuplicate(track: Pick<Track, 'name' | 'at'>, diagnostics: Diagnostics): void {
  const hint = 'Write all of a track in one place.'
  diagnostics.error('SYNTAX_DUPLICATE_TRACK', track.at, `Track ${track.name} was already written above.`, hint)
}

/** Reports everything in a loop track that does not only take time. */
function checkLoopTrack(track: Track, diagnostics: Diagnostics): void {
  for (const statement of track.body) {
    const measures = ['rest', 'extend', 'open', 'break', 'close'].includes(statement.kind)
    if (measures || (statement.kind === 'timed' && statement.command.effect === 'defaultLength')) continue
    const message = 'Track L measures the time before the loop; only l, rests and repeats are allowed in it.'
    diagnostics.error('SYNTAX_UNEXPECTED_TOKEN', statement.at, message)
  }
}

/** Outside a track: a definition, or an error. */
function parseGlobal(reader: TokenReader, token: Token, definitions: Definition[]): void {
  const { command } = token
  const statement =
    command?.role !== undefined && command.role !== 'select' ? parseCommand(reader, token, command) : null
  if (statement?.kind === 'define') {
    definitions.push(statement)
  } else if (statement !== null || command?.role === undefined || command.role === 'select') {
    reader.reject(token, 'a header, a definition or a track')
    if (statement === null && (token.kind === 'command' || token.kind === 'note')) reader.number(true)
  }
}

function parseHeader(reader: TokenReader, token: Token, comesLate: boolean): Header | null {
  const key = reader.isKind('key') ? reader.next() : undefined
  const value = ['string', 'value'].includes(reader.peek()?.kind ?? '') ? reader.next() : undefined
  const unclosed = key && value === undefined && reader.peek()?.text.startsWith('"') ? reader.next() : undefined
  if (comesLate) return null
  const { diagnostics, native } = reader
  if (key === undefined || unclosed !== undefined) {
    const message = key === undefined ? 'A header needs its name after #.' : 'The quotation mark is not closed.'
    diagnostics.error('SYNTAX_UNTERMINATED_HEADER', token.at, message, 'For example: #TITLE "Harbour"')
    return null
  }
  const known = native ? NATIVE_KEYS : HOUSE_KEYS
  const name = key.text.toUpperCase()
  if (!known.includes(name) && !(native && name.startsWith('EX-'))) {
    const near = nearestWord(name, known)
    const hint = near ? `Did you mean ${near}?` : `Known are ${known.join(', ')}.`
    diagnostics.error('SYNTAX_UNEXPECTED_TOKEN', key.at, `${quote(key.text)} is not a header.`, hint)
    return null
  }
  if (value?.kind === 'value' && !native) {
    const message = `The value ${quote(value.text)} has no quotation marks.`
    diagnostics.error('SYNTAX_UNEXPECTED_TOKEN', value.at, message, `Write "${value.text}", or pass profile "native".`)
    return null
  }
  return { at: token.at, key: name, value: (value?.text ?? '').replace(/^"|"$/g, '') }
}

function parseNative(tokens: readonly Token[], lexicon: Lexicon, diagnostics: Diagnostics, text: string): Parts {
  const headers: Header[] = []
  const definitions: Definition[] = []
  const bodies = new Map<string, { first: Token; tokens: Token[] }>()
  const foreign = new Map<string, Token>()
  for (const line of toLines(tokens)) {
    const reader = new TokenReader(line.tokens, lexicon, diagnostics, text.length)
    if (line.tracks === null) parseNativeGlobals(reader, headers, definitions, foreign)
    for (const letter of line.tracks?.text ?? '') {
      const first = line.tracks as Token
      if (NATIVE_TRACKS[letter] === undefined) {
        foreign.set(letter, foreign.get(letter) ?? first)
        continue
      }
      const body = bodies.get(letter) ?? { first, tokens: [] }
      bodies.set(letter, body)
      for (const token of line.tokens) body.tokens.push(token)
    }
  }
  reportForeign(foreign, diagnostics)
  const tracks = [...bodies].map(([name, { first, tokens }]) => {
    const reader = new TokenReader(tokens, lexicon, diagnostics, text.length)
    return { place: NATIVE_TRACKS[name] ?? 0, name, at: first.at, body: parseBody(reader, () => false) }
  })
  return { headers, definitions, tracks }
}

/** Each line that names its tracks, with the lines that continue it; headers and definitions are lines of no track. */
function toLines(tokens: readonly Token[]): Line[] {
  const lines: Line[] = []
  let line: Line = { tracks: null, tokens: [] }
  const begin = (tracks: Token | null) => {
    line = { tracks, tokens: [] }
    lines.push(line)
  }
  begin(null)
  for (const [index, token] of tokens.entries()) {
    const isDefinition = tokens[index + 1]?.kind === 'number' && tokens[index + 2]?.text === '='
    if (token.kind === 'tracks') begin(token)
    else if (token.kind === 'header' || isDefinition || FOREIGN_DEFINITIONS.includes(token.text)) begin(null)
    if (token.kind !== 'tracks') line.tokens.push(token)
  }
  return lines
}

function parseNativeGlobals(
  reader: TokenReader,
  headers: Header[],
  definitions: Definition[],
  foreign: Map<string, Token>,
): void {
  for (let token = reader.next(); token !== undefined; token = reader.next()) {
    if (token.kind === 'header') {
      const header = parseHeader(reader, token, false)
      if (header) headers.push(header)
    } else if (FOREIGN_DEFINITIONS.includes(token.text)) {
      foreign.set(token.text, foreign.get(token.text) ?? token)
      while (reader.peek() !== undefined && reader.next()?.text !== '}');
    } else {
      parseGlobal(reader, token, definitions)
    }
  }
}

/** One warning for all tracks and definitions of other sound chips. */
function reportForeign(foreign: ReadonlyMap<string, Token>, diagnostics: Diagnostics): void {
  const [first] = foreign.values()
  if (first === undefined) return
  const names = [...foreign.keys()].join(', ')
  const message = `Ignored, because they belong to expansion chips or samples: ${names}.`
  diagnostics.warning('SEMANTIC_UNSUPPORTED_FEATURE', first.at, message, 'A, B, C and D are played.')
}
