/** `issues` and `pull_request`: the thread as it is now, or its removal. */
import type { RepositoryName } from '../../documents/document.ts'
import { toChanges } from '../surfaces/payload/payload-parts.ts'
import { isWhole, readThread, threadPayload } from '../surfaces/payload/thread-payload.ts'
import { NO_CHANGE, type EventReader, type EventReading } from './event.ts'

/** The thread has left this repository: its number stands for nothing any more. */
const LEAVING: readonly unknown[] = ['deleted', 'transferred']

export const readIssuesEvent: EventReader = ({ action, issue }, repository) => {
  if (!LEAVING.includes(action)) return readThreadState(issue, repository)
  const { data } = threadPayload.pick({ number: true }).safeParse(issue)
  if (data === undefined) return NO_CHANGE
  return { changes: [{ remove: { identity: { type: 'issue', number: data.number }, repository } }], pending: [] }
}

export const readPullRequestEvent: EventReader = (payload, repository) =>
  readThreadState(payload['pull_request'], repository)

/** A pull request that the payload tells only a part of is read from GitHub. */
export function readThreadState(given: unknown, repository: RepositoryName): EventReading {
  const { data } = threadPayload.safeParse(given)
  if (data === undefined) return NO_CHANGE
  if (!isWhole(data)) return { changes: [], pending: [{ kind: 'thread', key: String(data.number) }] }
  return { changes: toChanges(readThread(data, repository), repository), pending: [] }
}
