/**
 * Keeps checkouts of this machine indexed: imports each one at the start, and
 * again when its HEAD has moved. A failure with one checkout is reported once,
 * tried again at the next look, and never stops the others.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { NO_COUNTS } from '../../import/import-counts.ts'
import type { ImportOptions, ImportProgress, Summary } from '../../import/import-options.ts'
import { readHead } from './checkout-queries.ts'

const LOOK_EVERY_MS = 30_000

interface IndexingOptions {
  /** Folders, absolute. */
  readonly checkouts: readonly string[]
  readonly endpoint: string
  readonly adminToken: string
  readonly importCheckout: (options: ImportOptions) => Promise<Summary>
  readonly onProgress: (progress: ImportProgress) => void
  /** Receives each result that is news: not that nothing has changed, and a failure once. */
  readonly onSummary: (path: string, summary: Summary) => void
  readonly lookEveryMs?: number
  /** Called after each look at all checkouts. */
  readonly onLooked?: () => void
  readonly signal: AbortSignal
}

/** Runs until the signal aborts; never rejects. */
export async function keepIndexed(options: IndexingOptions): Promise<void> {
  const seen = new Map<string, { head: string | undefined; problem: string | undefined }>()
  while (!options.signal.aborted) {
    for (const path of options.checkouts) {
      if (options.signal.aborted) return
      const head = await readHead(path)
      const before = seen.get(path)
      if (before !== undefined && before.head === head && before.problem === undefined) continue
      const summary = await importOne(path, options)
      const problem = summary.failure?.message
      const isKnown =
        before !== undefined && (problem === undefined ? summary.outcome === 'unchanged' : problem === before.problem)
      if (!isKnown && summary.outcome !== 'aborted') options.onSummary(path, summary)
      seen.set(path, { head, problem })
    }
    options.onLooked?.()
    await sleep(options.lookEveryMs ?? LOOK_EVERY_MS, undefined, { signal: options.signal }).catch(() => undefined)
  }
}

/** The import reports failures in its summary. An exception is a bug, and becomes a failure so that serving goes on. */
async function importOne(path: string, options: IndexingOptions): Promise<Summary> {
  const { endpoint, adminToken, onProgress, signal } = options
  try {
    return await options.importCheckout({ path, endpoint, adminToken, onProgress, signal })
  } catch (error) {
    const failure = { code: 'INTERNAL_ERROR', message: String(error) } as const
    return {
      outcome: 'failed',
      counts: NO_COUNTS,
      commits: 0,
      pages: 0,
      done: 0,
      total: 0,
      elapsedMs: 0,
      notes: [],
      excluded: [],
      failure,
    }
  }
}
