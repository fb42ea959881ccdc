/**
 * `POST /admin/reconcile`: one bounded run that compares the index with GitHub,
 * row by row: puts what was missed and removes what GitHub proves gone.
 */
import * as z from 'zod'
import { described } from '../schema-parts.ts'
import { defineAdminRoute } from './admin-contract.ts'
import { flag } from './query-parts.ts'
import { walkAnswer, walkQuery } from './walk-parts.ts'

export const reconcileContract = defineAdminRoute({
  method: 'POST',
  path: '/admin/reconcile',
  about:
    'One bounded run that compares every row of the index with GitHub: puts what was missed, and removes what GitHub proves gone.',
  query: z.object({ ...walkQuery, dry_run: described(flag, 'Compare and count only.') }),
  answer: z.object({ ...walkAnswer, checked: described(z.int(), 'Rows of the index that were compared.') }),
})

export type ReconcileQuery = z.output<typeof reconcileContract.query>
export type ReconcileAnswer = z.output<typeof reconcileContract.answer>
