/**
 * Rows that speak of one thing are shown as one: a pull request and its reviews,
 * a document and its diffs. The best-ranked row stands for the group; no row is lost.
 */

export interface Group<Row> {
  readonly first: Row
  /** The rows the first one stands for, in rank order. */
  readonly others: readonly Row[]
}

/** Groups rows in rank order by a key; groups are in the order of their first rows. */
export function aggregate<Row, Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Group<Row>[] {
  const groups = new Map<Key, { first: Row; others: Row[] }>()
  for (const row of rows) {
    const group = groups.get(keyOf(row))
    if (group === undefined) groups.set(keyOf(row), { first: row, others: [] })
    else group.others.push(row)
  }
  return [...groups.values()]
}
