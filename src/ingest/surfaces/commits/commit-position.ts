/** Where the reading of commits is. Plain JSON: it is stored between two steps. */
import type { BranchHead } from '../trees/branch-head.ts'
import type { CollectedFile } from './commit-documents.ts'
import type { StoredRules } from './rule-files.ts'

/** A commit of more files than one answer holds. Its record is put with its last files. */
interface LargeCommit {
  readonly sha: string
  /** Address of the next page of files. */
  readonly next: string
  readonly files: readonly CollectedFile[]
}

export interface CommitWalk {
  /** Of a lap: where the poll was when the head was pinned. Rows that it put since then are not judged by that head. */
  readonly polled?: string
  /** Pinned: the whole walk reads what this commit leads to. */
  readonly head: BranchHead
  readonly lap?: boolean
  /** The commit that was read to its end before: GitHub compares it with the head. Absent: every commit is listed. */
  readonly from?: string
  /** Of the list. */
  readonly page: number
  readonly listed?: boolean
  /** SHAs to read, in this order. */
  readonly todo: readonly string[]
  readonly large?: LargeCommit
  /** Blobs of the first commit in `todo`, and whether they are binary; absent values are still to be read. */
  readonly blobs?: readonly { readonly sha: string; readonly binary?: boolean }[]
  /**
   * Commits that the branch led to before a force push. Everything that they lead
   * to and the head does not is lost.
   */
  readonly former?: readonly string[]
  /** Lost commits, each before its parents. */
  readonly lost?: readonly string[]
  /** Lost commits that a pull request holds, with all that they lead to. */
  readonly held?: readonly string[]
  /** Commits whose files GitHub cannot give now, so that they do not block the others. */
  readonly aside?: readonly string[]
  /** Commits read. */
  readonly done: number
}

export interface DiffPosition {
  /** Everything that this commit leads to is in the index, except `unread`. */
  readonly head?: BranchHead
  /** Commits that were set aside: each later round tries them again. */
  readonly unread?: readonly string[]
  readonly walk?: CommitWalk
  readonly rules?: StoredRules
}

export type WalkingDiffs = DiffPosition & { readonly walk: CommitWalk }
