/** The difference of two texts by lines, as hunks with three lines of context. */

export interface LineDiff {
  readonly additions: number
  readonly deletions: number
  /** Without a final line break, as GitHub's `patch`; empty for equal texts. */
  readonly patch: string
}

interface Line {
  readonly sign: ' ' | '-' | '+'
  readonly text: string
}

const CONTEXT = 3
/** Cells of the table of common lines; larger changes are shown as one replacement. */
const TABLE_CELLS = 4_000_000

export function diffLines(before: string, after: string): LineDiff {
  const lines = compare(toLines(before), toLines(after))
  const count = (sign: Line['sign']): number => lines.filter((line) => line.sign === sign).length
  return { additions: count('+'), deletions: count('-'), patch: toHunks(lines).join('\n') }
}

function toLines(text: string): string[] {
  if (text === '') return []
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  else lines[lines.length - 1] += '\n\\ No newline at end of file'
  return lines
}

function compare(before: readonly string[], after: readonly string[]): Line[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  const longest = Math.min(before.length, after.length) - start
  while (end < longest && before[before.length - 1 - end] === after[after.length - 1 - end]) end++
  const same = (text: string): Line => ({ sign: ' ', text })
  return [
    ...before.slice(0, start).map(same),
    ...compareMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(same),
  ]
}

function compareMiddle(before: readonly string[], after: readonly string[]): Line[] {
  const rows = before.length + 1
  const columns = after.length + 1
  const minus = (text: string): Line => ({ sign: '-', text })
  const plus = (text: string): Line => ({ sign: '+', text })
  if (rows * columns > TABLE_CELLS) return [...before.map(minus), ...after.map(plus)]
  const common = new Uint16Array(rows * columns)
  for (let i = before.length - 1; i >= 0; i--) {
    for (let j = after.length - 1; j >= 0; j--) {
      const skip = Math.max(common[(i + 1) * columns + j] ?? 0, common[i * columns + j + 1] ?? 0)
      common[i * columns + j] = before[i] === after[j] ? (common[(i + 1) * columns + j + 1] ?? 0) + 1 : skip
    }
  }
  const lines: Line[] = []
  let i = 0
  let j = 0
  while (i < before.length || j < after.length) {
    const [old, fresh] = [before[i], after[j]]
    if (old !== undefined && old === fresh) {
      lines.push({ sign: ' ', text: old })
      i++
      j++
    } else if (
      old !== undefined &&
      (fresh === undefined || (common[(i + 1) * columns + j] ?? 0) >= (common[i * columns + j + 1] ?? 0))
    ) {
      lines.push(minus(old))
      i++
    } else {
      lines.push(plus(fresh ?? ''))
      j++
    }
  }
  return lines
}

function toHunks(lines: readonly Line[]): string[] {
  const changed = lines.flatMap(({ sign }, at) => (sign === ' ' ? [] : [at]))
  const ranges: [number, number][] = []
  for (const at of changed) {
    const last = ranges.at(-1)
    if (last !== undefined && at - CONTEXT <= last[1]) last[1] = Math.min(lines.length, at + CONTEXT + 1)
    else ranges.push([Math.max(0, at - CONTEXT), Math.min(lines.length, at + CONTEXT + 1)])
  }
  let [at, old, fresh] = [0, 0, 0]
  return ranges.map(([from, to]) => {
    for (; at < from; at++, old++, fresh++);
    const [oldStart, freshStart] = [old, fresh]
    const shown = lines.slice(from, to)
    for (const { sign } of shown) {
      if (sign !== '+') old++
      if (sign !== '-') fresh++
    }
    at = to
    const part = (start: number, end: number): string => {
      const length = end - start
      return `${length === 0 ? start : start + 1}${length === 1 ? '' : `,${length}`}`
    }
    const head = `@@ -${part(oldStart, old)} +${part(freshStart, fresh)} @@`
    return [head, ...shown.map(({ sign, text }) => sign + text)].join('\n')
  })
}
