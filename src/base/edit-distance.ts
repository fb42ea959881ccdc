/**
 * The edit distance of two words, for suggestions to a misspelled name. Time is
 * the product of the two lengths, so callers must bound the words.
 */

interface EditDistanceOptions {
  /** Distances above it are reported as Infinity, and computing stops as soon as that is certain. */
  readonly max: number
  /** Counts two neighbouring units in the wrong order as one edit instead of two. */
  readonly transpositions: boolean
}

/**
 * The least number of insertions, deletions and replacements of UTF-16 units,
 * and optionally of transpositions. A transposed unit is not edited again (optimal
 * string alignment).
 */
export function editDistance(a: string, b: string, { max, transpositions }: EditDistanceOptions): number {
  if (Math.abs(a.length - b.length) > max) return Infinity
  let above: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    let least = i
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      let best = Math.min(replaced, row[j]! + 1, next[j - 1]! + 1)
      if (transpositions && i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        best = Math.min(best, above[j - 2]! + 1)
      }
      next.push(best)
      least = Math.min(least, best)
    }
    // No later distance is smaller: a transposition from the row above adds 1, like a deletion.
    if (least > max) return Infinity
    ;[above, row] = [row, next]
  }
  const distance = row[b.length]!
  return distance <= max ? distance : Infinity
}
