/** The embedder when none is configured: weight 0, and every request fails. */
import { refuse } from '../../base/result.ts'
import type { Embedder } from './embedder.ts'

export const NO_EMBEDDER: Embedder = {
  model: 'none',
  dimensions: 0,
  weight: 0,
  embed: () =>
    Promise.resolve(
      refuse({
        code: 'UNAVAILABLE',
        message: 'Vector search needs an embedder, and none is configured.',
        hint: 'Set EMBEDDER_URL, EMBEDDER_MODEL and EMBEDDER_DIMENSIONS, or use fusion rrf, which ranks by words.',
      }),
    ),
}
