/**
 * `POST /admin/backfill`: forgets how far a repository, or one surface of it, is
 * read, so that the next polls read all of it again. Deletes nothing.
 */
import * as z from 'zod'
import { REPOSITORY_NAME } from '../../base/repository-name.ts'
import { SURFACES } from '../../base/vocabulary.ts'
import { ACCEPTED } from '../arguments.ts'
import { described } from '../schema-parts.ts'
import { defineAdminRoute } from './admin-contract.ts'
import { surfaceFilter } from './query-parts.ts'

export const backfillContract = defineAdminRoute({
  method: 'POST',
  path: '/admin/backfill',
  about:
    'Forgets how far a repository, or one surface of it, is read, so that the next polls read all of it again. Deletes nothing.',
  query: z.object({
    repo: z.string().regex(REPOSITORY_NAME).register(ACCEPTED, { accepted: 'a repository, owner/name' }),
    surface: surfaceFilter,
  }),
  answer: z.object({
    repo: described(z.string(), 'owner/name'),
    reset: described(z.array(z.enum(SURFACES)), 'The surfaces that are read from the beginning.'),
  }),
})

export type BackfillQuery = z.output<typeof backfillContract.query>
export type BackfillAnswer = z.output<typeof backfillContract.answer>
