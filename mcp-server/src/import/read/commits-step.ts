/**
 * Reads commits, newest first: each as a document and, unless it is a merge, a
 * diff for each file. They may fill several pages; the position passes a commit
 * with its last file.
 */
import type { Document, DocumentChange, Identity } from '../../../../src/documents/document.ts'
import { toCommit, toDiff, type Origin } from '../../git/git-documents.ts'
import { listCommits, readChangedFiles, readWithoutPatches, type ListedCommit } from '../../git/git-reader.ts'
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
    for await (const part of readChangedFiles(checkout.run, shas)) {
      const { sha: commitSha, parents } = part.commit
      if (!('files' in part) && parents.length > 1) continue
      const identity: Identity =
        'files' in part ? { type: 'commit', commitSha } : { type: 'diff', commitSha, path: part.path }
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
  let { skip } = range
  let taken = 0
  let batch: PlacedCommit[] = []
  const readBatch = async function* (): AsyncGenerator<RangeStep> {
    const pending = batch
    batch = []
    const isAlone = ({ sha, isMerge }: PlacedCommit): boolean => isMerge || checkout.boundary.has(sha)
    const alone = await readAlone(checkout, pending.filter(isAlone), origin)
    const pass = function* (until?: string): Generator<RangeStep> {
      while (pending.length > 0 && pending[0]?.sha !== until) {
        const { sha = '', next = skip } = pending.shift() ?? {}
        skip = next
        const put = alone.get(sha)
        yield { changes: put === undefined ? [] : [{ put }], skip, commits: 1 }
      }
    }
    const others = pending.flatMap((commit) => (isAlone(commit) ? [] : [commit.sha]))
    for await (const part of readTextPatches(checkout.run, others, options.rules)) {
      if ('files' in part) {
        // The parts come commit by commit: a commit's first part completes the commits before it.
        yield* pass(part.commit.sha)
        yield { changes: [{ put: toCommit(part, origin) }], skip, commits: 0 }
      } else if (options.excluded?.take(options.rules, part) !== true) {
        yield { changes: [{ put: toDiff(part, origin) }], skip, commits: 0 }
      }
    }
    yield* pass()
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

interface PlacedCommit extends ListedCommit {
  /** The range's `skip` once this commit is stored. */
  readonly next: number
}

/**
 * The documents of commits without diffs: merges, and the last commits of a
 * shallow clone, whose changes are not known.
 */
async function readAlone(
  { run, boundary }: GitCheckout,
  commits: readonly PlacedCommit[],
  origin: Origin,
): Promise<Map<string, Document>> {
  const documents = new Map<string, Document>()
  if (commits.length === 0) return documents
  const shas = commits.map(({ sha }) => sha)
  for await (const whole of readWithoutPatches(run, shas)) {
    const { commit } = whole
    const known = boundary.has(commit.sha) ? { commit, files: [], fileCount: 0 } : whole
    documents.set(commit.sha, toCommit(known, origin))
  }
  return documents
}

function* inBatches(ids: readonly string[]): Generator<readonly string[]> {
  for (let at = 0; at < ids.length; at += COMMITS_AT_ONCE) yield ids.slice(at, at + COMMITS_AT_ONCE)
}
