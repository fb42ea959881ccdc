/**
 * One surface of GitHub: how its documents are listed since a cursor, compared
 * with the index, and read again one by one. A surface only fetches and maps;
 * the runs commit each step together with its position, so a crash repeats one
 * step at worst.
 */
import type { DocumentType, ReadKind, Surface } from '../../base/vocabulary.ts'
import type { DocumentChange } from '../../documents/document.ts'
import type { GitHub, GitHubResult } from '../../github/github.ts'
import type { ComparedRow, RowPlace, StoredRelease } from '../../index/ingestion/compared-rows.ts'

/** Something to read again. */
export interface PendingRead {
  readonly kind: ReadKind
  /** A number, an id or a tag; the pull request's number for its reviews; empty for what a repository has once. */
  readonly key: string
}

export interface SurfaceRepository {
  readonly id: number
  /** `owner/name` as it is now. */
  readonly name: string
  readonly private: boolean
  /** Undefined for a repository without commits. */
  readonly defaultBranch: string | undefined
  /** Of the server, for addresses that GitHub does not give. */
  readonly serverUrl: string
}

/** The questions that surfaces ask the index about their repository. Only live rows are listed. */
export interface SurfaceRows {
  /** Rows after `from`, up to and with `to`, in order; without `to` to the end. */
  listBetween(
    types: readonly DocumentType[],
    from: RowPlace,
    to: RowPlace | undefined,
    limit: number,
  ): Promise<readonly ComparedRow[]>
  /** Rows of one type with the numbers of these threads. Threads have their own number. */
  listUnder(numbers: readonly number[], type: DocumentType): Promise<readonly ComparedRow[]>
  /** Releases of these tags as the index stores them; all of them without `tags`. */
  listReleases(tags?: readonly string[]): Promise<readonly StoredRelease[]>
  /** The position of another surface's poll; undefined before its first step. */
  pollPosition(surface: Surface): Promise<unknown>
  /** Every row of a type that a repository has not very many of. */
  listAll(type: 'release' | 'doc' | 'wiki_doc'): Promise<readonly ComparedRow[]>
  /** The commits in the index with their parents. */
  listCommits(): Promise<readonly { readonly sha: string; readonly parents: readonly string[] }[]>
  /** Those of these commits that are in the index, with their parents. */
  findCommits(shas: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>
  /** Rows of a commit and its diffs. */
  listOfCommit(sha: string): Promise<readonly ComparedRow[]>
}

export interface SurfaceContext {
  readonly github: GitHub
  readonly repository: SurfaceRepository
  readonly rows: SurfaceRows
  /** Unix milliseconds. */
  readonly nowMs: number
}

/** A page of a walk and the place where the walk goes on. */
export interface Step {
  readonly changes: readonly DocumentChange[]
  /** Plain JSON that only the surface reads. */
  readonly position: unknown
  /** The walk has come to its end; the next one goes on from `position`. */
  readonly ended: boolean
  readonly pending?: readonly PendingRead[]
  /** Items of `total` that are read, where the surface knows them. */
  readonly done?: number
  readonly total?: number
  /** Rows of the index that a lap compared. */
  readonly checked?: number
  /** GitHub has nothing to read here, or does not let us; rows stay. */
  readonly closed?: { readonly state: 'off' | 'unreadable'; readonly reason: string }
}

/** One thing as it is now: its documents, or the removal of those that GitHub proves gone. */
export interface ReadAgain {
  readonly changes: readonly DocumentChange[]
  readonly pending?: readonly PendingRead[]
}

export interface SurfaceSpec {
  readonly surface: Surface
  /** The surface whose list contains this one's items too; the walks are that surface's. */
  readonly readWith?: Surface
  /** The surface whose rows its polls follow: they end only after that one's. */
  readonly after?: Surface
  /** Reads what changed. `position` is undefined in the first step of all: the newest page first, then everything. */
  readonly poll: (context: SurfaceContext, position: unknown) => Promise<GitHubResult<Step>>
  /** Compares every row with GitHub: puts what was missed, proves deletions one by one. */
  readonly lap: (context: SurfaceContext, position: unknown) => Promise<GitHubResult<Step>>
  /** Reads one thing again by the key of its pending read. */
  readonly readAgain?: (context: SurfaceContext, key: string) => Promise<GitHubResult<ReadAgain>>
}
