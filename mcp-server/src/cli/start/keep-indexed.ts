/**
 * Keeps the index in step with checkouts on this machine: reads each once at the
 * start, and again whenever its HEAD has moved. Trouble with one repository is
 * said once and never stops the others; it is tried again at the next look.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { ImportOptions, ImportProgress, Summary } from '../../import/import-options.ts'
import { readHead } from './checkout-head.ts'

export const LOOK_EVERY_MS = 30_000

export interface IndexingOptions {
  /** Folders of the checkouts, absolute. */
  readonly repositories: readonly string[]
  readonly endpoint: string
  readonly adminToken: string
  readonly importCheckout: (options: ImportOptions) => Promise<Summary>
  readonly onProgress: (progress: ImportProgress) => void
  /** Hears each summary worth telling; a look that found nothing new is not. */
  readonly onSummary: (path: string, summary: Summary) => void
  readonly lookEveryMs?: number
  /** Called after each look at all repositories. */
  readonly onLooked?: () => void
  readonly signal: AbortSignal
}

/** Runs until the signal aborts; never rejects. */
export async function keepIndexed(options: IndexingOptions): Promise<void> {
  const seen = new Map<string, { head: string | undefined; problem: string | undefined }>()
  while (!options.signal.aborted) {
    for (const path of options.repositories) {
      if (options.signal.aborted) return
      const head = await readHead(path)
      const before = seen.get(path)
      if (before !== undefined && before.head === head && before.problem === undefined) continue
      const summary = await read(path, options)
      const problem = summary.failure?.message
      const told =
        before !== undefined && (problem === undefined ? summary.outcome === 'unchanged' : problem === before.problem)
      if (!told && summary.outcome !== 'aborted') options.onSummary(path, summary)
      seen.set(path, { head, problem })
    }
    options.onLooked?.()
    await sleep(options.lookEveryMs ?? LOOK_EVERY_MS, undefined, { signal: options.signal }).catch(() => undefined)
  }
}

/** The importer refuses in its summary; what it throws is a bug, told like a refusal so that serving goes on. */
async function read(path: string, options: IndexingOptions): Promise<Summary> {
  const { endpoint, adminToken, onProgress, signal } = options
  try {
    return await options.importCheckout({ path, endpoint, adminToken, onProgress, signal })
  } catch (error) {
    const counts = { written: 0, unchanged: 0, stale: 0, removed: 0 }
    const failure = { code: 'INTERNAL_ERROR', message: String(error) } as const
    return { outcome: 'failed', counts, commits: 0, pages: 0, done: 0, total: 0, elapsedMs: 0, notes: [], failure }
  }
}
