/** Pages of a wiki were created or edited. The payload has no texts, and deletions send no event: the wiki is read again. */
import type { EventReading } from './event.ts'

export function readGollumEvent(): EventReading {
  return { changes: [], pending: [{ kind: 'wiki', key: '' }] }
}
