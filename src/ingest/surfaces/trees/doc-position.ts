/** Where the reading of documentation files is. Plain JSON: it is stored between two steps. */
import type { BranchHead } from './branch-head.ts'

/** A file that is to be read. */
export interface ListedFile {
  readonly path: string
  readonly sha: string
  /** Bytes. */
  readonly size: number
  /** Committer date of the last commit that touched it, Unix milliseconds; null where GitHub knows none; absent before it is read. */
  readonly at?: number | null
  /** The date of its row, where the row has the same text: only another date is a reason to read the file. */
  readonly was?: number
  /** GraphQL did not give its text whole. */
  readonly alone?: boolean
}

/** A tree of the pinned commit that is still to be listed. */
export interface ListedTree {
  /** Its folder with a slash at the end, or empty for the whole tree. */
  readonly folder: string
  readonly sha: string
  /** GitHub cuts the list of everything in it: its folders are listed one by one. */
  readonly shallow?: boolean
}

export interface DocWalk {
  /** Of a lap: where the poll was when the head was pinned. Rows that it put since then are not judged by that head. */
  readonly polled?: string
  /** Pinned: the whole walk reads this commit. */
  readonly head: BranchHead
  readonly trees: readonly ListedTree[]
  /** Files of the first tree up to this path are read or in `todo`. */
  readonly after?: string
  readonly todo: readonly ListedFile[]
  /** Every file is put again, because the addresses of all changed. */
  readonly all?: boolean
  /** A lap: also dates are compared. */
  readonly lap?: boolean
  /** Files in one query; halved when GitHub fails, doubled when it answers. */
  readonly batch?: number
  readonly done: number
}

export interface DocPosition {
  /** Read to its end. */
  readonly head?: BranchHead
  readonly walk?: DocWalk
  /** Blobs that have no text, by the beginning of their SHAs. */
  readonly skipped?: readonly string[]
}

/** The part of a blob's SHA that `skipped` keeps. */
export function skipKeyOf(sha: string): string {
  return sha.slice(0, 12)
}
