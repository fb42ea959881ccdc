/**
 * Values near one that matched nothing: spelled almost the same, or one the
 * beginning, the end or a word of the other.
 */
import { editDistance } from '../../base/edit-distance.ts'

/** Most values suggested for one. */
const MAX_NEAR = 3
/** UTF-16 units compared: longer values are not typing slips of each other. */
const MAX_COMPARED = 100

/** The nearest of `values`, best first; the value itself in another letter case comes first. */
export function nearest(wanted: string, values: readonly string[]): string[] {
  const folded = fold(wanted)
  return values
    .map((value) => ({ value, distance: distanceOf(folded, fold(value)) }))
    .filter(({ distance }) => distance <= 1)
    .sort((a, b) => a.distance - b.distance || (a.value < b.value ? -1 : 1))
    .slice(0, MAX_NEAR)
    .map(({ value }) => value)
}

function fold(text: string): string {
  // People write logins as they mention them.
  return text.normalize('NFKC').toLowerCase().replace(/^@/, '').slice(0, MAX_COMPARED)
}

/** 0 for the same, up to 1 for just near enough. */
function distanceOf(a: string, b: string): number {
  const isOneWord = !a.includes('/') || !b.includes('/')
  // Of owner/name the name is what people remember.
  const [nameA, nameB] = [a.split('/').at(-1) ?? a, b.split('/').at(-1) ?? b]
  const nameSlips = slipsWithin(nameA, nameB, allowedSlips(nameA, nameB))
  if (nameSlips < Infinity) {
    const allowed = allowedSlips(a, b)
    const slips = Math.min(slipsWithin(a, b, allowed), isOneWord ? nameSlips : nameSlips + 1)
    if (slips <= allowed) return slips / (allowed + 1)
  }
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return short.length >= 3 && long.includes(short) ? 1 : Infinity
}

/** A third of the shorter one; of two characters the second may be wrong (`v2`, `v3`), of one none. */
function allowedSlips(a: string, b: string): number {
  const shorter = Math.min(a.length, b.length)
  return shorter === 2 && a[0] === b[0] ? 1 : Math.floor(shorter / 3)
}

/** Infinity where there are more than `max`. */
function slipsWithin(a: string, b: string, max: number): number {
  return editDistance(a, b, { max, transpositions: true })
}
