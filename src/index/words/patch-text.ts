/**
 * Splits a patch by the first character of its lines into changed lines and
 * their context. Headers count as context, without their line numbers.
 */
import type { Chunk } from '../../text/chunks.ts'

export interface PatchText {
  readonly changed: string
  readonly context: string
}

/** The line numbers in a hunk's header; git may add the enclosing function after them. */
const HUNK_PLACE = /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@ ?/

/** `--- a/file` and `+++ b/file`, as git writes them before the first hunk. */
const FILE_HEADER = /^(?:--- (?:a\/|\/dev\/null)|\+\+\+ (?:b\/|\/dev\/null))/

/** The texts of each chunk, without the signs of their lines. A chunk that begins inside a line has that line's sign. */
export function readPatch(body: string, chunks: readonly Chunk[]): PatchText[] {
  let lineStart = 0
  let searched = 0
  return chunks.map(({ start, chars }) => {
    const newline = body.slice(searched, start).lastIndexOf('\n')
    if (newline >= 0) lineStart = searched + newline + 1
    searched = start
    return readLines(body, lineStart, start, start + chars)
  })
}

/** Reads from `start`, which is in the line that begins at `firstLine`. */
function readLines(body: string, firstLine: number, start: number, end: number): PatchText {
  const changed: string[] = []
  const context: string[] = []
  for (let at = start, line = firstLine; at < end; line = at) {
    const newline = body.indexOf('\n', at)
    const lineEnd = newline < 0 ? end : Math.min(newline, end)
    const sign = body[line] ?? ''
    const text = body.slice(at === line && '+- '.includes(sign) ? at + 1 : at, lineEnd)
    const isChange = (sign === '+' || sign === '-') && !FILE_HEADER.test(body.slice(line, line + 16))
    if (isChange) changed.push(text)
    else context.push(withoutPlace(text))
    at = lineEnd + 1
  }
  return { changed: changed.join('\n'), context: context.join('\n') }
}

/** `diff --git`, `index 1234..5678`, which some sources put before the first hunk. */
const GIT_HEADER = /^(?:diff --git |index [0-9a-f]+\.\.)/

/** The patch without paths and line numbers: equal for copies of a file that a commit changes in the same way. */
export function patchWithoutPlaces(body: string): string {
  const lines = body.split('\n').filter((line) => !FILE_HEADER.test(line) && !GIT_HEADER.test(line))
  return lines.map(withoutPlace).join('\n').trim()
}

/** The line, without line numbers if it is a hunk's header. */
export function withoutPlace(line: string): string {
  return line.replace(HUNK_PLACE, '')
}
