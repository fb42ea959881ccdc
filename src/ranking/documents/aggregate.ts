/**
 * Groups rows about one entity: a pull request and its reviews, a document and its
 * diffs. The best-ranked row represents the group; no row is lost.
 */

export interface Group<Row> {
  readonly first: Row
  /** The other rows of the group, in rank order. */
  readonly others: readonly Row[]
}

/** `rows` are in rank order; groups are in the order of their first rows. */
export function aggregate<Row, Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Group<Row>[] {
  const groups = new Map<Key, { first: Row; others: Row[] }>()
  for (const row of rows) {
    const group = groups.get(keyOf(row))
    if (group === undefined) groups.set(keyOf(row), { first: row, others: [] })
    else group.others.push(row)
  }
  return [...groups.values()]
}
