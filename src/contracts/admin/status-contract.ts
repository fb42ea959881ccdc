/** `GET /admin/status`: what each repository has in the index, how far its sources are read, and pending work. */
import * as z from 'zod'
import { DOCUMENT_TYPES } from '../../base/vocabulary.ts'
import { described, text, whole } from '../schema-parts.ts'
import { defineAdminRoute } from './admin-contract.ts'

const cursor = z.object({
  source: z.string(),
  position: described(z.string(), 'Only the source reads it.'),
  done: described(whole, 'Items read of `total`. A source that cannot count has neither.'),
  total: whole,
  moved_at: described(z.string(), 'RFC 3339.'),
})

const repository = z.object({
  repo: described(z.string(), 'owner/name'),
  repo_id: described(whole, "GitHub's numeric id, where known."),
  private: z.boolean(),
  documents: described(z.partialRecord(z.enum(DOCUMENT_TYPES), z.int()), 'Rows by document type.'),
  cursors: z.array(cursor),
  pending: described(z.int(), 'Documents that wait for derived rows.'),
  last_error: described(text, 'The newest error of pending work.'),
})

export const statusContract = defineAdminRoute({
  method: 'GET',
  path: '/admin/status',
  query: z.object({}),
  answer: z.object({
    version: z.string(),
    schema: z.int(),
    repositories: described(z.array(repository), 'By name.'),
  }),
})

export type StatusAnswer = z.output<typeof statusContract.answer>
export type RepositoryStatus = z.output<typeof repository>
export type CursorStatus = z.output<typeof cursor>
