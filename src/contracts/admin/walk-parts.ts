/** The parameters and the fields of answers that `POST /admin/poll` and `POST /admin/reconcile` have in common. */
import * as z from 'zod'
import { SURFACE_STATES, SURFACES } from '../../base/vocabulary.ts'
import { described, text, whole } from '../schema-parts.ts'
import { flag, positiveCount, repositoryFilter, surfaceFilter } from './query-parts.ts'

export const walkQuery = {
  repo: described(repositoryFilter, 'Only this repository.'),
  surface: described(surfaceFilter, 'Only this surface.'),
  requests: described(
    positiveCount,
    'Requests to GitHub that the run makes at most; by default GITHUB_REQUESTS_PER_RUN.',
  ),
  restart: described(flag, 'Begin a new round although the last one is not complete.'),
  force: described(flag, 'Ask GitHub although it said to wait.'),
  clock: described(
    flag,
    'The call comes from a clock, each minute: what failed waits for its time, and every row is compared once a day, a few requests a minute.',
  ),
}

export const walkAnswer = {
  done: described(z.boolean(), 'The round is complete: every surface was read to its end.'),
  requests: described(z.int(), 'Requests that this run made.'),
  written: z.int(),
  unchanged: z.int(),
  stale: described(z.int(), 'Not written, because the index has a newer state.'),
  removed: z.int(),
  pending: described(z.int(), 'Things that are left to be read again by a maintenance run.'),
  retry_after_ms: described(whole, 'All that is left waits: the next call has something to do after this time.'),
  surfaces: z.array(
    z.object({
      repo: z.string(),
      surface: z.enum(SURFACES),
      state: z.enum(SURFACE_STATES),
      error: described(text, 'Why it is not read to its end.'),
    }),
  ),
}
