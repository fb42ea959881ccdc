/** Tests of several files share one environment: each file begins without the embedder that the one before configured. */
import { beforeAll } from 'vitest'
import { configure, NO_SETTINGS } from './message-vectors.ts'

beforeAll(() => configure(NO_SETTINGS))
