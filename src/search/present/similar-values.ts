/**
 * Values similar to one that matched nothing: spelled almost the same, or one
 * contained in the other.
 */
import { editDistance } from '../../base/edit-distance.ts'
import type { KnownValue } from '../../index/filters/filter-probes.ts'
import { MAX_COMPARED_CHARS, MAX_SIMILAR_VALUES } from '../limits.ts'

/** The values with the most similar names, best first; the name itself in another letter case comes first. */
export function similarValues(wanted: string, values: readonly KnownValue[]): string[] {
  const folded = fold(wanted)
  const similar = values
    .map(({ value, name }) => ({ value, distance: distanceOf(folded, fold(name)) }))
    .filter(({ distance }) => distance <= 1)
    .sort((a, b) => a.distance - b.distance || (a.value < b.value ? -1 : 1))
    .map(({ value }) => value)
  return [...new Set(similar)].slice(0, MAX_SIMILAR_VALUES)
}

function fold(text: string): string {
  // People write logins as they mention them.
  return text.normalize('NFKC').toLowerCase().replace(/^@/, '').slice(0, MAX_COMPARED_CHARS)
}

/** 0 for the same value, up to 1 for the least similar one that is suggested, Infinity for others. */
function distanceOf(a: string, b: string): number {
  const isOneWord = !a.includes('/') || !b.includes('/')
  // Of owner/name people remember the name.
  const [nameA, nameB] = [a.split('/').at(-1) ?? a, b.split('/').at(-1) ?? b]
  const nameEdits = editsWithin(nameA, nameB, allowedEdits(nameA, nameB))
  if (nameEdits < Infinity) {
    const allowed = allowedEdits(a, b)
    const edits = Math.min(editsWithin(a, b, allowed), isOneWord ? nameEdits : nameEdits + 1)
    if (edits <= allowed) return edits / (allowed + 1)
  }
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return short.length >= 3 && long.includes(short) ? 1 : Infinity
}

/** A third of the shorter length; of two characters the second may differ (`v2`, `v3`), a single one may not. */
function allowedEdits(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length)
  return shorter === 2 && a[0] === b[0] ? 1 : Math.floor(shorter / 3)
}

/** Edits between the two; Infinity above `max`. */
function editsWithin(a: string, b: string, max: number): number {
  return editDistance(a, b, { max, transpositions: true })
}
