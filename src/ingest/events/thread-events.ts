/** `issues` and `pull_request`: the thread as it is now, or its removal. */
import type { RepositoryName } from '../../documents/document.ts'
import { toChanges } from '../surfaces/payload/payload-parts.ts'
import { deliveredThread, hasUnknownEnd, isWhole, readThread } from '../surfaces/payload/thread-payload.ts'
import { NO_CHANGE, type EventReader, type EventReading } from './event.ts'

/** The thread has left this repository: its number stands for nothing any more. */
const LEAVING: readonly unknown[] = ['deleted', 'transferred']

export const readIssuesEvent: EventReader = ({ action, issue }, repository) => {
  if (!LEAVING.includes(action)) return readThreadState(issue, repository)
  const { data } = deliveredThread.pick({ number: true }).safeParse(issue)
  if (data === undefined) return NO_CHANGE
  return { changes: [{ remove: { identity: { type: 'issue', number: data.number }, repository } }], pending: [] }
}

export const readPullRequestEvent: EventReader = (payload, repository) =>
  readThreadState(payload['pull_request'], repository)

/** A thread of which the payload leaves something out is also read from GitHub. */
export function readThreadState(given: unknown, repository: RepositoryName): EventReading {
  const { data } = deliveredThread.safeParse(given)
  if (data === undefined) return NO_CHANGE
  const fromGitHub: EventReading['pending'] = [{ kind: 'thread', key: String(data.number) }]
  if (hasUnknownEnd(data)) return { changes: [], pending: fromGitHub }
  return { changes: toChanges(readThread(data, repository), repository), pending: isWhole(data) ? [] : fromGitHub }
}
