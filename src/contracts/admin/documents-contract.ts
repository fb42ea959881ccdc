/** `GET /admin/documents`: the paths of one document type that a repository has in the index, a page at a time. */
import * as z from 'zod'
import { DOCUMENT_TYPES } from '../../base/vocabulary.ts'
import { described, text } from '../schema-parts.ts'
import { defineAdminRoute } from './admin-contract.ts'

export const documentsContract = defineAdminRoute({
  method: 'GET',
  path: '/admin/documents',
  about: 'The paths of one document type that a repository has in the index, a page at a time.',
  query: z.object({
    repo: described(z.string().min(1), 'owner/name'),
    type: z.enum(DOCUMENT_TYPES),
    after: described(text, 'The last path of the page before.'),
  }),
  answer: z.object({
    documents: described(z.array(z.object({ path: z.string() })), 'In order of path.'),
    next: described(text, 'Where the next page starts; absent on the last one.'),
  }),
})

export type DocumentsQuery = z.output<typeof documentsContract.query>
export type DocumentsAnswer = z.output<typeof documentsContract.answer>
