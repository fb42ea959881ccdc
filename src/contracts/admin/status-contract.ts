/** `GET /admin/status`: what each repository has in the index, how far its sources are read, and pending work. */
import * as z from 'zod'
import { DOCUMENT_TYPES, SURFACE_STATES, SURFACES } from '../../base/vocabulary.ts'
import { described, text, whole, yes } from '../schema-parts.ts'
import { defineAdminRoute } from './admin-contract.ts'

const cursor = z.object({
  source: z.string(),
  position: described(z.string(), 'Only the source reads it.'),
  done: described(whole, 'Items read of `total`. A source that cannot count has neither.'),
  total: whole,
  moved_at: described(z.string(), 'RFC 3339.'),
})

const surface = z.object({
  surface: z.enum(SURFACES),
  state: described(
    z.enum(SURFACE_STATES),
    'reading: not yet read to the end. current: read to the end. waiting: after a fault or for a limit of GitHub. off: GitHub has it switched off, or the repository is not configured. unreadable: GitHub does not let us.',
  ),
  rows: described(z.int(), 'Documents of this type in the index.'),
  done: described(whole, 'Items read of `total`, in the walk under way or the last one.'),
  total: whole,
  pending: described(z.int(), 'Documents that wait for derived rows, and things to be read again.'),
  requests: described(z.int(), 'Requests made for it so far.'),
  lag_s: described(whole, 'Seconds since it was last read to the end.'),
  last_success_at: described(text, 'RFC 3339: when it was last read to the end.'),
  last_error: described(text, 'Why it is not read, while that lasts.'),
  retry_at: described(text, 'RFC 3339: when it is tried again.'),
})

const github = z.object({
  auth: z.enum(['token', 'app', 'none']),
  webhook: described(z.enum(['on', 'off']), 'on: GITHUB_WEBHOOK_SECRET is set.'),
  api_url: z.string(),
  rate_limit: described(
    z.object({ limit: z.int(), remaining: z.int(), resets_at: z.string() }).exactOptional(),
    'As GitHub reported it last.',
  ),
  last_delivery_at: described(text, 'RFC 3339.'),
})

const repository = z.object({
  repo: described(z.string(), 'owner/name'),
  repo_id: described(whole, "GitHub's numeric id, where known."),
  private: z.boolean(),
  configured: described(z.boolean(), 'It is read from GitHub.'),
  archived: yes,
  default_branch: text,
  documents: described(z.partialRecord(z.enum(DOCUMENT_TYPES), z.int()), 'Rows by document type.'),
  cursors: z.array(cursor),
  surfaces: described(z.array(surface), 'All nine; of a configured repository and of one that was.'),
  pending: described(z.int(), 'Documents that wait for derived rows, and things to be read again.'),
  last_error: described(text, 'The newest error of pending work.'),
})

export const statusContract = defineAdminRoute({
  method: 'GET',
  path: '/admin/status',
  about: 'Lists what each repository has in the index, how far GitHub and other sources are read, and pending work.',
  query: z.object({}),
  answer: z.object({
    version: z.string(),
    schema: z.int(),
    github,
    repositories: described(z.array(repository), 'By name.'),
  }),
})

export type StatusAnswer = z.output<typeof statusContract.answer>
export type GitHubStatus = z.output<typeof github>
export type SurfaceStatus = z.output<typeof surface>
export type RepositoryStatus = z.output<typeof repository>
export type CursorStatus = z.output<typeof cursor>
