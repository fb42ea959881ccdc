/**
 * The forward index of a chunk as text: five characters of a base64 alphabet for each
 * distinct term, four for a 24-bit hash and one for its count in quarters. D1
 * returns text ten times faster than BLOBs. Two terms with the same hash only add
 * noise to the ranking.
 */
import { hash32 } from '../base/hash.ts'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

const VALUES = new Uint8Array(128)
for (let value = 0; value < 64; value += 1) VALUES[ALPHABET.charCodeAt(value)] = value

/** Counts have steps of a quarter, up to 15.75. */
const STEPS = 4

/** The key of a term in a packed index, 0..2^24-1. */
export function termKey(term: string): number {
  const hash = hash32(term)
  return (hash ^ (hash >>> 24)) & 0xffffff
}

/** Characters of one packed term with its count. */
export const COUNT_CHARS = 5

/** Packs weighted counts. A count that rounds to 0 becomes a quarter. */
export function packCounts(counts: ReadonlyMap<string, number>): string {
  let packed = ''
  for (const [term, count] of counts) packed += keyText(termKey(term)) + countText(count)
  return packed
}

/** Packs weighted counts by key, as `packCounts` does by term. */
export function packKeyCounts(counts: ReadonlyMap<number, number>): string {
  let packed = ''
  for (const [key, count] of counts) packed += keyText(key) + countText(count)
  return packed
}

/**
 * The key of a form of a term: half of its bits are the term's, so that all forms of
 * a term are found, and half the form's.
 */
export function formKey(term: number, form: string): number {
  return formsKey(term) * FORMS + (termKey(form) & (FORMS - 1))
}

/** The part of a key that all forms of a term share, 0..4095; `term` is its key. */
export function formsKey(term: number): number {
  return term & (FORMS - 1)
}

/** `formsKey` of the key of a form. */
export function formsKeyOf(form: number): number {
  return Math.floor(form / FORMS)
}

const FORMS = 4096

/** Visits every packed term in order. For other text the values are meaningless. */
export function unpackCounts(packed: string, visit: (key: number, count: number) => void): void {
  for (let at = 0; at + COUNT_CHARS <= packed.length; at += COUNT_CHARS) visit(keyAt(packed, at), countAt(packed, at))
}

/** The count of the packed term at an offset. */
export function countAt(packed: string, at: number): number {
  return value(packed, at + 4) / STEPS
}

/** Packs a sequence of terms in order, four characters each. */
export function packSequence(terms: readonly string[]): string {
  return packKeys(terms.map(termKey))
}

/** Packs term keys in order; `unpackSequence` is the inverse. */
export function packKeys(keys: readonly number[]): string {
  return keys.map(keyText).join('')
}

/** The keys of a packed sequence, in order. */
export function unpackSequence(packed: string): number[] {
  const keys: number[] = []
  for (let at = 0; at + 4 <= packed.length; at += 4) keys.push(keyAt(packed, at))
  return keys
}

/** The largest count: a packed one may have been more. */
export const LARGEST_COUNT = 63 / STEPS

function countText(count: number): string {
  return ALPHABET[Math.max(1, Math.min(63, Math.round(count * STEPS)))] ?? ''
}

function keyText(key: number): string {
  return `${ALPHABET[key >>> 18]}${ALPHABET[(key >>> 12) & 63]}${ALPHABET[(key >>> 6) & 63]}${ALPHABET[key & 63]}`
}

/** The key of the packed term at an offset. */
export function keyAt(packed: string, at: number): number {
  return (
    (value(packed, at) << 18) | (value(packed, at + 1) << 12) | (value(packed, at + 2) << 6) | value(packed, at + 3)
  )
}

/** The mask keeps any text within the table. */
function value(packed: string, at: number): number {
  return VALUES[packed.charCodeAt(at) & 127]!
}
