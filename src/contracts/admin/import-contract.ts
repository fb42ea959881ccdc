/**
 * `POST /admin/import`: puts a page of NDJSON (import/page-schema.ts) and, in
 * the same transaction, moves the cursor that the query names. Without a query
 * no cursor moves.
 */
import * as z from 'zod'
import { REPOSITORY_NAME } from '../../base/repository-name.ts'
import { ACCEPTED } from '../arguments.ts'
import { MAX_POSITION_CHARS, MAX_SOURCE_CHARS } from '../limits.ts'
import { described } from '../schema-parts.ts'
import { defineAdminRoute } from './admin-contract.ts'

const repo = z
  .string()
  .regex(REPOSITORY_NAME)
  .register(ACCEPTED, { accepted: 'the repository of the cursor, owner/name' })
const source = z
  .string()
  .min(1)
  .max(MAX_SOURCE_CHARS)
  .register(ACCEPTED, { accepted: `the source of the cursor, 1 to ${MAX_SOURCE_CHARS} characters` })
const count = z
  .string()
  .regex(/^\d{1,15}$/)
  .transform(Number)
  .register(ACCEPTED, { accepted: 'a whole number, 0 or more' })

/** These three name a cursor together. */
const CURSOR = ['repo', 'source', 'position'] as const

const query = z
  .object({
    repo: repo.exactOptional(),
    source: source.exactOptional(),
    position: z.string().max(MAX_POSITION_CHARS).exactOptional(),
    done: described(count, 'Items read of `total`.').exactOptional(),
    total: count.exactOptional(),
  })
  .superRefine((given, context) => {
    if (Object.keys(given).length === 0) return
    for (const name of CURSOR) {
      if (given[name] === undefined) context.addIssue({ code: 'custom', path: [name], message: 'missing' })
    }
  })

export const importContract = defineAdminRoute({
  method: 'POST',
  path: '/admin/import',
  about:
    'Puts a page of lines ([page-schema.md](page-schema.md), `application/x-ndjson`) whole or not at all, and moves the cursor that the query names in the same transaction.',
  query,
  answer: z.object({
    written: z.int(),
    unchanged: z.int(),
    stale: described(z.int(), 'Not written, because the index has a newer state.'),
    removed: z.int(),
  }),
})

export type ImportQuery = z.output<typeof query>
export type ImportCounts = z.output<typeof importContract.answer>
