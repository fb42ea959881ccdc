/**
 * How far a checkout has been read, as the text of a cursor. A position says
 * only what the index truly holds once its page is committed; reading one that
 * is not ours means starting over, which repeats work and loses nothing.
 */
import { deflateRawSync, inflateRawSync } from 'node:zlib'

/** Documents of a tree. */
export interface TreeState {
  /** The commit (or the digest of a folder) whose documents are in, or coming in. */
  readonly at: string
  /** Coming in: all keys up to this one are at `at`. Absent: all are. */
  readonly after?: string
  /** Coming in: each later key is as one of these has it; empty: nobody knows. */
  readonly from?: readonly string[]
}

/** Commits of `from` without those of `not`, of which the first `skip` are in. */
export interface Range {
  readonly from: string
  readonly not: readonly string[]
  readonly skip: number
}

export interface TagState {
  /** A digest for each bucket of tags, see tags-step.ts. */
  readonly digests: string
  /** Names of all tags that may be in the index; absent when they are too many to keep. */
  readonly names?: string
}

export interface ImportPosition {
  readonly docs?: TreeState
  readonly wiki?: TreeState
  readonly tags?: TagState
  /** Commits whose whole history is in or waits in `ranges`. */
  readonly tips: readonly string[]
  /** What is still to be read, first come first. */
  readonly ranges: readonly Range[]
  /** Former tips; rows of their commits that nothing leads to any more are being removed. */
  readonly drop: readonly string[]
  /** What a shallow clone was cut at. */
  readonly shallow?: string
}

export const START: ImportPosition = { tips: [], ranges: [], drop: [] }

/** Cursors hold 4,000 characters; some room is left. */
const MAX_POSITION_CHARS = 3_900
const MAX_NAMES_CHARS = 1_200
const VERSION = 1

export function toPositionText(position: ImportPosition): string {
  const text = JSON.stringify({ v: VERSION, ...position })
  if (text.length <= MAX_POSITION_CHARS) return text
  // A pile of interrupted readings: the newest tip is read anew from the top, and documents are compared by name.
  const tips = position.tips.slice(0, 1)
  const ranges = position.ranges.length === 0 ? [] : tips.map((from) => ({ from, not: [], skip: 0 }))
  const { tags, shallow } = position
  return JSON.stringify({ v: VERSION, tips, ranges, drop: [], tags, shallow })
}

export function parsePosition(text: string | undefined): ImportPosition | undefined {
  if (text === undefined) return undefined
  try {
    const { v, docs, wiki, tags, tips, ranges, drop, shallow } = JSON.parse(text) as ImportPosition & { v?: unknown }
    if (v !== VERSION || ![tips, ranges, drop].every((list) => Array.isArray(list))) return undefined
    return {
      tips,
      ranges,
      drop,
      ...(docs === undefined ? {} : { docs }),
      ...(wiki === undefined ? {} : { wiki }),
      ...(tags === undefined ? {} : { tags }),
      ...(shallow === undefined ? {} : { shallow }),
    }
  } catch {
    return undefined
  }
}

/** Tag names hold no newline. Undefined when they take too much room. */
export function packNames(names: Iterable<string>): string | undefined {
  const packed = deflateRawSync(Buffer.from([...names].join('\n'), 'utf8'), { level: 9 }).toString('base64url')
  return packed.length <= MAX_NAMES_CHARS ? packed : undefined
}

export function unpackNames(packed: string | undefined): string[] {
  if (packed === undefined) return []
  try {
    const text = inflateRawSync(Buffer.from(packed, 'base64url'), { maxOutputLength: 1_000_000 }).toString('utf8')
    return text.split('\n').filter((name) => name !== '')
  } catch {
    return []
  }
}
