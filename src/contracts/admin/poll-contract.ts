/**
 * `POST /admin/poll`: one bounded run that reads what changed on GitHub. A round
 * is every surface read once to its end; a call begins a round or goes on with it.
 */
import * as z from 'zod'
import { defineAdminRoute } from './admin-contract.ts'
import { walkAnswer, walkQuery } from './walk-parts.ts'

export const pollContract = defineAdminRoute({
  method: 'POST',
  path: '/admin/poll',
  about:
    'One bounded run that reads what changed on GitHub. A round is every surface read once to its end; a call begins a round or goes on with it.',
  query: z.object(walkQuery),
  answer: z.object(walkAnswer),
})

export type PollQuery = z.output<typeof pollContract.query>
export type PollAnswer = z.output<typeof pollContract.answer>
