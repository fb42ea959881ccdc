/**
 * Reads one item by its own address, and proves that an item is gone: GitHub
 * redirects to another repository, or answers 404 or 410 although the repository
 * is still there. Alone they prove nothing: 404 is also the answer where a
 * repository is out of reach, 410 where its issues are turned off. Each call is
 * one request.
 */
import type { z } from 'zod'
import type { Surface } from '../../../base/vocabulary.ts'
import type { DocumentChange } from '../../../documents/document.ts'
import type { GitHubResult } from '../../../github/github.ts'
import { idPart } from '../payload/payload-parts.ts'
import type { SurfaceContext } from '../surface.ts'
import { malformed } from './updated-list.ts'

export type ItemAnswer =
  | { readonly kind: 'item'; readonly body: unknown }
  | { readonly kind: 'gone' }
  /** Gone if the repository is there: see `confirmRepository`. */
  | { readonly kind: 'unproven' }

/** `path` is below the repository, with its parts encoded. */
export async function readItem(
  { github, repository }: SurfaceContext,
  surface: Surface,
  path: string,
): Promise<GitHubResult<ItemAnswer>> {
  const given = await github.get(`/repos/${repository.name}/${path}`, { surface, expects: 'object' })
  if (!given.ok) return given
  const answer = given.value
  switch (answer.kind) {
    case 'ok':
      return { ok: true, value: { kind: 'item', body: answer.body } }
    case 'absent':
      return { ok: true, value: { kind: 'unproven' } }
    case 'moved':
      return toMovedAnswer(answer.location, repository.id, path)
    default:
      return { ok: false, fault: { kind: 'fault', reason: `GitHub's answer about ${path} is not usable` } }
  }
}

/** An item, and what the index does about each answer. */
interface ProvenItem<Payload> {
  readonly surface: Surface
  /** Below the repository, with its parts encoded. */
  readonly path: string
  readonly payload: z.ZodType<Payload>
  /** For an item that is gone. */
  readonly removal: DocumentChange
  /** For an item that is there. */
  readonly toChange: (payload: Payload) => DocumentChange | Promise<DocumentChange>
}

/**
 * Reads what an item is now: its put, or its removal. `unproven` after a 404; the next
 * call is then made with `isSuspect`, and one request decides.
 */
export async function prove<Payload>(
  context: SurfaceContext,
  isSuspect: boolean,
  { surface, path, payload, removal, toChange }: ProvenItem<Payload>,
): Promise<GitHubResult<DocumentChange | 'unproven'>> {
  if (isSuspect) {
    const confirmed = await confirmRepository(context, surface)
    return confirmed.ok ? { ok: true, value: removal } : confirmed
  }
  const answer = await readItem(context, surface, path)
  if (!answer.ok) return answer
  if (answer.value.kind === 'gone') return { ok: true, value: removal }
  if (answer.value.kind === 'unproven') return { ok: true, value: 'unproven' }
  const parsed = payload.safeParse(answer.value.body)
  return parsed.success ? { ok: true, value: await toChange(parsed.data) } : malformed(surface)
}

/** A fault unless the name still stands for this repository, with its issues. */
async function confirmRepository(
  { github, repository }: SurfaceContext,
  surface: Surface,
): Promise<GitHubResult<true>> {
  const given = await github.get(`/repos/${repository.name}`, { surface, expects: 'object' })
  if (!given.ok) return given
  const body = given.value.kind === 'ok' ? (given.value.body as RepositoryBody) : {}
  const isOff = body.has_issues === false && (surface === 'issue' || surface === 'issue_comment')
  if (isOff) return { ok: false, fault: { kind: 'fault', reason: 'the issues of the repository are turned off' } }
  if (idPart.safeParse(body.id).data === repository.id) return { ok: true, value: true }
  return { ok: false, fault: { kind: 'fault', reason: 'the repository is out of reach or has another name now' } }
}

interface RepositoryBody {
  readonly id?: unknown
  readonly has_issues?: unknown
}

/** A redirect names the repository by its id. To the same item of this one, it only shows a new name. */
function toMovedAnswer(location: string, repositoryId: number, path: string): GitHubResult<ItemAnswer> {
  const [, id, rest = ''] = /\/repositories\/(\d+)\/([^?#]*)/.exec(location) ?? []
  if (id === undefined) return { ok: true, value: { kind: 'unproven' } }
  const isRenamed = Number(id) === repositoryId && rest === path
  if (!isRenamed) return { ok: true, value: { kind: 'gone' } }
  return { ok: false, fault: { kind: 'fault', reason: 'GitHub redirects: the repository was renamed' } }
}
