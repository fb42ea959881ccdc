/** `GET /admin/status`: what each repository has in the index, how far its sources are read, and pending work. */
import * as z from 'zod'
import { DOCUMENT_TYPES } from '../../base/vocabulary.ts'
import { meaning, text, whole } from '../schema-parts.ts'
import { defineAdminRoute } from './admin-contract.ts'

const cursor = z.object({
  source: z.string(),
  position: meaning(z.string(), 'Opaque to everyone but the source.'),
  done: meaning(whole, 'Items read of `total`. A source that cannot count has neither.'),
  total: whole,
  moved_at: meaning(z.string(), 'RFC 3339.'),
})

const repository = z.object({
  repo: meaning(z.string(), 'owner/name'),
  repo_id: meaning(whole, "GitHub's numeric id, where known."),
  private: z.boolean(),
  documents: meaning(z.partialRecord(z.enum(DOCUMENT_TYPES), z.int()), 'Rows by document type.'),
  cursors: z.array(cursor),
  pending: meaning(z.int(), 'Documents that wait for derived rows.'),
  last_error: meaning(text, 'The newest error of pending work.'),
})

export const statusContract = defineAdminRoute({
  method: 'GET',
  path: '/admin/status',
  query: z.object({}),
  answer: z.object({
    version: z.string(),
    schema: z.int(),
    repositories: meaning(z.array(repository), 'By name.'),
  }),
})

export type StatusAnswer = z.output<typeof statusContract.answer>
export type RepositoryStatus = z.output<typeof repository>
export type CursorStatus = z.output<typeof cursor>
