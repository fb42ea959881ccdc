/**
 * Releases. Their list knows no time of update, so the first poll and each lap read
 * all pages, later polls the newest ones. The commits of their tags come from the
 * list of tags, which is read as far as releases lack one. A release that has
 * another tag than its row, is a draft now, or is not in a lap's list is proven
 * gone by its tag.
 */
import { z } from 'zod'
import type { GitHubResult, RestAnswer } from '../../github/github.ts'
import { MAX_PAGE_ITEMS, MAX_RELEASE_PAGES } from '../limits.ts'
import type { DocumentChange } from '../../documents/document.ts'
import { malformed, withoutItems } from './lists/updated-list.ts'
import type { ReadItem } from './payload/payload-parts.ts'
import { readRelease, releaseIdOf, releasePayload } from './payload/release-payload.ts'
import { keepPlace, moveToCommit, PLACE_RELEASES } from './release-place.ts'
import { proveRelease, readReleaseAgain, readTag, removalOf } from './release-reads.ts'
import type { ComparedRow } from '../../index/ingestion/compared-rows.ts'
import type { Step, SurfaceContext, SurfaceSpec } from './surface.ts'
import { toRepositoryName } from './trees/step-results.ts'

interface ReleasePosition {
  /** Every page was read once. */
  readonly filled?: boolean
  /** Of a list of one page that the index holds whole. */
  readonly etag?: string
  /** In the middle of a walk: the next page of releases. */
  readonly page?: number
  /** After those pages: the next page of tags. */
  readonly tagPage?: number
  /** Tags whose commit is not known. */
  readonly wanted?: readonly string[]
  /** Tags of rows that the list does not confirm. */
  readonly unseen?: readonly string[]
  /** GitHub answered 404 for the first of them. */
  readonly suspect?: boolean
  /** This walk has changed a release. */
  readonly changed?: boolean
}

export const releaseSurface: SurfaceSpec = {
  surface: 'release',
  poll: (context, position) => walk(context, position, false),
  lap: (context, position) => walk(context, position, true),
  readAgain: readReleaseAgain,
}

async function walk(context: SurfaceContext, given: unknown, isLap: boolean): Promise<GitHubResult<Step>> {
  const position = (given as ReleasePosition | undefined) ?? {}
  if (position.tagPage !== undefined) return readTags(context, position, isLap)
  if (position.page === undefined && position.unseen !== undefined) return probe(context, position, isLap)
  return readPage(context, position, isLap)
}

/** Goes on to what is left to do, in this order: pages, tags, single releases. */
function toStep(changes: readonly DocumentChange[], given: ReleasePosition, isLap: boolean, checked?: number): Step {
  const { filled, etag, ...rest } = given
  const position: ReleasePosition = { ...given, changed: rest.changed === true || changes.length > 0 }
  const isOver = rest.page === undefined && rest.tagPage === undefined && (rest.unseen ?? []).length === 0
  const report = checked === undefined ? {} : { checked }
  if (!isOver) return { changes, position, ended: false, ...report }
  const pending = position.changed === true ? { pending: [PLACE_RELEASES] } : {}
  const end: ReleasePosition = { ...(filled === true && { filled }), ...(etag !== undefined && { etag }) }
  return { changes, position: isLap ? undefined : end, ended: true, ...pending, ...report }
}

async function readPage(context: SurfaceContext, given: ReleasePosition, isLap: boolean): Promise<GitHubResult<Step>> {
  const { page = 1, etag, ...position } = given
  const answer = await getList(context, 'releases', page, etag)
  if (!answer.ok) return answer
  if (answer.value.kind === 'unchanged') return { ok: true, value: { changes: [], position: given, ended: true } }
  const list = withItems(answer.value)
  if (!list.ok) return list
  if ('closed' in list.value) {
    return {
      ok: true,
      value: { changes: [], position: isLap ? undefined : given, ended: true, closed: list.value.closed },
    }
  }
  const parsed = z.array(releasePayload).safeParse(list.value.body)
  if (!parsed.success) return malformed('release')
  const items = parsed.data.map((payload) => ({
    id: payload.id,
    item: readRelease(payload, toRepositoryName(context)),
  }))
  const compared = await compare(context, items, { ...position, page }, isLap)
  const goesOn = list.value.next !== undefined && (isLap || given.filled !== true || page < MAX_RELEASE_PAGES)
  const isOne = page === 1 && list.value.next === undefined
  const { wanted } = compared
  const next: ReleasePosition = {
    ...(isOne && list.value.etag !== undefined && { etag: list.value.etag }),
    ...(position.changed === true && { changed: true }),
    filled: given.filled === true || !goesOn,
    ...(goesOn ? { page: page + 1 } : wanted.length > 0 && { tagPage: 1 }),
    ...(wanted.length > 0 && { wanted }),
    unseen: compared.unseen,
  }
  return { ok: true, value: toStep(compared.changes, next, isLap, isLap ? compared.checked : undefined) }
}

interface ListedRelease {
  readonly id: number
  readonly item: ReadItem
}

