/** Issues and pull requests: GitHub numbers and lists them together. */
import type { z } from 'zod'
import { pollList } from './lists/list-poll.ts'
import { lapList, type ComparedList } from './lists/range-lap.ts'
import { keyOf, type ReadItem } from './payload/payload-parts.ts'
import { readThread, threadPayload } from './payload/thread-payload.ts'
import { readThreadAgain, readThreadsAgain } from './thread-reads.ts'
import type { SurfaceSpec } from './surface.ts'

const LIST: ComparedList<z.infer<typeof threadPayload>> = {
  surface: 'issue',
  types: ['issue', 'pull_request'],
  path: 'issues',
  parameters: 'state=all&',
  payload: threadPayload,
  read: readThread,
  identityOf: (number) => ({ type: 'issue', number }),
}

export const issueSurface: SurfaceSpec = {
  surface: 'issue',
  poll: (context, position) => pollList(LIST, context, position, countThreads),
  lap: (context, position) => lapList(LIST, context, position),
  readAgain: readThreadAgain(LIST),
}

export const pullRequestSurface: SurfaceSpec = { ...issueSurface, surface: 'pull_request', readWith: 'issue' }

/** After an edit of a label or milestone. */
export const readAllThreads = readThreadsAgain(LIST)

/** The highest number among the newest: no repository has more threads than that. */
function countThreads(newest: readonly ReadItem[]): number {
  return newest.map(keyOf).reduce((most, number) => Math.max(most, number), 0)
}
