/**
 * A lap over a list that is sorted by update. It reads the list from its
 * beginning, puts every item, and compares: the rows of the index whose time lies
 * within a page must be on it, or on a later page if they changed. The position
 * keeps the keys of the rows that no page had yet. After the last page each of
 * these is read by itself; it is removed only when GitHub proves that it is gone.
 */
import { MAX_COMPARED_ROWS, MAX_ROWS_PAST_END, MAX_UNSEEN_ROWS } from '../../limits.ts'
import { keyOf, toCertainChange, toChanges, type ReadItem } from '../payload/payload-parts.ts'
import type { ComparedRow, RowPlace } from '../../../index/ingestion/compared-rows.ts'
import type { Step, SurfaceContext } from '../surface.ts'
import { toRepositoryName } from '../trees/step-results.ts'
import type { DocumentChange, Identity } from '../../../documents/document.ts'
import type { GitHubResult } from '../../../github/github.ts'
import { prove } from './item-proof.ts'
import { readListPage, type ListPlace, type UpdatedList } from './updated-list.ts'

interface LapPosition {
  /** Where the list goes on; undefined after its end. */
  readonly place?: ListPlace
  /** The last row that was compared. */
  readonly after: RowPlace
  /** Keys of compared rows that no page had yet. */
  readonly unseen: readonly number[]
  /** GitHub answered 404 for the first of them. */
  readonly suspect?: boolean
}

const START: LapPosition = { place: {}, after: { updatedAt: -1, key: 0 }, unseen: [] }

/** A list whose rows a lap compares. */
export interface ComparedList<Payload = unknown> extends UpdatedList<Payload> {
  /** The identity of the row with this key, for its removal. */
  readonly identityOf: (key: number) => Identity
}

/** One page of the list, or one item that no page had. */
export async function lapList<Payload>(
  list: ComparedList<Payload>,
  context: SurfaceContext,
  given: unknown,
): Promise<GitHubResult<Step>> {
  const position = (given as LapPosition | undefined) ?? START
  if (position.place === undefined || position.unseen.length > MAX_UNSEEN_ROWS) return probe(list, context, position)
  const page = await readListPage(list, context, position.place)
  if (!page.ok) return page
  switch (page.value.kind) {
    case 'closed':
      return { ok: true, value: { changes: [], position: undefined, ended: true, closed: page.value.closed } }
    case 'unchanged':
      return { ok: false, fault: { kind: 'fault', reason: 'GitHub answers 304 to an unconditional request' } }
    case 'page': {
      const { items, next } = page.value
      const compared = await compare(list, context, { ...position, place: position.place }, { items, next })
      const changes = items.flatMap((item) => toChanges(item, toRepositoryName(context)))
      return { ok: true, value: toStep(changes, compared.position, compared.checked) }
    }
  }
}

function toStep(changes: readonly DocumentChange[], position: LapPosition, checked: number): Step {
  const isOver = position.place === undefined && position.unseen.length === 0
  return { changes, position: isOver ? undefined : position, ended: isOver, checked }
}

interface Compared {
  readonly position: LapPosition
  readonly checked: number
}

async function compare<Payload>(
  list: ComparedList<Payload>,
  { rows }: SurfaceContext,
  { place, after, unseen }: LapPosition & { readonly place: ListPlace },
  { items, next }: { readonly items: readonly ReadItem[]; readonly next: ListPlace | undefined },
): Promise<Compared> {
  const present = new Set(items.filter(({ document }) => document !== undefined).map(keyOf))
  const end = next === undefined ? undefined : rangeEnd(next, place, after)
  const found = await rows.listBetween(list.types, after, end, MAX_COMPARED_ROWS)
  const still = unseen.filter((key) => !present.has(key))
  const absent = found.filter((row) => !present.has(keyOf(row)))
  const checked = found.length
  const last = found.at(-1)
  if (found.length === MAX_COMPARED_ROWS && last !== undefined) {
    // More rows than items: the list is asked for again from the last row that was compared.
    const seen = [...still, ...absent.map(keyOf)]
    return { checked, position: { place: { sinceMs: last.updatedAt }, after: placeOf(last), unseen: seen } }
  }
  if (next === undefined) {
    const position = endOf(still, absent, items.at(-1))
    // Rows that the list is asked for again are compared then.
    const isAgain = position.place !== undefined
    return { checked: isAgain ? found.filter((row) => isUpTo(row, position.after)).length : checked, position }
  }
  const position = { place: next, after: end ?? after, unseen: [...still, ...absent.map(keyOf)] }
  return { checked, position }
}

/** The last place up to which the page, with those before it, holds all items. */
function rangeEnd(next: ListPlace, { sinceMs }: ListPlace, after: RowPlace): RowPlace {
  // A second that goes on: its rows count as unseen until a page has them.
  const isSameSecond = next.sinceMs === sinceMs || next.sinceMs === undefined
  const end = { updatedAt: (next.sinceMs ?? 0) - (isSameSecond ? 0 : 1), key: Number.MAX_SAFE_INTEGER }
  return end.updatedAt < after.updatedAt ? after : end
}

/** After the last page. Many rows past it mean that the list ended early: it is asked for again from the first of them. */
function endOf(still: readonly number[], absent: readonly ComparedRow[], last: ReadItem | undefined): LapPosition {
  const past = absent.filter(({ updatedAt }) => updatedAt > (last?.updatedAt ?? -1))
  const [first] = past
  if (first === undefined || past.length <= MAX_ROWS_PAST_END) {
    return { after: START.after, unseen: [...still, ...absent.map(keyOf)] }
  }
  const before = absent.filter(({ updatedAt }) => updatedAt <= (last?.updatedAt ?? -1))
  return {
    place: { sinceMs: first.updatedAt },
    after: placeOf(first),
    unseen: [...still, ...before.map(keyOf), keyOf(first)],
  }
}

/** Reads the first unseen row by its own address. */
async function probe<Payload>(
  list: ComparedList<Payload>,
  context: SurfaceContext,
  position: LapPosition,
): Promise<GitHubResult<Step>> {
  const [key, ...unseen] = position.unseen
  if (key === undefined) return { ok: true, value: toStep([], position, 0) }
  const { suspect, ...rest } = position
  const read = await proveItem(list, context, key, suspect === true)
  if (!read.ok) return read
  if (read.value === 'unproven') return { ok: true, value: toStep([], { ...position, suspect: true }, 0) }
  return { ok: true, value: toStep([read.value], { ...rest, unseen }, 0) }
}

/** See `prove`. */
export function proveItem<Payload>(
  list: ComparedList<Payload>,
  context: SurfaceContext,
  key: number,
  isSuspect: boolean,
): Promise<GitHubResult<DocumentChange | 'unproven'>> {
  const repository = toRepositoryName(context)
  return prove(context, isSuspect, {
    surface: list.surface,
    path: `${list.path}/${key}`,
    payload: list.payload,
    removal: { remove: { identity: list.identityOf(key), repository } },
    toChange: (payload) => toCertainChange(list.read(payload, repository), repository),
  })
}

function isUpTo(row: ComparedRow, { updatedAt, key }: RowPlace): boolean {
  return row.updatedAt < updatedAt || (row.updatedAt === updatedAt && keyOf(row) <= key)
}

function placeOf(row: ComparedRow): RowPlace {
  return { updatedAt: row.updatedAt, key: keyOf(row) }
}
