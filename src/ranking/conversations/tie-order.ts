/** Order of messages with equal scores: higher importance first, then the newer, then the smaller id. */

export interface TieKeys {
  readonly importance: number
  /** Unix ms. */
  readonly timestamp: number
  readonly id: string
}

/** A comparator for sort; negative when `a` comes first. */
export function compareTies(a: TieKeys, b: TieKeys): number {
  return b.importance - a.importance || b.timestamp - a.timestamp || (a.id < b.id ? -1 : 1)
}
