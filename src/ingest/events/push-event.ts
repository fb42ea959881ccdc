/**
 * A push. Its payload does not hold the commits whole, so it only names what to
 * read: files and commits of the default branch, the release of a tag. Also a
 * deleted, created or forced branch is read as it is then.
 */
import { isRecord } from '../../base/json-value.ts'
import { NO_CHANGE, type EventReading } from './event.ts'

export function readPushEvent(payload: unknown): EventReading {
  const { ref, repository } = isRecord(payload) ? payload : {}
  const name = typeof ref === 'string' ? ref : ''
  if (name.startsWith(TAGS)) return { changes: [], pending: [{ kind: 'release', key: name.slice(TAGS.length) }] }
  const branch = isRecord(repository) ? repository['default_branch'] : undefined
  if (!name.startsWith(BRANCHES)) return NO_CHANGE
  if (typeof branch === 'string' && name !== BRANCHES + branch) return NO_CHANGE
  return {
    changes: [],
    pending: [
      { kind: 'docs', key: '' },
      { kind: 'commits', key: '' },
    ],
  }
}

const BRANCHES = 'refs/heads/'
const TAGS = 'refs/tags/'
