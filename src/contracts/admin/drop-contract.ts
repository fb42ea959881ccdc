/**
 * `DELETE /admin/repos/{owner}/{name}`: drops a repository that is no longer
 * configured, with all its rows. A call does a bounded part; it is repeated until `done`.
 */
import * as z from 'zod'
import { described } from '../schema-parts.ts'
import { defineAdminRoute } from './admin-contract.ts'
import { flag } from './query-parts.ts'

export const dropContract = defineAdminRoute({
  method: 'DELETE',
  path: '/admin/repos/:owner/:name',
  about:
    'Removes a repository that is no longer configured, with all its documents. A call does a bounded part; repeat it until `done`. 409 while it is configured.',
  query: z.object({
    owner: z.string(),
    name: z.string(),
    dry_run: described(flag, 'Count only.'),
  }),
  answer: z.object({
    repo: described(z.string(), 'owner/name'),
    documents: described(z.int(), 'Documents before the call.'),
    removed: described(z.int(), 'By this call.'),
    done: described(z.boolean(), 'Nothing is left of the repository.'),
  }),
})

export type DropQuery = z.output<typeof dropContract.query>
export type DropAnswer = z.output<typeof dropContract.answer>
