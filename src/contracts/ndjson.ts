/**
 * Pages of newline-delimited JSON objects (NDJSON). A page is accepted or refused as
 * a whole; a refusal names its first bad line, counted from 1.
 */
import { atLine, invalid } from '../base/failure.ts'
import { ok, refuse, type Result } from '../base/result.ts'

/** A JSON object whose fields are not validated. */
export type NdjsonLine = Readonly<Record<string, unknown>>

/** The parsed lines in order; blank lines are skipped. */
export function parseLines<Item>(text: string, parse: (line: NdjsonLine) => Result<Item>): Result<Item[]> {
  const items: Item[] = []
  for (const { number, lineText } of linesOf(text)) {
    if (lineText.trim() === '') continue
    const line = parseLine(lineText)
    const item = line.ok ? parse(line.value) : line
    if (!item.ok) return refuse(atLine(item.failure, number))
    items.push(item.value)
  }
  return ok(items)
}

/** Generated one by one, because a page of only line ends has millions. */
function* linesOf(text: string): Generator<{ number: number; lineText: string }> {
  for (let number = 1, start = 0; start <= text.length; number += 1) {
    const found = text.indexOf('\n', start)
    const end = found < 0 ? text.length : found
    yield { number, lineText: text.slice(start, end) }
    start = end + 1
  }
}

function parseLine(text: string): Result<NdjsonLine> {
  let given: unknown
  try {
    given = JSON.parse(text)
  } catch {
    return refuse(invalid('line', 'not JSON; each line is one JSON object'))
  }
  if (typeof given === 'object' && given !== null && !Array.isArray(given)) return ok(given as NdjsonLine)
  return refuse(invalid('line', 'not an object; each line is one JSON object'))
}
