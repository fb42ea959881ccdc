/**
 * How far a checkout has been read, as the text of a cursor. A position claims
 * only rows that are stored once its page is. A text that this version cannot
 * read starts the import over, which repeats work and loses nothing.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { MAX_NAMES_CHARS, MAX_POSITION_CHARS } from '../limits.ts'

/** How far the documents of a tree are stored. */
export interface TreeState {
  /** The commit (or the digest of a folder) whose documents are stored or being stored. */
  readonly at: string
  /** While they are being stored: every key up to this one is in the state `at`. Absent: every key is. */
  readonly after?: string
  /** While they are being stored: each later key is in one of these states. Empty: the state is unknown. */
  readonly from?: readonly string[]
}

/** The commits that `from` reaches and no commit of `not` does; the first `skip` of them are stored. */
export interface CommitRange {
  readonly from: string
  readonly not: readonly string[]
  readonly skip: number
}

export interface TagState {
  /** Digest of the tags whose releases are stored; absent while they are being stored. */
  readonly refs?: string
  /** One digest per bucket of releases, see tags-step.ts. */
  readonly digests: string
  /** Names of all tags that may be in the index, packed; absent when they are too long. */
  readonly names?: string
}

export interface ImportPosition {
  readonly docs?: TreeState
  readonly wiki?: TreeState
  readonly tags?: TagState
  /** Commits whose whole history is stored or in `ranges`. */
  readonly tips: readonly string[]
  /** Unread commits, in the order they are read. */
  readonly ranges: readonly CommitRange[]
  /** Former tips. The rows of those of their commits that are lost are being removed. */
  readonly drop: readonly string[]
  /** The cut of a shallow clone. */
  readonly shallow?: string
}

export const START: ImportPosition = { tips: [], ranges: [], drop: [] }

const POSITION_VERSION = 2
/** Positions of this version were written before commits were documents. */
const DIFFS_ONLY_VERSION = 1
const NAMES_BYTES = 1_000_000

export function toPositionText(position: ImportPosition): string {
  const text = JSON.stringify({ v: POSITION_VERSION, ...position })
  if (text.length <= MAX_POSITION_CHARS) return text
  // Many interrupted runs: the newest tip is read again from the top, and documents are compared by name.
  const tips = position.tips.slice(0, 1)
  const ranges = position.ranges.length === 0 ? [] : tips.map((from) => ({ from, not: [], skip: 0 }))
  const { tags, shallow } = position
  return JSON.stringify({ v: POSITION_VERSION, tips, ranges, drop: [], tags, shallow })
}

/** Undefined for a text that is not a position. After one of the earlier version all commits and tags are read again. */
export function parsePosition(text: string | undefined): ImportPosition | undefined {
  if (text === undefined) return undefined
  try {
    const { v, docs, wiki, tags, tips, ranges, drop, shallow } = JSON.parse(text) as ImportPosition & { v?: unknown }
    if (![tips, ranges, drop].every((list) => Array.isArray(list))) return undefined
    if (v !== POSITION_VERSION && v !== DIFFS_ONLY_VERSION) return undefined
    const isCurrent = v === POSITION_VERSION
    const formerTips = [...tips, ...drop, ...ranges.map(({ from }) => from)]
    return {
      ...(isCurrent ? { tips, ranges, drop } : { tips: [], ranges: [], drop: formerTips }),
      ...(docs === undefined ? {} : { docs }),
      ...(wiki === undefined ? {} : { wiki }),
      ...(tags === undefined ? {} : { tags: isCurrent ? tags : { ...tags, digests: '' } }),
      ...(shallow === undefined ? {} : { shallow }),
    }
  } catch {
    return undefined
  }
}

/** Undefined when the names are too long for a position. A tag's name has no newline. */
export function packNames(names: Iterable<string>): string | undefined {
  const packed = deflateRawSync(Buffer.from([...names].join('\n'), 'utf8'), { level: 9 }).toString('base64url')
  return packed.length <= MAX_NAMES_CHARS ? packed : undefined
}

export function unpackNames(packed: string | undefined): string[] {
  if (packed === undefined) return []
  try {
    const text = inflateRawSync(Buffer.from(packed, 'base64url'), { maxOutputLength: NAMES_BYTES }).toString('utf8')
    return text.split('\n').filter((name) => name !== '')
  } catch {
    return []
  }
}
