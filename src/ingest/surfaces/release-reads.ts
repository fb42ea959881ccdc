/**
 * Single reads of releases, one request each. Keys: the tag `v1`, `v1 absent` after
 * a 404, `v1 commit` for the commit of the tag, `v1 commit SHA` for the commit that
 * an annotated tag points at. No name of a tag contains a blank.
 */
import { z } from 'zod'
import type { DocumentChange } from '../../documents/document.ts'
import type { GitHubResult } from '../../github/github.ts'
import { prove, readItem, type ItemAnswer } from './lists/item-proof.ts'
import { malformed } from './lists/updated-list.ts'
import { toCertainChange } from './payload/payload-parts.ts'
import { readRelease, releasePayload } from './payload/release-payload.ts'
import { NOTHING, pendingAbsent, splitAbsent } from './read-again.ts'
import { keepPlace, moveToCommit, PLACE_RELEASES } from './release-place.ts'
import type { ReadAgain, SurfaceContext } from './surface.ts'
import { toRepositoryName } from './trees/step-results.ts'

/** See `prove`. */
export function proveRelease(
  context: SurfaceContext,
  tag: string,
  isSuspect: boolean,
): Promise<GitHubResult<DocumentChange | 'unproven'>> {
  const removal = removalOf(context, tag)
  const repository = toRepositoryName(context)
  return prove(context, isSuspect, {
    surface: 'release',
    path: `releases/tags/${encodeURIComponent(tag)}`,
    payload: releasePayload,
    removal,
    async toChange(payload) {
      if (payload.tag_name !== tag) return removal
      const change = toCertainChange(readRelease(payload, repository), repository)
      if ('remove' in change) return removal
      const [stored] = await context.rows.listReleases([tag])
      return { ...change, put: keepPlace(change.put, stored) }
    },
  })
}

/** Without a time: the tag may be given to another release, which is older. */
export function removalOf(context: SurfaceContext, tagName: string): DocumentChange {
  return { remove: { identity: { type: 'release', tagName }, repository: toRepositoryName(context) } }
}

/** Whether the tag is there, for a row of which no release was ever read. One request. */
export async function readTag(context: SurfaceContext, tag: string): Promise<GitHubResult<ItemAnswer>> {
  return readItem(context, 'release', `git/ref/tags/${encodeURIComponent(tag)}`)
}

export async function readReleaseAgain(context: SurfaceContext, key: string): Promise<GitHubResult<ReadAgain>> {
  const [tag = '', part, object] = key.split(' ')
  if (part === 'commit') return readTagCommit(context, tag, object)
  const proven = await proveRelease(context, tag, splitAbsent(key).isSuspect)
  if (!proven.ok) return proven
  if (proven.value === 'unproven') return { ok: true, value: pendingAbsent('release', tag) }
  const changes = [proven.value]
  const next = 'put' in proven.value ? ({ kind: 'release', key: `${tag} commit` } as const) : PLACE_RELEASES
  return { ok: true, value: { changes, pending: [next] } }
}

const tagObject = z.object({ object: z.object({ type: z.string(), sha: z.string() }) })

async function readTagCommit(
  context: SurfaceContext,
  tag: string,
  object: string | undefined,
): Promise<GitHubResult<ReadAgain>> {
  const answer =
    object === undefined ? await readTag(context, tag) : await readItem(context, 'release', `git/tags/${object}`)
  if (!answer.ok) return answer
  if (answer.value.kind !== 'item') return { ok: true, value: NOTHING }
  const parsed = tagObject.safeParse(answer.value.body)
  if (!parsed.success) return malformed('release')
  const { type, sha } = parsed.data.object
  if (type === 'tag')
    return { ok: true, value: { changes: [], pending: [{ kind: 'release', key: `${tag} commit ${sha}` }] } }
  const [stored] = await context.rows.listReleases([tag])
  const change = stored && moveToCommit(stored, sha.toLowerCase())
  return { ok: true, value: { changes: change === undefined ? [] : [change], pending: [PLACE_RELEASES] } }
}
