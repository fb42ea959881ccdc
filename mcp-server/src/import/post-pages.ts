/**
 * Posts items page by page, one page on its way while the next one is read, and
 * counts for the summary. A line that the server refuses is omitted and noted;
 * the other lines of its page are posted without it.
 */
import type { Failure } from '../../../src/base/failure.ts'
import { ok, type Result } from '../../../src/base/result.ts'
import { cutToChars } from '../../../src/base/text-cut.ts'
import type { ImportCounts } from '../../../src/contracts/admin/import-contract.ts'
import type { AdminClient } from '../admin-client.ts'
import { addCounts, NO_COUNTS } from './import-counts.ts'
import type { ImportOptions, Outcome, Summary } from './import-options.ts'
import type { ImportPlan } from './import-plan.ts'
import { MAX_REFUSED_LINES } from './limits.ts'
import { toPages, type LinePage, type PageItem } from './page-batches.ts'
import { ExcludedFiles } from './read/excluded-files.ts'
import { toPositionText } from './read/position.ts'

/** Names a cursor. */
interface CursorName {
  readonly repo: string
  readonly source: string
}

export class Posting {
  /** Counts what is excluded while the pages are read. */
  readonly excluded = new ExcludedFiles()
  readonly #options: ImportOptions
  readonly #notes: string[] = []
  #repo: string | undefined
  #counts: ImportCounts = NO_COUNTS
  #commits = 0
  #pages = 0
  #done = 0
  #total = 0
  #wasUpToDate = false
  #refused = 0

  constructor(options: ImportOptions) {
    this.#options = options
  }

  begin(repo: string, notes: readonly string[]): void {
    this.#repo = repo
    this.#notes.push(...notes)
  }

  /** All is stored. */
  get isComplete(): boolean {
    return this.#done >= this.#total
  }

  /** There is nothing to do: all of `total` was stored before. */
  finish(total: number): undefined {
    this.#wasUpToDate = true
    this.#done = total
    this.#total = total
    this.#report('done')
  }

  /** Posts until the end, the first failure or the signal. */
  async post(
    client: AdminClient,
    cursor: CursorName,
    plan: ImportPlan,
    items: AsyncIterable<PageItem>,
  ): Promise<Failure | undefined> {
    const { signal, pageLines } = this.#options
    this.#notes.push(...plan.notes)
    this.#total = plan.total
    let sending: Promise<Result<LinePage>> | undefined
    const arrive = async (): Promise<Failure | undefined> => {
      const posted = await sending
      sending = undefined
      if (posted === undefined) return undefined
      if (!posted.ok) return posted.failure
      this.#arrived(posted.value)
      return undefined
    }
    try {
      for await (const page of toPages(items, pageLines)) {
        const failure = await arrive()
        if (failure !== undefined) return failure
        if (signal?.aborted === true) return undefined
        sending = this.#postPage(client, cursor, page)
      }
      const failure = await arrive()
      if (failure === undefined && this.isComplete) this.#report('done')
      return failure
    } finally {
      // Reading may have failed while a page was on its way: the page is counted if it arrived.
      await arrive()
    }
  }

  summary(failure: Failure | undefined, elapsedMs: number): Summary {
    return {
      outcome: this.#outcome(failure),
      ...(this.#repo === undefined ? {} : { repo: this.#repo }),
      counts: this.#counts,
      commits: this.#commits,
      pages: this.#pages,
      done: this.#done,
      total: this.#total,
      elapsedMs,
      notes: this.#notes,
      excluded: this.excluded.counts(),
      ...(failure === undefined ? {} : { failure }),
    }
  }

  #outcome(failure: Failure | undefined): Outcome {
    if (failure !== undefined) return 'failed'
    if (this.#wasUpToDate) return 'unchanged'
    if (this.isComplete && this.#repo !== undefined) return 'complete'
    return this.#options.signal?.aborted === true ? 'aborted' : 'partial'
  }

  async #postPage(client: AdminClient, cursor: CursorName, page: LinePage): Promise<Result<LinePage>> {
    const total = this.#total
    const move = { ...cursor, position: toPositionText(page.position), done: total - page.left, total }
    const lines = [...page.lines]
    for (;;) {
      const posted = await client.postPage(lines, move)
      if (posted.ok) {
        this.#counts = addCounts(this.#counts, posted.value)
        return ok(page)
      }
      const { line, message } = posted.failure
      const refused = line === undefined ? undefined : lines[line - 1]
      if (line === undefined || refused === undefined || this.#refused >= MAX_REFUSED_LINES) return posted
      this.#refused += 1
      lines.splice(line - 1, 1)
      this.#notes.push(`Omitted, because the server refused it: ${toLineName(refused)} (${message})`)
    }
  }

  #arrived(page: LinePage): void {
    this.#pages += 1
    this.#commits = page.commits
    this.#done = this.#total - page.left
    this.#report(page.phase)
  }

  #report(phase: LinePage['phase']): void {
    if (this.#repo === undefined) return
    this.#options.onProgress?.({ repo: this.#repo, phase, done: this.#done, total: this.#total })
  }
}

const NAMING_FIELDS = ['type', 'doc_path', 'wiki_path', 'tag_name', 'commit_sha', 'file_path']
/** UTF-16 units of one field in a note. */
const NAME_CHARS = 200

/** The identity of a line, for a person. */
function toLineName(line: string): string {
  const fields = JSON.parse(line) as Record<string, unknown>
  return NAMING_FIELDS.flatMap((name) => {
    const value = fields[name]
    return typeof value === 'string' ? [cutToChars(value, NAME_CHARS)] : []
  }).join(' ')
}
