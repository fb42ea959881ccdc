/**
 * A piece of a patch, read by the first character of its lines: what changed,
 * and what only stands around it. Headers count as context,
 * without their line numbers.
 */
import type { Chunk } from '../text/chunks.ts'

/** Line numbers of a hunk; what git adds behind them is the function around it. */
const HUNK_PLACE = /^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@ ?/

/** The two texts of a chunk of a patch, without the signs. A chunk that begins inside a line takes that line's sign. */
export function readPatch(body: string, chunk: Chunk): { changed: string; context: string } {
  const changed: string[] = []
  const context: string[] = []
  const end = chunk.start + chunk.chars
  let at = chunk.start
  while (at < end) {
    const newline = body.indexOf('\n', at)
    const lineEnd = newline < 0 || newline >= end ? end : newline
    const lineStart = at === chunk.start && at > 0 ? body.lastIndexOf('\n', at - 1) + 1 : at
    const sign = body[lineStart]
    const signed = sign === '+' || sign === '-' || sign === ' '
    const text = body.slice(signed && lineStart === at ? at + 1 : at, lineEnd)
    const isChange = (sign === '+' || sign === '-') && !isFileHeader(body, lineStart)
    if (isChange) changed.push(text)
    else context.push(text.replace(HUNK_PLACE, ''))
    at = lineEnd + 1
  }
  return { changed: changed.join('\n'), context: context.join('\n') }
}

/** `--- a/file` and `+++ b/file`, as git writes them before the first hunk. */
function isFileHeader(body: string, lineStart: number): boolean {
  return /^(?:--- (?:a\/|\/dev\/null)|\+\+\+ (?:b\/|\/dev\/null))/.test(body.slice(lineStart, lineStart + 16))
}
