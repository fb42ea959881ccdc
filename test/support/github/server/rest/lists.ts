/** Pages of lists with their `Link` headers, by page number or by cursor. */
import type { WorldSettings } from '../../truth/world.ts'
import { restError, type RestQuery, type RestReply } from '../reply.ts'

const MAX_PER_PAGE = 100

export function perPageOf(query: URLSearchParams, absent = 30, most = MAX_PER_PAGE): number {
  const wanted = Number(query.get('per_page') ?? absent)
  return Number.isInteger(wanted) && wanted > 0 ? Math.min(wanted, most) : absent
}

export function pageOf(query: URLSearchParams): number {
  const wanted = Number(query.get('page') ?? 1)
  return Number.isInteger(wanted) && wanted > 0 ? wanted : 1
}

function link(
  { selfUrl, query }: RestQuery,
  changes: Readonly<Record<string, string | undefined>>,
  rel: string,
): string {
  const wanted = new URLSearchParams(query)
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) wanted.delete(name)
    else wanted.set(name, value)
  }
  return `<${selfUrl}?${wanted.toString()}>; rel="${rel}"`
}

/** A page by its number, with links to the previous, next, last and first. */
export function numberedPage<Item>(
  request: RestQuery,
  items: readonly Item[],
  settings: Pick<WorldSettings, 'maxListedItems' | 'beyondList'>,
  toJson: (item: Item) => unknown,
  perPage = perPageOf(request.query),
): RestReply {
  const page = pageOf(request.query)
  const beyond = page * perPage > settings.maxListedItems
  if (beyond && settings.beyondList === 'refused') {
    const more = 'Check the rel=last link relation in the Link response header to see how far back you can traverse.'
    return restError(
      422,
      `In order to keep the API fast for everyone, pagination is limited for this resource. ${more}`,
    )
  }
  const listed = items.slice(0, settings.maxListedItems)
  const last = Math.max(1, Math.ceil(listed.length / perPage))
  const links = [
    ...(page > 1 ? [link(request, { page: String(Math.min(page - 1, last)) }, 'prev')] : []),
    ...(page < last ? [link(request, { page: String(page + 1) }, 'next')] : []),
    ...(page < last ? [link(request, { page: String(last) }, 'last')] : []),
    ...(page > 1 ? [link(request, { page: '1' }, 'first')] : []),
  ]
  return {
    status: 200,
    headers: links.length === 0 ? {} : { link: links.join(', ') },
    body: listed.slice((page - 1) * perPage, page * perPage).map(toJson),
  }
}

export interface SortKey {
  readonly value: number
  readonly id: number
}

/** By value, and by id where values are equal. */
export function compareKeys(a: SortKey, b: SortKey): number {
  return a.value - b.value || a.id - b.id
}

/** A page behind a cursor; `page` still works, but not far. `keyOf` gives the order, `descending` its direction. */
export function cursorPage<Item>(
  request: RestQuery,
  items: readonly Item[],
  { keyOf, descending }: { readonly keyOf: (item: Item) => SortKey; readonly descending: boolean },
  settings: Pick<WorldSettings, 'maxListedItems' | 'beyondList'>,
  toJson: (item: Item) => unknown,
): RestReply {
  const { query } = request
  const perPage = perPageOf(query)
  const page = pageOf(query)
  const sign = descending ? -1 : 1
  const sorted = items.toSorted((a, b) => sign * compareKeys(keyOf(a), keyOf(b)))
  const cursor = query.get('after')
  let from = (page - 1) * perPage
  if (cursor !== null) {
    const key = readCursor(cursor)
    if (key === undefined) return restError(422, 'Invalid cursor')
    const at = sorted.findIndex((item) => sign * compareKeys(keyOf(item), key) > 0)
    from = at === -1 ? sorted.length : at
  } else if (page * perPage > settings.maxListedItems) {
    if (settings.beyondList === 'ends') return { status: 200, body: [] }
    const more = 'please use cursor based pagination (after/before)'
    return restError(422, `Pagination with the page parameter is not supported for large datasets, ${more}`)
  }
  const shown = sorted.slice(from, from + perPage)
  const last = shown.at(-1)
  const next = last !== undefined && from + perPage < sorted.length
  const after = last === undefined ? undefined : toCursor(keyOf(last))
  return {
    status: 200,
    headers: next ? { link: link(request, { page: String(page + 1), after }, 'next') } : {},
    body: shown.map(toJson),
  }
}

function toCursor({ value, id }: SortKey): string {
  return Buffer.from(`cursor:v2:${value}:${id}`).toString('base64')
}

function readCursor(cursor: string): SortKey | undefined {
  const [, value, id] = /^cursor:v2:(-?\d+):(\d+)$/.exec(Buffer.from(cursor, 'base64').toString()) ?? []
  return value === undefined ? undefined : { value: Number(value), id: Number(id) }
}
