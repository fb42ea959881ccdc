/** `POST /admin/maintenance`: one bounded maintenance run, for a server without a clock. */
import * as z from 'zod'
import { described } from '../schema-parts.ts'
import { defineAdminRoute } from './admin-contract.ts'

export const maintenanceContract = defineAdminRoute({
  method: 'POST',
  path: '/admin/maintenance',
  about: 'One maintenance run of up to some 20 seconds. The clock runs one each minute.',
  query: z.object({}),
  answer: z.object({
    settled: described(z.int(), 'Documents whose pending work is done.'),
    put_off: described(z.int(), 'Documents that failed and are tried again later.'),
    purged: described(z.int(), 'Deleted documents that are gone for good.'),
    fetched: described(z.int(), 'Things that were read again from GitHub.'),
  }),
})

export type MaintenanceAnswer = z.output<typeof maintenanceContract.answer>
