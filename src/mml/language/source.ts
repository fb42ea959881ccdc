/**
 * A source text with its line starts. Lines and columns count from 1, columns in
 * code points, a tab as one. A byte order mark is not part of the text. CR LF, LF
 * and a lone CR end a line.
 */
import { MAX_CONTEXT_CHARS } from '../limits.ts'

export interface Source {
  readonly text: string
  /** Offset of the first character of each line. */
  readonly lineStarts: readonly number[]
}

interface SourcePosition {
  readonly line: number
  readonly column: number
}

export function toSource(input: string): Source {
  const text = input.startsWith('\uFEFF') ? input.slice(1) : input
  const lineStarts = [0]
  for (const end of text.matchAll(/\r\n|\r|\n/g)) lineStarts.push(end.index + end[0].length)
  return { text, lineStarts }
}

/** Line and column of the UTF-16 offset, which may be the end of the text. */
export function positionAt(source: Source, offset: number): SourcePosition {
  const line = lineIndexAt(source, offset)
  const before = source.text.slice(source.lineStarts[line], offset)
  return { line: line + 1, column: countCodePoints(before) + 1 }
}

/** The line around `offset`, at most MAX_CONTEXT_CHARS code points of it. */
export function contextAt(source: Source, offset: number): string {
  const line = lineIndexAt(source, offset)
  const start = source.lineStarts[line] ?? 0
  const end = source.lineStarts[line + 1] ?? source.text.length
  // A window in UTF-16 units first, so that a line of 256 KiB is never copied whole.
  const from = Math.max(start, offset - MAX_CONTEXT_CHARS * 2)
  const near = source.text.slice(from, Math.min(end, offset + MAX_CONTEXT_CHARS * 2)).replace(/[\r\n]+$/, '')
  const before = Array.from(near.slice(0, offset - from))
  const after = Array.from(near.slice(offset - from))
  const right = after.slice(0, Math.max(MAX_CONTEXT_CHARS / 2, MAX_CONTEXT_CHARS - before.length))
  const left = before.slice(-Math.max(1, MAX_CONTEXT_CHARS - right.length))
  return [...left, ...right].join('')
}

function lineIndexAt({ lineStarts }: Source, offset: number): number {
  let low = 0
  let high = lineStarts.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((lineStarts[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return low
}

function countCodePoints(text: string): number {
  let count = text.length
  for (let at = 0; at + 1 < text.length; at++) {
    if ((text.codePointAt(at) ?? 0) > 0xffff) {
      count--
      at++
    }
  }
  return count
}
