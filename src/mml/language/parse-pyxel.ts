/**
 * Parser of the pyxel dialect: tracks start with `0:` to `3:`. Pyxel itself has one
 * string a channel and no track heads; in the native profile a text without heads
 * is read as such strings, one a line.
 */
import type { Track, TrackPlace, Tree } from './ast.ts'
import type { Diagnostics } from './diagnostic.ts'
import { lex } from './lexer.ts'
import { lexiconOf } from './lexicon.ts'
import type { Lexicon } from './lexicon.ts'
import { parseBody } from './parse-body.ts'
import { reportDuplicate } from './parse-ppmck.ts'
import { TokenReader } from './token-reader.ts'
import { CHANNELS } from '../chip/channels.ts'
import type { Profile } from './dialect.ts'
import type { Token } from './lexer.ts'

export function parsePyxel(text: string, profile: Profile, diagnostics: Diagnostics): Tree {
  const lexicon = lexiconOf('pyxel', profile)
  const tokens = lex(text, lexicon)
  const [first] = tokens
  const headless = profile === 'native' && first !== undefined && !tokens.some(({ kind }) => kind === 'tracks')
  const tracks = headless
    ? parseStrings(tokens, first, text, lexicon, diagnostics)
    : parseTracks(new TokenReader(tokens, lexicon, diagnostics, text.length))
  return { mode: 'pyxel', profile, headers: [], definitions: [], tracks }
}

function parseTracks(reader: TokenReader): Track[] {
  const tracks: Track[] = []
  const { diagnostics } = reader
  for (let token = reader.next(); token !== undefined; token = reader.next()) {
    if (token.kind !== 'tracks') {
      reader.reject(token, 'the head of a track, 0: to 3:,')
      if (token.kind === 'command' || token.kind === 'note') reader.number(true)
      continue
    }
    reader.next()
    const place = toPlace(token)
    if (place === null) {
      const hint = 'Tracks are 0: and 1: (pulse), 2: (triangle) and 3: (noise).'
      diagnostics.error('SYNTAX_INVALID_TRACK_HEADER', token.at, `There is no track ${token.text.slice(0, 9)}.`, hint)
      continue
    }
    const body = parseBody(reader, () => reader.isKind('tracks'))
    const track: Track = { place, name: token.text, at: token.at, body }
    if (tracks.some((other) => other.place === place)) reportDuplicate(track, diagnostics)
    else tracks.push(track)
  }
  return tracks
}

function toPlace({ text }: Token): TrackPlace | null {
  const places: readonly TrackPlace[] = [0, 1, 2, 3]
  return text.length === 1 ? (places[Number(text)] ?? null) : null
}

/** One line a channel, up to four. More lines, or brackets that span lines, make the whole text one string on channel 0. */
function parseStrings(
  tokens: readonly Token[],
  first: Token,
  text: string,
  lexicon: Lexicon,
  diagnostics: Diagnostics,
): Track[] {
  const message = 'There are no track heads, so each line is read as one channel, from 0: on.'
  diagnostics.warning('SEMANTIC_OUTSIDE_TRACK', first.at, message, 'Write 0: to 3: before the tracks.')
  const lines = toLines(tokens, text)
  const whole = lines.length > CHANNELS.length || lines.some((line) => count(line, '[') !== count(line, ']'))
  return (whole ? [[...tokens]] : lines).map((line, index) => {
    const reader = new TokenReader(line, lexicon, diagnostics, text.length)
    const place = index as 0 | 1 | 2 | 3
    return { place, name: String(place), at: line[0]?.at ?? 0, body: parseBody(reader, () => false) }
  })
}

function toLines(tokens: readonly Token[], text: string): Token[][] {
  const lines: Token[][] = []
  let end = 0
  for (const token of tokens) {
    if (lines.length === 0 || /[\r\n]/.test(text.slice(end, token.at))) lines.push([])
    lines.at(-1)?.push(token)
    end = token.at + token.text.length
  }
  return lines
}

function count(tokens: readonly Token[], mark: string): number {
  return tokens.filter(({ kind, text }) => kind === 'mark' && text === mark).length
}
