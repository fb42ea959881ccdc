/** How often a property is tried: `usual` times, and under `npm run soak` a multiple of that. */
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
