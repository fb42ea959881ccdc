/**
 * `GET /admin/export`: the documents of the index, or of one repository, as lines
 * of the page schema in one fixed order. The answer is NDJSON, not the JSON of
 * the other routes.
 */
import * as z from 'zod'
import { defineAdminRoute } from './admin-contract.ts'
import { repositoryFilter } from './query-parts.ts'

export const exportContract = defineAdminRoute({
  method: 'GET',
  path: '/admin/export',
  about:
    'The documents of the index, or of one repository, in one fixed order, as lines of the [page schema](page-schema.md). The answer is NDJSON and is streamed.',
  query: z.object({ repo: repositoryFilter }),
  answer: z.object({}),
})

export type ExportQuery = z.output<typeof exportContract.query>
