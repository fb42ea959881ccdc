/**
 * The truth behind a scripted GitHub: repositories and what is in them, as plain
 * data that `structuredClone` copies. Times are Unix milliseconds at whole
 * seconds, as GitHub's are. Only edits (apply-edit.ts) change a world.
 */
import { createGitStore, type GitStore } from './git-store.ts'

export interface Person {
  /** As REST gives it: a bot's ends in `[bot]`. */
  readonly login: string
  readonly id: number
  readonly type: 'User' | 'Bot'
}

export interface Label {
  readonly id: number
  name: string
}

export interface Milestone {
  readonly number: number
  readonly id: number
  title: string
}

/** The fields that threads, comments, reviews and releases share. */
export interface WrittenThing {
  readonly id: number
  /** A login; null for an account that no longer exists. */
  readonly author: string | null
  readonly association: string
  body: string | null
  readonly createdMs: number
  updatedMs: number
}

/** An issue or a pull request: both count in one sequence of numbers. */
export interface Thread extends WrittenThing {
  readonly kind: 'issue' | 'pull_request'
  readonly number: number
  title: string
  state: 'open' | 'closed'
  closedMs: number | null
  labels: number[]
  milestone: number | null
  assignees: string[]
  draft: boolean
  mergedMs: number | null
  mergeSha: string | null
  headRef: string
  headSha: string
  baseRef: string
}

export interface IssueComment extends WrittenThing {
  readonly number: number
}

export type ReviewState = 'APPROVED' | 'CHANGES_REQUESTED' | 'COMMENTED' | 'DISMISSED' | 'PENDING'

export interface Review extends WrittenThing {
  readonly number: number
  state: ReviewState
  /** Null while it is pending. */
  submittedMs: number | null
  readonly commitSha: string
}

export interface ReviewComment extends WrittenThing {
  readonly number: number
  readonly reviewId: number
  readonly path: string
  /** Where it was written; `line` and `commitSha` move with later pushes, and `line` becomes null. */
  readonly originalLine: number
  line: number | null
  readonly originalCommitSha: string
  commitSha: string
  readonly diffHunk: string
}

export interface Release extends WrittenThing {
  tag: string
  name: string | null
  draft: boolean
  prerelease: boolean
  target: string
  publishedMs: number | null
}

interface Wiki {
  /** By file name, such as `Home.md`. */
  readonly pages: Map<string, string>
  /** Of its own git repository; null before the first page. */
  head: string | null
}

export interface Repository {
  readonly id: number
  owner: string
  name: string
  private: boolean
  archived: boolean
  hasIssues: boolean
  hasWiki: boolean
  defaultBranch: string
  readonly createdMs: number
  updatedMs: number
  pushedMs: number
  lastNumber: number
  readonly threads: Map<number, Thread>
  readonly deletedNumbers: Set<number>
  readonly transferred: Map<number, { readonly repository: number; readonly number: number }>
  readonly comments: Map<number, IssueComment>
  readonly reviews: Map<number, Review>
  readonly reviewComments: Map<number, ReviewComment>
  readonly labels: Map<number, Label>
  readonly milestones: Map<number, Milestone>
  readonly releases: Map<number, Release>
  readonly git: GitStore
  readonly wiki: Wiki
}

/** A request that GitHub would send; `body` is what is signed. */
export interface Delivery {
  readonly id: string
  readonly event: string
  readonly action: string | undefined
  readonly repository: number
  readonly body: string
}

export interface WorldSettings {
  /** Before each answer. */
  latencyMs: number
  /** A query with more pull requests, issues or objects than this is answered 502. */
  maxGraphqlNodes: number
  /** Items of a list that `page` alone reaches; what lies beyond is refused, or the list ends unmarked. */
  maxListedItems: number
  beyondList: 'refused' | 'ends'
  /** Bytes of a patch; longer ones are not given, with or without the number of changed lines. */
  maxPatchBytes: number
  withheldCounts: 'true' | 'zero'
  truncateTrees: boolean
  /** Most commits of one page of a comparison or list, and files of one page of a commit. */
  filesPerPage: number
  /** The limits' clock: the machine's, or the world's. */
  limitClock: 'real' | 'world'
  requestsPerHour: number
  anonymousPerHour: number
  pointsPerHour: number
  /** False: edits log no deliveries. */
  deliveries: boolean
}

export interface World {
  readonly id: string
  nowMs: number
  lastId: number
  readonly secret: string
  readonly hookId: number
  readonly people: Map<string, Person>
  readonly repositories: Map<number, Repository>
  /** Names that led to a repository, in lower case; those it bears now too. */
  readonly names: Map<string, number>
  readonly deliveries: Delivery[]
  readonly settings: WorldSettings
}

const START_MS = Date.UTC(2026, 0, 5, 9)

export function createWorld(id: string, settings: Partial<WorldSettings> = {}): World {
  return {
    id,
    nowMs: START_MS,
    lastId: 1000,
    secret: 'webhook-secret',
    hookId: 4711,
    people: new Map(),
    repositories: new Map(),
    names: new Map(),
    deliveries: [],
    settings: {
      latencyMs: 0,
      maxGraphqlNodes: 1000,
      maxListedItems: 10_000,
      beyondList: 'refused',
      maxPatchBytes: 100_000,
      withheldCounts: 'true',
      truncateTrees: false,
      filesPerPage: 300,
      limitClock: 'real',
      requestsPerHour: 5000,
      anonymousPerHour: 60,
      pointsPerHour: 5000,
      deliveries: true,
      ...settings,
    },
  }
}

export function createRepository(id: number, owner: string, name: string, nowMs: number): Repository {
  return {
    id,
    owner,
    name,
    private: false,
    archived: false,
    hasIssues: true,
    hasWiki: true,
    defaultBranch: 'main',
    createdMs: nowMs,
    updatedMs: nowMs,
    pushedMs: nowMs,
    lastNumber: 0,
    threads: new Map(),
    deletedNumbers: new Set(),
    transferred: new Map(),
    comments: new Map(),
    reviews: new Map(),
    reviewComments: new Map(),
    labels: new Map(),
    milestones: new Map(),
    releases: new Map(),
    git: createGitStore(),
    wiki: { pages: new Map(), head: null },
  }
}

/** By `owner/name`, as it is now or was before; letter case does not count. */
export function findRepository(world: World, fullName: string): Repository | undefined {
  const id = world.names.get(fullName.toLowerCase())
  return id === undefined ? undefined : world.repositories.get(id)
}

export function fullNameOf({ owner, name }: Repository): string {
  return `${owner}/${name}`
}

/** People exist from their first act; a login that ends in `[bot]` is a bot's. */
export function personOf(world: World, login: string): Person {
  const known = world.people.get(login)
  if (known !== undefined) return known
  const person: Person = {
    login,
    id: 50_000 + world.people.size,
    type: login.endsWith('[bot]') ? 'Bot' : 'User',
  }
  world.people.set(login, person)
  return person
}

export function isBot(world: World, login: string | null): boolean {
  return login !== null && personOf(world, login).type === 'Bot'
}

/** RFC 3339 without a fraction, as GitHub writes times. */
export function toTime(ms: number): string {
  return new Date(ms).toISOString().replace('.000Z', 'Z')
}
