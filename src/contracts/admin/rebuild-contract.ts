/**
 * `POST /admin/rebuild`: derives words, links and vectors of every document
 * again. A call starts a rebuild or joins the running one, and does a bounded
 * part of it; maintenance runs do the rest.
 */
import * as z from 'zod'
import { described } from '../schema-parts.ts'
import { defineAdminRoute } from './admin-contract.ts'
import { flag } from './query-parts.ts'

export const rebuildContract = defineAdminRoute({
  method: 'POST',
  path: '/admin/rebuild',
  about:
    'Derives words, links and vectors of every document again. A call begins a rebuild or joins the running one and does a bounded part of it; maintenance runs do the rest.',
  query: z.object({
    dry_run: described(flag, 'Count only.'),
    resume: described(flag, 'Continue a running rebuild; start none.'),
  }),
  answer: z.object({
    dry_run: z.boolean(),
    done: described(z.boolean(), 'No rebuild is running, and only vectors are left.'),
    documents: z.int(),
    left: z.object({
      words: z.int(),
      edges: z.int(),
      vectors: described(z.int(), 'Embedded by maintenance runs alone.'),
      index: described(z.int(), 'Documents that the new word index lacks.'),
    }),
  }),
})

export type RebuildQuery = z.output<typeof rebuildContract.query>
export type RebuildAnswer = z.output<typeof rebuildContract.answer>
