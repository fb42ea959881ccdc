/**
 * Keeps checkouts indexed and prints how it goes: progress, results, and one
 * example answer as soon as rows of a checkout are stored.
 */
import { importCheckout } from '../../import/import-checkout.ts'
import type { ImportOptions, Summary } from '../../import/import-options.ts'
import { toNewsLines, toProgressText } from '../terminal/import-texts.ts'
import type { Meter } from '../terminal/progress-meter.ts'
import { listNewestSubjects } from './checkout-queries.ts'
import type { Example, ExampleSource } from './example-question.ts'
import { keepIndexed } from './keep-indexed.ts'

/** Commits whose subjects are tried as example questions. */
const TRIED_COMMITS = 3

export interface IndexOptions {
  /** Origin of the server. */
  readonly origin: string
  /** Folders, absolute. */
  readonly checkouts: readonly string[]
  readonly adminToken: string
  readonly meter: Meter
  /** Asked when rows of a checkout came in. Its keys are the folders. */
  readonly example: Example
  readonly watchDisk: () => AbortSignal
  readonly signal: AbortSignal
}

/** Runs until the signal aborts. */
export async function indexCheckouts(options: IndexOptions): Promise<void> {
  const { origin, checkouts, adminToken, meter, example, signal } = options
  let current: string | undefined
  await keepIndexed({
    checkouts,
    endpoint: origin,
    adminToken,
    importCheckout: (call) => {
      current = call.path
      return importWhileDiskLasts(call, options)
    },
    onProgress: (progress) => {
      const { repo, phase } = progress
      if (phase !== 'done') meter.show(toProgressText(progress), `${repo} ${phase}`)
      // Commits come newest first: the first page has the one that the example asks for.
      if (phase === 'commits' && progress.done > 0 && current !== undefined)
        example.rowsCameIn(toSource(current, repo), false)
    },
    onSummary: (path, summary) => {
      for (const line of toNewsLines(path, summary)) meter.say(line)
      if (summary.repo !== undefined && summary.done > 0) example.rowsCameIn(toSource(path, summary.repo), true)
      else example.hasNoRows(path)
    },
    signal,
  })
}

/** Questions about a checkout are the subjects of its newest commits. */
function toSource(path: string, repo: string): ExampleSource {
  return { key: path, repo, listQuestions: () => listNewestSubjects(path, TRIED_COMMITS) }
}

/** Ends the import when the disk is full, so that it does not go on in vain. */
async function importWhileDiskLasts(call: ImportOptions, { watchDisk, signal }: IndexOptions): Promise<Summary> {
  const full = watchDisk()
  const summary = await importCheckout({ ...call, signal: AbortSignal.any([signal, full]) })
  if (!full.aborted || signal.aborted || summary.outcome === 'complete') return summary
  return { ...summary, outcome: 'failed', failure: { code: 'IO_ERROR', message: 'the disk is full.' } }
}
