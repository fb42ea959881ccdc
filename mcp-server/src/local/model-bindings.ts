/** The settings of models, as the embedded Worker gets them from this process's environment. */
import { SETTINGS } from '../../../src/contracts/settings.ts'

/** The ones that are set. The Worker checks their values. */
export function modelBindings(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.keys(SETTINGS).flatMap((name) => {
      const value = environment[name]
      return /^(?:EMBEDDER|RERANKER)_/.test(name) && value ? [[name, value]] : []
    }),
  )
}
