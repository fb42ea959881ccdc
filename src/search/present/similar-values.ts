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
  // People write logins as they mention them.
  return text.normalize('NFKC').toLowerCase().replace(/^@/, '').slice(0, MAX_COMPARED)
}

/** 0 for the same, up to 1 for just near enough. */
function distanceOf(a: string, b: string): number {
  const isOneWord = !a.includes('/') || !b.includes('/')
  // Of owner/name the name is what people remember.
  const [nameA, nameB] = [a.split('/').at(-1) ?? a, b.split('/').at(-1) ?? b]
  const nameSlips = edits(nameA, nameB)
  if (nameSlips <= allowedSlips(nameA, nameB)) {
    const allowed = allowedSlips(a, b)
    const slips = Math.min(edits(a, b), isOneWord ? nameSlips : nameSlips + 1)
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

/** How many slips make one of the other: a character more, less, another, or two the wrong way round. */
function edits(a: string, b: string): number {
  let [older, row] = [[] as number[], Array.from({ length: b.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      let best = Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1)
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        best = Math.min(best, (older[j - 2] ?? 0) + 1)
      next.push(best)
    }
    ;[older, row] = [row, next]
  }
  return row[b.length] ?? 0
}