async function compare(
  context: SurfaceContext,
  listed: readonly ListedRelease[],
  position: ReleasePosition,
  isLap: boolean,
) {
  const rows = await context.rows.listAll('release')
  const shown = listed.filter(({ item }) => item.document !== undefined)
  const present = new Set(shown.map(({ item }) => tagOf(item)))
  const versions = new Map(rows.map((row) => [tagOf(row), row.sourceVersion]))
  // A poll skips releases that are as they were read before; a lap trusts no version.
  const changed = shown.filter(({ item }) => isLap || versions.get(tagOf(item)) !== item.sourceVersion)
  const stored = changed.length === 0 ? [] : await context.rows.listReleases(changed.map(({ item }) => tagOf(item)))
  const byTag = new Map(stored.map((one) => [one.document.identity.tagName, one]))
  const changes = changed.map(({ item }): DocumentChange => {
    const put = keepPlace(item.document!, byTag.get(tagOf(item)))
    return { put, ...(item.sourceVersion !== undefined && { sourceVersion: item.sourceVersion }) }
  })
  const lacking = changes.flatMap((change) =>
    'put' in change && (isLap || change.put.commitSha === undefined) ? tagOf(change.put) : [],
  )
  const isFirst = position.page === 1
  const ids = new Set(listed.map(({ id }) => id))
  const suspects = rows.filter((row) => (isLap && isFirst) || ids.has(releaseIdOf(row.sourceVersion) ?? 0))
  const unseen = new Set([...(position.unseen ?? []), ...suspects.map(tagOf)].filter((tag) => !present.has(tag)))
  return {
    changes,
    wanted: [...(position.wanted ?? []), ...lacking],
    unseen: [...unseen],
    checked: isFirst ? rows.length : 0,
  }
}

function tagOf({ identity }: Pick<ReadItem | ComparedRow, 'identity'>): string {
  return identity.type === 'release' ? identity.tagName : ''
}

const tagItem = z.object({ name: z.string(), commit: z.object({ sha: z.string() }) })

async function readTags(context: SurfaceContext, before: ReleasePosition, isLap: boolean): Promise<GitHubResult<Step>> {
  const { tagPage: page = 1, wanted: given = [], ...position } = before
  const answer = await getList(context, 'tags', page)
  if (!answer.ok) return answer
  const list = withItems(answer.value)
  if (!list.ok) return list
  if ('closed' in list.value) return { ok: true, value: toStep([], position, isLap) }
  const parsed = z.array(tagItem).safeParse(list.value.body)
  if (!parsed.success) return malformed('release')
  const wanted = new Set(given)
  const found = new Map(parsed.data.flatMap(({ name, commit }) => (wanted.has(name) ? [[name, commit.sha]] : [])))
  const stored = found.size === 0 ? [] : await context.rows.listReleases([...found.keys()])
  const changes = stored.flatMap(
    (one) => moveToCommit(one, found.get(one.document.identity.tagName)!.toLowerCase()) ?? [],
  )
  const left = given.filter((tag) => !found.has(tag))
  const goesOn = left.length > 0 && list.value.next !== undefined
  const next = { ...position, ...(goesOn && { tagPage: page + 1, wanted: left }) }
  return { ok: true, value: toStep(changes, next, isLap) }
}

/** Reads the first release that the list did not confirm. A row of a tag that never had a release stays while the tag does. */
async function probe(context: SurfaceContext, given: ReleasePosition, isLap: boolean): Promise<GitHubResult<Step>> {
  const { suspect, ...position } = given
  const [tag, ...unseen] = position.unseen ?? []
  if (tag === undefined) return { ok: true, value: toStep([], position, isLap) }
  const done = (changes: readonly DocumentChange[]): GitHubResult<Step> => ({
    ok: true,
    value: toStep(changes, { ...position, unseen }, isLap),
  })
  const [stored] = await context.rows.listReleases([tag])
  if (stored === undefined) return done([])
  if (suspect !== true && releaseIdOf(stored.sourceVersion) === undefined) {
    const answer = await readTag(context, tag)
    if (!answer.ok) return answer
    if (answer.value.kind === 'item') return done([])
    if (answer.value.kind === 'gone') return done([removalOf(context, tag)])
    return { ok: true, value: toStep([], { ...position, suspect: true }, isLap) }
  }
  const proven = await proveRelease(context, tag, suspect === true)
  if (!proven.ok) return proven
  if (proven.value === 'unproven') return { ok: true, value: toStep([], { ...position, suspect: true }, isLap) }
  return done([proven.value])
}

function getList(
  { github, repository }: SurfaceContext,
  list: 'releases' | 'tags',
  page: number,
  etag?: string,
): Promise<GitHubResult<RestAnswer>> {
  const path = `/repos/${repository.name}/${list}?per_page=${MAX_PAGE_ITEMS}${page === 1 ? '' : `&page=${page}`}`
  return github.get(path, { surface: 'release', expects: 'array', ...(etag !== undefined && { etag }) })
}

interface Items {
  readonly body: unknown
  readonly next?: string
  readonly etag?: string
}

function withItems(answer: RestAnswer): GitHubResult<Items | { readonly closed: NonNullable<Step['closed']> }> {
  if (answer.kind === 'ok') return { ok: true, value: answer }
  const other = answer.kind === 'unchanged' ? undefined : withoutItems(answer)
  if (other === undefined) return { ok: true, value: { body: [] } }
  if (!other.ok) return other
  return { ok: true, value: other.value.kind === 'closed' ? { closed: other.value.closed } : { body: [] } }
}
