/**
 * The known name that a caller most likely meant by an unknown one: spelled almost
 * the same, or one of both made of words of the other. Names have words between
 * underscores; a known name with a dot is a field of a parameter.
 */
import { editDistance } from '../base/edit-distance.ts'
import { MAX_SHOWN_CHARS } from './limits.ts'

/** Undefined when none is near. Of equally near names the first one. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  const wanted = toWords(name.slice(0, MAX_SHOWN_CHARS))
  let nearest: string | undefined
  let least = Infinity
  for (const candidate of known) {
    const distance = distanceOf(wanted, candidate)
    if (distance < least) [nearest, least] = [candidate, distance]
  }
  return nearest
}

/** `sessionIds` is `session`, `id`: letter case, separators and the plural don't count. */
function toWords(name: string): string[] {
  const separated = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase()
  return separated.split(/[^a-z0-9]+/).flatMap((word) => (word === '' ? [] : [toSingular(word)]))
}

function toSingular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`
  return word.length > 3 ? word.replace(/s$/, '') : word
}

/** 0 for the same words, Infinity for names that are not near. */
function distanceOf(wanted: readonly string[], candidate: string): number {
  const words = toWords(candidate.slice(candidate.indexOf('.') + 1))
  const [a, b] = [wanted.join(''), words.join('')]
  if (a === b) return 0
  const allowed = Math.floor(Math.max(a.length, b.length) / 3)
  const edits = editDistance(a, b, { max: Math.min(allowed, 2), transpositions: true })
  if (edits < Infinity || candidate.includes('.') || a === '') return edits
  // Any edit is nearer than a shared word, and that is nearer than the head of a name.
  if (wanted.every((word) => words.includes(word)) || words.every((word) => wanted.includes(word))) return 3
  return b.startsWith(a) ? 4 : Infinity
}
