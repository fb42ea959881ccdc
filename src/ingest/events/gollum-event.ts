/** Pages of a wiki were created or edited. The payload has no texts, and deletions send no event: the wiki is read again. */
import type { ReadAgain } from '../surfaces/surface.ts'

export function readGollumEvent(): ReadAgain {
  return { changes: [], pending: [{ kind: 'wiki', key: '' }] }
}
