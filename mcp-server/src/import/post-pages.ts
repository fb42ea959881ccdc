/**
 * Posting a plan page by page, one page on its way while the next is read, and
 * keeping the books for the summary. A line the server refuses is left out and
 * told of; it never holds up the others.
 */
import type { Failure } from '../../../src/base/failure.ts'
import { ok, type Result } from '../../../src/base/result.ts'
import type { AdminClient } from '../admin-client.ts'
import type { Counts, ImportOptions, Outcome, Summary } from './import-options.ts'
import { toPages, type LinePage } from './page-batches.ts'
import type { ImportPlan } from './import-plan.ts'
import { toPositionText } from './position.ts'

/** So many refused lines are a disagreement about the page schema, not odd documents. */
const MAX_REFUSED_LINES = 100

export class Posting {
  readonly #options: ImportOptions
  readonly #notes: string[] = []
  #repo: string | undefined
  #counts: Counts = { written: 0, unchanged: 0, stale: 0, removed: 0 }
  #commits = 0
  #pages = 0
  #done = 0
  #total = 0
  #accepted = false
  #refused = 0

  constructor(options: ImportOptions) {
    this.#options = options
  }

  begin(repo: string, notes: readonly string[]): void {
    this.#repo = repo
    this.#notes.push(...notes)
  }

  /** Nothing is to be done: all of `total` was in before. */
  finish(total: number): void {
    this.#accepted = true
    this.#done = total
    this.#total = total
    this.#report('done')
  }

  /** Posts until the end, the first failure or the signal. */
  async post(client: AdminClient, source: string, plan: ImportPlan): Promise<Failure | undefined> {
    const { signal } = this.#options
    this.#notes.push(...plan.notes)
    this.#total = plan.total
    let underway: Promise<Result<LinePage>> | undefined
    const arrive = async (): Promise<Failure | undefined> => {
      const posted = await underway
      underway = undefined
      if (posted === undefined) return undefined
      if (!posted.ok) return posted.failure
      this.#arrived(posted.value)
      return undefined
    }
    try {
      for await (const page of toPages(plan.items(), this.#options.pageLines)) {
        const failure = await arrive()
        if (failure !== undefined) return failure
        if (signal?.aborted === true) return undefined
        underway = this.#postPage(client, source, plan, page)
      }
      const failure = await arrive()
      if (failure === undefined && this.#done >= this.#total) this.#report('done')
      return failure
    } finally {
      // Reading may have failed while a page was on its way: what arrived is counted.
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
      ...(failure === undefined ? {} : { failure }),
    }
  }

  #outcome(failure: Failure | undefined): Outcome {
    if (failure !== undefined) return 'failed'
    if (this.#accepted) return 'unchanged'
    if (this.#done >= this.#total && this.#repo !== undefined) return 'complete'
    return this.#options.signal?.aborted === true ? 'aborted' : 'partial'
  }

  async #postPage(client: AdminClient, source: string, plan: ImportPlan, page: LinePage): Promise<Result<LinePage>> {
    const { repo, total } = plan
    const move = { repo, source, position: toPositionText(page.position), done: total - page.left, total }
    const lines = [...page.lines]
    for (;;) {
      const posted = await client.postPage(lines, move)
      if (posted.ok) {
        this.#counts = add(this.#counts, posted.value)
        return ok(page)
      }
      const { line } = posted.failure
      const refused = line === undefined ? undefined : lines[line - 1]
      if (line === undefined || refused === undefined || this.#refused >= MAX_REFUSED_LINES) return posted
      this.#refused += 1
      lines.splice(line - 1, 1)
      this.#notes.push(`Left out, because the server refused it: ${nameOf(refused)} (${posted.failure.message})`)
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

function add(a: Counts, b: Counts): Counts {
  return {
    written: a.written + b.written,
    unchanged: a.unchanged + b.unchanged,
    stale: a.stale + b.stale,
    removed: a.removed + b.removed,
  }
}

/** A line's identity, for a person. */
function nameOf(line: string): string {
  const fields = JSON.parse(line) as Record<string, unknown>
  const names = ['type', 'doc_path', 'wiki_path', 'tag_name', 'commit_sha', 'file_path']
  return names
    .flatMap((name) => {
      const value = fields[name]
      return typeof value === 'string' ? [value.slice(0, 200)] : []
    })
    .join(' ')
}
