/**
 * Bytes of a file, a patch or a message as text: UTF-16 with a byte order mark
 * or as declared, UTF-8, else a legacy encoding, declared or guessed. Lines that
 * are UTF-8 stay what they are: only the others are decoded otherwise, so that a
 * patch may convert a file. Never fails; what no encoding explains is replaced.
 */
import { countMatches } from './count-matches.ts'
import { guessEncoding, toEncodingLabel } from './legacy-encodings.ts'
import { splitBytes } from './split-bytes.ts'

/** Bytes in which git looks for a NUL before it calls a file binary. */
const BINARY_PROBE_BYTES = 8_000
const NEWLINE_BYTE = 0x0a

/** These have a NUL in nearly every line, and none in UTF-8. */
const WIDE = new Set(['utf-16le', 'utf-16be'])

/** The text of these bytes without a byte order mark. `declared` is the encoding that attributes name. */
export function decodeText(bytes: Uint8Array, declared?: string): string {
  const wide = wideEncodingOf(bytes, declared)
  if (wide !== undefined) return new TextDecoder(wide).decode(bytes)
  const text = decodeStrictly(bytes, 'utf-8')
  if (text === undefined) return decodeLines(bytes, declared)
  return (isIso2022(text) ? decodeStrictly(bytes, 'iso-2022-jp') : undefined) ?? text
}

/** UTF-16 by its byte order mark, or because it is declared and the bytes cannot be another text. */
export function wideEncodingOf(bytes: Uint8Array, declared?: string): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le'
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be'
  if (declared === undefined || !hasNul(bytes)) return undefined
  const label = toEncodingLabel(declared)
  return label !== undefined && WIDE.has(label) ? label : undefined
}

/** True for a file without text: by git's own rule, but for UTF-16. */
export function isBinary(bytes: Uint8Array, declared?: string): boolean {
  return hasNul(bytes) && wideEncodingOf(bytes, declared) === undefined
}

function hasNul(bytes: Uint8Array): boolean {
  return bytes.subarray(0, BINARY_PROBE_BYTES).includes(0)
}

function decodeStrictly(bytes: Uint8Array, label: string): string | undefined {
  try {
    return new TextDecoder(label, { fatal: true, ignoreBOM: false }).decode(bytes)
  } catch {
    return undefined
  }
}

/** ISO-2022-JP is valid UTF-8, but its escape sequences have no use in any other text. */
function isIso2022(text: string): boolean {
  return text.includes('\x1b$B') || text.includes('\x1b$@')
}

/** No encoding that is guessed has the byte of a newline within a character. */
function decodeLines(bytes: Uint8Array, declared: string | undefined): string {
  const lines = splitBytes(bytes, NEWLINE_BYTE)
  const texts = lines.map(decodeUtf8Line)
  const legacy = lines.filter((_, at) => texts[at] === undefined)
  const isDamaged = legacy.length === 0
  const label = isDamaged ? 'utf-8' : (legacyLabel(declared) ?? guessEncoding(joinLines(legacy)) ?? 'utf-8')
  const decoder = new TextDecoder(label)
  return lines
    .map((line, at) => texts[at] ?? decoder.decode(line))
    .join('\n')
    .replace(/^\ufeff/, '')
}

function legacyLabel(declared: string | undefined): string | undefined {
  const label = declared === undefined ? undefined : toEncodingLabel(declared)
  return label === undefined || label === 'utf-8' || WIDE.has(label) ? undefined : label
}

/**
 * The text of a line that is UTF-8, or that is but for a few damaged bytes.
 * Undefined for another encoding, in which most bytes beyond ASCII are invalid;
 * two of them are a valid character now and then, three hardly ever. Git cuts
 * the heading of a hunk within a character.
 */
function decodeUtf8Line(line: Uint8Array): string | undefined {
  const text = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true }).decode(line)
  const invalid = countMatches(text, /\ufffd/g)
  const short = countMatches(text, /[\x80-\u07ff]/g)
  const long = countMatches(text, /[^\0-\u07ff\ufffd]/gu)
  const isHeading = text.startsWith('@@ ')
  return invalid === 0 || long >= invalid || short >= invalid * (isHeading ? 1 : 4) ? text : undefined
}

function joinLines(lines: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(lines.flatMap((line) => [line, Buffer.of(NEWLINE_BYTE)]))
}
