/**
 * The poll of a list that is sorted by update: the first of all reads the newest
 * page, then everything from the oldest on; each later one reads what was updated
 * since the last, with a minute of overlap, because GitHub's lists lag. A round
 * without changes is one request and leaves its position as it was.
 */
import type { GitHubResult } from '../../../github/github.ts'
import { OVERLAP_MS } from '../../limits.ts'
import { toChanges, type ReadItem } from '../payload/payload-parts.ts'
import type { Step, SurfaceContext } from '../surface.ts'
import { toRepositoryName } from '../trees/step-results.ts'
import { readListPage, type ListPage, type ListPlace, type UpdatedList } from './updated-list.ts'

interface PollPosition {
  /** In the middle of a walk: where it goes on. */
  readonly place?: ListPlace
  /** The last update that was read in any walk. */
  readonly lastMs?: number
  /** Of the answer that begins a minute before `lastMs`, which the index holds whole. */
  readonly etag?: string
  /** Items that this walk has read, at least. */
  readonly done?: number
  /** Items of the list, as far as the newest page shows. */
  readonly total?: number
}

/** One page. `countAll` estimates the number of all items from the newest page. */
export async function pollList<Payload>(
  list: UpdatedList<Payload>,
  context: SurfaceContext,
  given: unknown,
  countAll?: (newest: readonly ReadItem[]) => number,
): Promise<GitHubResult<Step>> {
  if (given === undefined) return readNewest(list, context, countAll)
  const position = given as PollPosition
  const begins = position.place === undefined
  const place = position.place ?? roundStart(position)
  const page = await readListPage(list, context, place, begins ? position.etag : undefined)
  if (!page.ok) return page
  if (page.value.kind === 'unchanged') return { ok: true, value: { changes: [], position, ended: true } }
  if (page.value.kind === 'closed') return { ok: true, value: toClosedStep(page.value, position) }
  return { ok: true, value: toStep(page.value, { ...position, place }, context, begins) }
}

/** Everything with an earlier time was read, by the position of a poll. Infinite after the end. */
export function readUpToMs(given: unknown): number {
  if (given === undefined) return 0
  const { place } = given as PollPosition
  return place === undefined ? Number.POSITIVE_INFINITY : (place.sinceMs ?? 0)
}

async function readNewest<Payload>(
  list: UpdatedList<Payload>,
  context: SurfaceContext,
  countAll?: (newest: readonly ReadItem[]) => number,
): Promise<GitHubResult<Step>> {
  const page = await readListPage(list, context, 'newest')
  if (!page.ok) return page
  if (page.value.kind !== 'page') {
    const closed: Step = { changes: [], position: undefined, ended: true }
    return { ok: true, value: page.value.kind === 'closed' ? { ...closed, closed: page.value.closed } : closed }
  }
  const { items, next } = page.value
  const changes = items.flatMap((item) => toChanges(item, toRepositoryName(context)))
  if (next === undefined) {
    const position: PollPosition = toEnd([], items)
    return { ok: true, value: { changes, position, ended: true, done: items.length, total: items.length } }
  }
  const total = countAll?.(items)
  const position: PollPosition = { place: next, done: 0, ...(total !== undefined && { total }) }
  return { ok: true, value: { changes, position, ended: false, done: 0, ...(total !== undefined && { total }) } }
}

function toStep(
  { items, next, etag }: Extract<ListPage, { kind: 'page' }>,
  position: PollPosition & { readonly place: ListPlace },
  context: SurfaceContext,
  begins: boolean,
): Step {
  const changes = items.flatMap((item) => toChanges(item, toRepositoryName(context)))
  const before = begins ? 0 : (position.done ?? 0)
  if (next === undefined) {
    const end = toEnd([position.lastMs, position.place.sinceMs], items)
    // The next round asks the same question only if the list did not go on.
    const isSame = begins && etag !== undefined && roundStart(end).sinceMs === position.place.sinceMs
    return { changes, position: isSame ? { ...end, etag } : end, ended: true }
  }
  const { sinceMs = -1 } = position.place
  const done = before + items.filter(({ updatedAt }) => updatedAt > sinceMs).length
  const isFirst = position.lastMs === undefined
  const total = position.total === undefined ? undefined : Math.max(position.total, done)
  const going: PollPosition = {
    place: next,
    done,
    ...(position.lastMs !== undefined && { lastMs: position.lastMs }),
    ...(total !== undefined && { total }),
  }
  const progress = isFirst ? { done, ...(total !== undefined && { total }) } : {}
  return { changes, position: going, ended: false, ...progress }
}

function toEnd(read: readonly (number | undefined)[], items: readonly ReadItem[]): PollPosition {
  const times = [...read.flatMap((ms) => ms ?? []), ...items.map(({ updatedAt }) => updatedAt)]
  return times.length === 0 ? {} : { lastMs: times.reduce((a, b) => Math.max(a, b)) }
}

function roundStart({ lastMs }: PollPosition): ListPlace {
  return lastMs === undefined ? {} : { sinceMs: lastMs - OVERLAP_MS }
}

function toClosedStep({ closed }: Extract<ListPage, { kind: 'closed' }>, position: unknown): Step {
  return { changes: [], position, ended: true, closed }
}
