/** A message that was found and is to be shown, and the stretch of its content that matched best. */
import type { RankedHit } from '../../ranking/conversations/rank-messages.ts'

export interface FoundMessage extends Pick<RankedHit, 'score' | 'breakdown'> {
  readonly sequence: number
  /** In UTF-16 units of the content. */
  readonly start: number
  readonly chars: number
}
