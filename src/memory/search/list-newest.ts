/**
 * Lists the newest messages that pass the filters, for a search without a query.
 * With filters that the word index knows, only messages that pass these are read.
 */
import { CHUNKS_PER_DOCUMENT, documentOf } from '../../fts/chunk-number.ts'
import { rows, type Database } from '../store/message-database.ts'
import { filterExpressions, untokenedConditions, type MessageFilters } from '../store/message-filters.ts'
import { indexTables } from '../store/message-index.ts'
import { readStore } from '../store/store-state.ts'

/** A message, by its sequence. */
export interface ListedMessage {
  readonly sequence: number
}

/** At most `limit` messages, the newest first. */
export function listNewest(database: Database, filters: MessageFilters, limit: number): ListedMessage[] {
  const expressions = filterExpressions(filters)
  if (expressions.length > 0) return listIndexed(database, expressions, filters, limit)
  const { conditions, values } = untokenedConditions(filters)
  // NOT INDEXED: in the order of the table, reading ends at the limit.
  return rows(
    database,
    `SELECT m.sequence FROM messages m NOT INDEXED WHERE ${['m.deleted = 0', ...conditions].join(' AND ')}
    ORDER BY m.sequence DESC LIMIT ?`,
    ...values,
    limit,
  )
}

/** Rows of the index are read one by one, because a message may have many of them. */
function listIndexed(
  database: Database,
  expressions: readonly string[],
  filters: MessageFilters,
  limit: number,
): ListedMessage[] {
  const { words } = indexTables(readStore(database).generation)
  const { conditions, values } = untokenedConditions(filters)
  const joined = conditions.length === 0 ? '' : `CROSS JOIN messages m ON m.sequence = w.rowid / ${CHUNKS_PER_DOCUMENT}`
  const found = database.sql.exec(
    `SELECT w.rowid AS chunk FROM ${words} w ${joined}
    WHERE ${[`${words} MATCH ?`, ...conditions].join(' AND ')} ORDER BY w.rowid DESC`,
    expressions.join(' AND '),
    ...values,
  ) as unknown as Iterable<{ readonly chunk: number }>
  const sequences = new Set<number>()
  for (const { chunk } of found) {
    sequences.add(documentOf(chunk))
    if (sequences.size === limit) break
  }
  return [...sequences].map((sequence) => ({ sequence }))
}
