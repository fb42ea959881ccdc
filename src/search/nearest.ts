/**
 * Values near one that matched nothing: spelled almost the same, or one the
 * beginning, the end or a word of the other.
 */

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
  return text.normalize('NFKC').toLowerCase().slice(0, MAX_COMPARED)
}

/** 0 for the same, up to 1 for just near enough. */
function distanceOf(a: string, b: string): number {
  // Of owner/name the name is what people remember.
  const [nameA, nameB] = [a.split('/').at(-1) ?? a, b.split('/').at(-1) ?? b]
  const slips = Math.min(
    edits(a, b),
    a.includes('/') && b.includes('/') ? edits(nameA, nameB) + 1 : edits(nameA, nameB),
  )
  const allowed = Math.max(1, Math.floor(Math.min(a.length, b.length) / 3))
  if (slips <= allowed) return slips / (allowed + 1)
  const [short, long] = a.length < b.length ? [a, b] : [b, a]
  return short.length >= 3 && long.includes(short) ? 1 : Infinity
}

/** Levenshtein distance: inserts, deletes and replacements. */
function edits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
