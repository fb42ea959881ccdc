/** The settings of models, from the environment of `npm start` to the Worker. */
import { SETTINGS } from '../../../../src/contracts/settings.ts'

/** Those that are set; whether they are right the Worker says. */
export function modelBindings(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.keys(SETTINGS).flatMap((name) => {
      const value = environment[name]
      return /^(?:EMBEDDER|RERANKER)_/.test(name) && value ? [[name, value]] : []
    }),
  )
}
