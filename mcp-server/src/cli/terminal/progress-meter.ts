/**
 * Progress on stderr. On a terminal it is one line that is rewritten; in a log
 * it is a line every few seconds. Other lines can be printed between without
 * mixing with it.
 */

const LINE_EVERY_MS = 5_000
const REWRITE_EVERY_MS = 100
const CLEAR_LINE = '\r\u001B[K'

interface ProgressOutput {
  readonly isTTY?: boolean
  /** Width of the terminal in characters. */
  readonly columns?: number
  write(text: string): unknown
}

export interface Meter {
  /** Shows the text, unless one of the same topic was shown shortly before. A new topic is shown at once. */
  show(text: string, topic?: string): void
  /** Prints a line that stays. */
  say(line: string): void
  /** Removes the rewritten line. */
  end(): void
}

export function progressMeter(output: ProgressOutput = process.stderr, nowMs: () => number = Date.now): Meter {
  const rewrites = output.isTTY === true
  const everyMs = rewrites ? REWRITE_EVERY_MS : LINE_EVERY_MS
  // A command that ends within seconds leaves no progress in a log.
  let shown = { topic: '', atMs: rewrites ? Number.NEGATIVE_INFINITY : nowMs() }
  let isOpen = false
  const clear = (): string => {
    const text = isOpen ? CLEAR_LINE : ''
    isOpen = false
    return text
  }
  return {
    show(text, topic = '') {
      if (topic === shown.topic && nowMs() - shown.atMs < everyMs) return
      shown = { topic, atMs: nowMs() }
      output.write(rewrites ? `${CLEAR_LINE}${text.slice(0, (output.columns ?? 80) - 1)}` : `${text}\n`)
      isOpen = rewrites
    },
    say: (line) => void output.write(`${clear()}${line}\n`),
    end: () => {
      const text = clear()
      if (text !== '') output.write(text)
    },
  }
}
