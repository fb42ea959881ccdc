/**
 * `label` and `milestone`: a new name, or a removal, changes threads without moving
 * their times, so all of them are read again. Other edits change no document.
 */
import { isRecord } from '../../base/json-value.ts'
import { NO_CHANGE, type EventReader } from './event.ts'

export const readLabelEvent = sweepOn('name')
export const readMilestoneEvent = sweepOn('title')

/** `shown` is the field that threads show. */
function sweepOn(shown: string): EventReader {
  return ({ action, changes }) => {
    const isRenamed = action === 'edited' && (!isRecord(changes) || shown in changes)
    const touchesThreads = isRenamed || action === 'deleted'
    return touchesThreads ? { changes: [], pending: [{ kind: 'threads', key: '' }] } : NO_CHANGE
  }
}
