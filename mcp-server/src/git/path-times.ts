/**
 * Parses `git log --name-only`, with a NUL and the committer's time before each
 * commit and the newest commit first, into the times of each path's first and
 * last commit.
 */
import { toText } from '../../../src/base/utf8.ts'
import { NEWLINE, splitRecords } from './bytes.ts'
import { toMs } from './patches.ts'
import { unquotePath } from '../../../src/documents/paths/quoted-path.ts'

export interface PathTimes {
  /** Milliseconds UTC of the committer's clock. */
  readonly first: number
  readonly last: number
}

export const TIMES_FORMAT = '%x00%ct'

/** The times of the paths for which `isWanted` is true. */
export async function parsePathTimes(
  chunks: AsyncIterable<Uint8Array>,
  isWanted: (path: string) => boolean,
): Promise<Map<string, PathTimes>> {
  const times = new Map<string, PathTimes>()
  let at: number | undefined
  for await (const line of splitRecords(chunks, NEWLINE)) {
    if (line[0] === 0) {
      at = toMs(toText(line.subarray(1)))
      continue
    }
    if (line.length === 0 || at === undefined) continue
    const path = unquotePath(line)
    if (!isWanted(path)) continue
    const known = times.get(path)
    times.set(path, { first: at, last: known?.last ?? at })
  }
  return times
}
