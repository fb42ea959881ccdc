/** How often a property is tried: as said, or as many times more as `npm run soak` asks. */
import { inject } from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    /** 1 in `npm test`. */
    readonly soakTimes: number
  }
}

export function runs(usual: number): number {
  return usual * inject('soakTimes')
}
