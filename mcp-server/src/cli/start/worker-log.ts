/**
 * What of the Worker's and its runtime's log is for the screen: each kind of
 * trouble in one line, once, without stacks. Everything a caller is told by an
 * answer anyway stays away.
 */

const DISK_FULL = /SQLITE_FULL|database or disk is full|No space left on device|disk_full/i
const LINE_CHARS = 300

/** Takes log lines; says those that a person should see. `folder` is the data folder; `onFull` hears of each sign of a full disk. */
export function workerLog(
  folder: string,
  say: (line: string) => void,
  onFull: () => void = () => {},
): (level: string, message: string) => void {
  const said = new Set<string>()
  let full = false
  return (level, message) => {
    if (level !== 'warn' && level !== 'error') return
    if (DISK_FULL.test(message)) {
      full = true
      onFull()
    }
    // What the Worker hears of a full disk.
    if (full && /internal error; reference/.test(message)) return
    const line = toScreenLine(folder, message)
    if (line === undefined || said.has(line)) return
    said.add(line)
    say(line)
  }
}

function toScreenLine(folder: string, message: string): string | undefined {
  if (DISK_FULL.test(message)) {
    return `The disk is full: nothing new can be kept in ${folder}. Make room there; reading goes on by itself.`
  }
  const event = parseEvent(message)
  if (event === undefined) return firstLine(message)
  if (event.evidence === undefined) return undefined
  return firstLine(`The server failed on a request: ${event.evidence}`)
}

/** A line of the Worker's own log; undefined for those of its runtime. */
function parseEvent(message: string): { readonly evidence?: string } | undefined {
  try {
    const value = JSON.parse(message) as { event?: unknown; evidence?: unknown } | null
    if (typeof value?.event !== 'string') return undefined
    return typeof value.evidence === 'string' ? { evidence: value.evidence } : {}
  } catch {
    return undefined
  }
}

/** The runtime ends its lines with the addresses of its stack. */
function firstLine(text: string): string {
  return (text.split('\n')[0] ?? '').replace(/; (?:stack: |reference = ).*$/, '').slice(0, LINE_CHARS)
}
