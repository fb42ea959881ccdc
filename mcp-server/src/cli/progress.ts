/**
 * How far the reading is, on a stream that is a terminal (one line, rewritten)
 * or is not (a line now and then, for logs). Wording and pace only.
 */
import type { ImportProgress, Summary } from '../import/import-options.ts'

const LINE_EVERY_MS = 5_000
const REWRITE_EVERY_MS = 100

export interface ProgressOutput {
  readonly isTTY?: boolean
  write(text: string): unknown
}

export interface ProgressLine {
  update(progress: ImportProgress): void
  /** Prints a line of its own, moving a rewritten one out of the way. */
  say(line: string): void
}

export function progressLine(output: ProgressOutput, nowMs: () => number = Date.now): ProgressLine {
  const rewrites = output.isTTY === true
  const paceMs = rewrites ? REWRITE_EVERY_MS : LINE_EVERY_MS
  let shown = { phase: '', repo: '', atMs: Number.NEGATIVE_INFINITY }
  let open = false
  return {
    update(progress) {
      const { repo, phase } = progress
      const fresh = phase !== shown.phase || repo !== shown.repo
      if (phase === 'done' || (!fresh && nowMs() - shown.atMs < paceMs)) return
      shown = { phase, repo, atMs: nowMs() }
      const line = toProgressText(progress)
      output.write(rewrites ? `\r\u001B[K${line}` : `${line}\n`)
      open = rewrites
    },
    say(line) {
      output.write(`${open ? '\r\u001B[K' : ''}${line}\n`)
      open = false
    },
  }
}

/** How much of everything is in, and what is being read: documents, tags and commits are counted together. */
export function toProgressText({ repo, phase, done, total }: ImportProgress): string {
  const percent = total === 0 ? 100 : Math.floor((done / total) * 100)
  return `${repo}: ${done} of ${total} read (${percent}%)${phase === 'done' ? '' : `, now ${phase}`}`
}

/** What a reading came to, in lines for a person. */
export function summaryLines(path: string, summary: Summary): string[] {
  const name = summary.repo ?? path
  const { written, removed } = summary.counts
  const seconds = (summary.elapsedMs / 1000).toFixed(1)
  const removedPart = removed === 0 ? '' : `, ${removed} removed`
  const counted = `${written} written${removedPart}, ${summary.commits} commits read in ${seconds} s`
  const notes = summary.notes.map((note) => `${name}: ${note}`)
  if (summary.failure === undefined) {
    if (summary.total === 0) return [...notes, `${name}: nothing to read`]
    return [...notes, summary.outcome === 'unchanged' ? `${name}: up to date` : `${name}: ${counted}`]
  }
  const hint = summary.failure.hint === undefined ? '' : ` ${summary.failure.hint}`
  return [...notes, `${name}: not indexed: ${summary.failure.message}${hint}`]
}
