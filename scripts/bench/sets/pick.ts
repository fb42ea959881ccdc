/** A sample that depends on the items' names alone: the same on every machine, and nearly the same when items are added. */
import { createHash } from 'node:crypto'

/** At most `count` of the items, in their order, chosen by a hash of their names. */
export function pick<Item>(items: readonly Item[], count: number, nameOf: (item: Item) => string): Item[] {
  const ordered = items
    .map((item, at) => ({ at, key: createHash('sha256').update(nameOf(item)).digest('hex') }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
  const chosen = new Set(ordered.slice(0, count).map(({ at }) => at))
  return items.filter((_, at) => chosen.has(at))
}
