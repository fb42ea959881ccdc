/**
 * One page of a list that GitHub sorts by the time of the last update, oldest
 * first, and the place where reading goes on. The next page begins at the time
 * of the last item, so items that move while the list is read are never skipped.
 * Inside one second GitHub's cursors serve, or page numbers in windows that
 * overlap: if the last item of a window is not in the next one, items before it
 * moved, and the second is read again. The list ends where GitHub names no next
 * page, however many items a page has.
 */
import { z } from 'zod'
import { toTime } from '../../../base/time.ts'
import type { DocumentType, Surface } from '../../../base/vocabulary.ts'
import type { RepositoryName } from '../../../documents/document.ts'
import type { GitHubResult, RestAnswer } from '../../../github/github.ts'
import { MAX_PAGE_ITEMS, MIN_WINDOW_ITEMS } from '../../limits.ts'
import { keyOf, type ReadItem } from '../payload/payload-parts.ts'
import type { Step, SurfaceContext } from '../surface.ts'
import { toRepositoryName } from '../trees/step-results.ts'

/** A list of one surface and its items. */
export interface UpdatedList<Payload = unknown> {
  readonly surface: Surface
  /** The types of its items. */
  readonly types: readonly DocumentType[]
  /** Below the repository: `issues`. An item is at `{path}/{key}`. */
  readonly path: string
  /** Further parameters: `state=all&`, or empty. */
  readonly parameters: string
  readonly payload: z.ZodType<Payload>
  readonly read: (payload: Payload, repository: RepositoryName) => ReadItem
}

/** Where reading goes on. */
export interface ListPlace {
  /** Everything older was read; undefined at the beginning. */
  readonly sinceMs?: number
  /** Items of the second `sinceMs` that were read, where it has more than a page. */
  readonly read?: number
  /** The last of them. */
  readonly lastKey?: number
  /** The next page of that second by GitHub's own cursor, which moving items do not shift. */
  readonly link?: string
}

export type ListPage =
  | {
      readonly kind: 'page'
      readonly items: readonly ReadItem[]
      /** Undefined at the end of the list. */
      readonly next: ListPlace | undefined
      /** Of an answer that holds all there is from the place on. */
      readonly etag?: string
    }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'closed'; readonly closed: NonNullable<Step['closed']> }

/** The items from a place on. The list's newest items instead, if `place` is `newest`. */
export async function readListPage<Payload>(
  list: UpdatedList<Payload>,
  context: SurfaceContext,
  place: ListPlace | 'newest',
  etag?: string,
): Promise<GitHubResult<ListPage>> {
  const window = place === 'newest' ? FIRST_WINDOW : windowAfter(place.read)
  const link = place === 'newest' ? undefined : place.link
  const path = link ?? pathOf(list, context.repository.name, place, window)
  const given = await context.github.get(path, {
    surface: list.surface,
    expects: 'array',
    ...(etag !== undefined && { etag }),
  })
  // A cursor that GitHub no longer knows: the second is read again.
  if (!given.ok && link !== undefined && given.fault.kind === 'refused' && given.fault.status === 422) {
    return { ok: true, value: { kind: 'page', items: [], next: restart(place) } }
  }
  if (!given.ok) return given
  const answer = given.value
  if (answer.kind === 'unchanged') return { ok: true, value: { kind: 'unchanged' } }
  if (answer.kind !== 'ok') return withoutItems(answer)
  const items = readItems(list, answer.body, context)
  if (items === undefined) return malformed(list.surface)
  const next =
    answer.next === undefined || place === 'newest' ? undefined : nextPlace(place, window, items, answer.next)
  const isWhole = answer.next === undefined && answer.etag !== undefined && window.page === 1 && link === undefined
  const page = { kind: 'page', items, next: place === 'newest' && answer.next !== undefined ? {} : next } as const
  return { ok: true, value: isWhole ? { ...page, etag: answer.etag } : page }
}

export function malformed(surface: Surface): GitHubResult<never> {
  return { ok: false, fault: { kind: 'fault', reason: `GitHub's answer has an item that is no ${surface}` } }
}

/** A list that answers without items: it is off, out of reach, or the repository has another name now. */
export function withoutItems(answer: Exclude<RestAnswer, { kind: 'ok' | 'unchanged' }>): GitHubResult<ListPage> {
  if (answer.kind === 'empty') return { ok: true, value: { kind: 'page', items: [], next: undefined } }
  if (answer.kind === 'moved') {
    return { ok: false, fault: { kind: 'fault', reason: 'GitHub redirects the list: the repository was renamed' } }
  }
  const closed =
    answer.status === 410
      ? ({ state: 'off', reason: 'GitHub answers 410: the list is turned off' } as const)
      : ({ state: 'unreadable', reason: `GitHub answers ${answer.status}: the list is out of reach` } as const)
  return { ok: true, value: { kind: 'closed', closed } }
}

interface Window {
  readonly page: number
  readonly size: number
}

const FIRST_WINDOW: Window = { page: 1, size: MAX_PAGE_ITEMS }

/** The window that begins at or before the last of `read` items and ends the furthest. */
function windowAfter(read: number | undefined): Window {
  if (read === undefined || read === 0) return FIRST_WINDOW
  let best = FIRST_WINDOW
  for (let size = MAX_PAGE_ITEMS; size >= MIN_WINDOW_ITEMS; size -= 1) {
    const page = Math.floor((read - 1) / size) + 1
    if (page * size > best.page * best.size) best = { page, size }
  }
  return best
}

function pathOf<Payload>(
  list: UpdatedList<Payload>,
  name: string,
  place: ListPlace | 'newest',
  { page, size }: Window,
): string {
  const direction = place === 'newest' ? 'desc' : 'asc'
  const since =
    place === 'newest' || place.sinceMs === undefined ? '' : `&since=${encodeURIComponent(toTime(place.sinceMs))}`
  const number = page === 1 ? '' : `&page=${page}`
  return `/repos/${name}/${list.path}?${list.parameters}sort=updated&direction=${direction}&per_page=${size}${since}${number}`
}

/** The items of an answer; undefined if one of them is malformed. */
export function readItems<Payload>(
  { payload, read }: Pick<UpdatedList<Payload>, 'payload' | 'read'>,
  body: unknown,
  context: SurfaceContext,
): readonly ReadItem[] | undefined {
  const parsed = z.array(payload).safeParse(body)
  const repository = toRepositoryName(context)
  return parsed.success ? parsed.data.map((one) => read(one, repository)) : undefined
}

/** Where reading goes on after a page that is not the last. */
function nextPlace(place: ListPlace, { page, size }: Window, items: readonly ReadItem[], link: string): ListPlace {
  const { sinceMs, lastKey } = place
  const last = items.at(-1)
  if (lastKey !== undefined && !items.some((item) => keyOf(item) === lastKey)) return restart(place)
  if (last !== undefined && (sinceMs === undefined || last.updatedAt > sinceMs)) return { sinceMs: last.updatedAt }
  if (/[?&]after=/.test(link)) return { ...restart(place), link }
  // A page may hide items that it counts: then the last one shown need not be its last.
  const isFull = last !== undefined && items.length === size
  return { ...restart(place), read: page * size, ...(isFull && { lastKey: keyOf(last) }) }
}

function restart(place: ListPlace | 'newest'): ListPlace {
  return place === 'newest' || place.sinceMs === undefined ? {} : { sinceMs: place.sinceMs }
}
