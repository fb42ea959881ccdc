/**
 * Selects from the log of the Worker and its runtime what a person at the
 * terminal should see: each failure in one line, once, without its stack.
 * Failures that a caller gets as an answer are not shown.
 */
import { cutToChars } from '../../../../src/base/text-cut.ts'
import { MAX_SCREEN_LINE_CHARS } from '../limits.ts'

/**
 * Every sign of a full disk in a log: SQLite's error, the system's, and the
 * Worker's own event. The Worker itself tests errors of its databases for
 * SQLite's sign only (base/disk-full.ts).
 */
const DISK_FULL = /SQLITE_FULL|database or disk is full|No space left on device|disk_full/i

/** A receiver of log lines that passes some on to `say`. `folder` is the data folder; `onFull` is called at each sign of a full disk. */
export function workerLog(
  folder: string,
  say: (line: string) => void,
  onFull: () => void = () => {},
): (level: string, message: string) => void {
  const printed = new Set<string>()
  let isFull = false
  return (level, message) => {
    if (level !== 'warn' && level !== 'error') return
    if (DISK_FULL.test(message)) {
      isFull = true
      onFull()
    }
    // With a full disk the runtime reports this error to the Worker.
    if (isFull && /internal error; reference/.test(message)) return
    const line = toScreenLine(folder, message)
    if (line === undefined || printed.has(line)) return
    printed.add(line)
    say(line)
  }
}

function toScreenLine(folder: string, message: string): string | undefined {
  if (DISK_FULL.test(message)) {
    return `The disk is full: nothing new can be stored in ${folder}. Free some space there; indexing continues by itself.`
  }
  const event = parseEvent(message)
  if (event === undefined) return firstLine(message)
  if (event.evidence === undefined) return undefined
  return firstLine(`The server failed on a request: ${event.evidence}`)
}

/** A line of the Worker's own log; undefined for a line of its runtime. */
function parseEvent(message: string): { readonly evidence?: string } | undefined {
  try {
    const value = JSON.parse(message) as { event?: unknown; evidence?: unknown } | null
    if (typeof value?.event !== 'string') return undefined
    return typeof value.evidence === 'string' ? { evidence: value.evidence } : {}
  } catch {
    return undefined
  }
}

/** Without the stack addresses that the runtime puts at the end of its lines. */
function firstLine(text: string): string {
  return cutToChars((text.split('\n')[0] ?? '').replace(/; (?:stack: |reference = ).*$/, ''), MAX_SCREEN_LINE_CHARS)
}
