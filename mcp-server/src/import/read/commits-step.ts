/**
 * Reads commits as diffs, newest first. The files of one commit may fill several
 * pages; the position passes a commit with its last file.
 */
import type { DocumentChange } from '../../../../src/documents/document.ts'
import { toDiff, type Origin } from '../../git/git-documents.ts'
import { listCommits, readChangedFiles, type ListedCommit } from '../../git/git-reader.ts'
import type { GitCheckout } from './checkout.ts'
import type { ExcludedFiles } from './excluded-files.ts'
import { isWanted, type CommitFilter, type CommitPlan } from './commits-plan.ts'
import type { PathRules } from './path-rules.ts'
import type { CommitRange, ImportPosition } from './position.ts'
import { readTextPatches } from './text-patches.ts'

interface CommitStep {
  readonly changes: readonly DocumentChange[]
  readonly position: ImportPosition
  /** Commits that this step completes. */
  readonly commits: number
}

export interface CommitOptions {
  /** The rules of HEAD's tree. */
  readonly rules: PathRules
  /** Absent when the diffs of all files are read. */
  readonly excluded?: ExcludedFiles
  readonly maxCommits: number
}

/** Commits in one call of git. */
const COMMITS_AT_ONCE = 256

/** First removes the rows of lost commits, then reads each range to its end or to `maxCommits`. */
export async function* readCommits(
  checkout: GitCheckout,
  plan: CommitPlan,
  origin: Origin,
  options: CommitOptions,
): AsyncGenerator<CommitStep> {
  let { position } = plan
  const { repository } = origin
  for (const shas of inBatches(plan.dropped)) {
    for await (const { commit, path } of readChangedFiles(checkout.run, shas)) {
      const identity = { type: 'diff' as const, commitSha: commit.sha, path }
      yield { changes: [{ remove: { identity, repository } }], position, commits: 0 }
    }
  }
  position = { ...position, drop: [] }
  yield { changes: [], position, commits: 0 }
  let left = options.maxCommits
  while (left > 0) {
    const [range, ...later] = position.ranges
    if (range === undefined) return
    for await (const { changes, skip, commits } of readRange(checkout, range, plan.filter, origin, options, left)) {
      left -= commits
      position = { ...position, ranges: [{ ...range, skip }, ...later] }
      yield { changes, position, commits }
    }
    if (left <= 0) return
    position = { ...position, ranges: later }
    yield { changes: [], position, commits: 0 }
  }
}

interface RangeStep {
  readonly changes: readonly DocumentChange[]
  readonly skip: number
  readonly commits: number
}

async function* readRange(
  checkout: GitCheckout,
  range: CommitRange,
  filter: CommitFilter,
  origin: Origin,
  options: CommitOptions,
  limit: number,
): AsyncGenerator<RangeStep> {
  let listed = 0
  let skip = range.skip
  let taken = 0
  let batch: (ListedCommit & { readonly next: number })[] = []
  const readBatch = async function* (): AsyncGenerator<RangeStep> {
    const nexts = new Map(batch.map(({ sha, next }) => [sha, next]))
    const pending = batch.map(({ sha }) => sha)
    batch = []
    for await (const file of readTextPatches(checkout.run, pending, options.rules)) {
      // Files come commit by commit: the first file of a commit completes the commits before it.
      const passed = pending.indexOf(file.commit.sha)
      for (const sha of pending.splice(0, Math.max(0, passed))) {
        skip = nexts.get(sha) ?? skip
        yield { changes: [], skip, commits: 1 }
      }
      const isIncluded = options.excluded?.take(options.rules, file) !== true
      if (isIncluded) yield { changes: [{ put: toDiff(file, origin) }], skip, commits: 0 }
    }
    for (const sha of pending) {
      skip = nexts.get(sha) ?? skip
      yield { changes: [], skip, commits: 1 }
    }
  }
  for await (const commit of listCommits(checkout.run, range.from, range.not)) {
    listed += 1
    if (listed <= range.skip || !isWanted(commit, filter)) continue
    batch.push({ ...commit, next: listed })
    taken += 1
    if (batch.length >= COMMITS_AT_ONCE || taken >= limit) yield* readBatch()
    if (taken >= limit) return
  }
  yield* readBatch()
}

function* inBatches(ids: readonly string[]): Generator<readonly string[]> {
  for (let at = 0; at < ids.length; at += COMMITS_AT_ONCE) yield ids.slice(at, at + COMMITS_AT_ONCE)
}
