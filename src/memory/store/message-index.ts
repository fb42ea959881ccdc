/**
 * The search index of messages: the word index (contentless FTS5), its
 * vocabulary, and the signals that ranking reads instead of text. All rows are
 * derived from `messages` alone. The tables have their generation in the name.
 * Row numbers follow from a message's sequence, so rows are deleted without a search.
 */
import { CHUNKS_PER_DOCUMENT } from '../../fts/chunk-number.ts'
import { hashWord } from '../../base/hash.ts'
import { AVERAGES_HEAD, insertedRows } from '../../fts/average-drift.ts'
import type { MemoryKind, MemoryTier } from '../../base/vocabulary.ts'
import { row, rows, run, type Database } from './message-database.ts'
import { toSignals, type SearchedMessage } from './analyse-message.ts'

/** The fields of a message from which its index rows are made. */
export interface IndexedMessage extends SearchedMessage {
  readonly sequence: number
  readonly session: number
  readonly place: number
  readonly memory_tier: MemoryTier
  readonly memory_kind: MemoryKind
}

/** Number of index rows and the sum of their lengths, in weighted terms. */
interface IndexExtent {
  readonly chunks: number
  readonly length: number
}

export function createIndex(database: Database, generation: number): void {
  const { words, terms, signals } = indexTables(generation)
  run(
    database,
    `CREATE VIRTUAL TABLE ${words} USING fts5(
      content, summary, tags, filters, content = '', contentless_delete = 1, tokenize = 'ascii');
    CREATE VIRTUAL TABLE ${terms} USING fts5vocab(${words}, row);
    CREATE TABLE ${signals} (
      session INTEGER NOT NULL,
      place INTEGER NOT NULL,
      chunk INTEGER NOT NULL,           -- 0, 1, 2 ... within the message
      sequence INTEGER NOT NULL,        -- sequence of the message
      start INTEGER NOT NULL,           -- offset of the chunk in the content, in UTF-16 units
      chars INTEGER NOT NULL,
      length INTEGER NOT NULL,          -- BM25 length, in weighted terms
      traits TEXT NOT NULL,             -- packed traits of the message
      terms TEXT NOT NULL,              -- packed term counts of each field
      PRIMARY KEY (session, place, chunk)
    ) WITHOUT ROWID`,
  )
}

/** Chunks inserted into the word index since it was created, deleted ones included; 0 when it cannot be read. */
export function insertedChunks(database: Database, generation: number): number {
  try {
    const { words } = indexTables(generation)
    return insertedRows(row<{ head: string }>(database, `${AVERAGES_HEAD} FROM ${words}_data WHERE id = 1`)?.head ?? '')
  } catch {
    // get_system_health reports a damaged index, and rebuild_index repairs it.
    return 0
  }
}

/** Drops the tables of all generations but one. Skips a table that cannot be dropped: it does no harm. */
export function dropOtherIndexes(database: Database, generation: number): void {
  const kept = Object.values(indexTables(generation))
  const found = rows<{ name: string }>(
    database,
    `SELECT name FROM sqlite_master WHERE type = 'table' AND (name GLOB 'words_[0-9]*' OR name GLOB 'signals_[0-9]*')`,
  )
  const names = found.map(({ name }) => name).filter((name) => /^(words_\d+(_terms)?|signals_\d+)$/.test(name))
  for (const name of names
    .filter((name) => !kept.includes(name))
    .sort()
    .toReversed()) {
    try {
      run(database, `DROP TABLE IF EXISTS ${name}`)
    } catch {
      // A damaged word index may refuse to be dropped; the next rebuild tries again.
    }
  }
}

export interface MessageIndexTables {
  readonly words: string
  readonly terms: string
  readonly signals: string
}

export function indexTables(generation: number): MessageIndexTables {
  return { words: `words_${generation}`, terms: `words_${generation}_terms`, signals: `signals_${generation}` }
}

/** Inserts the index rows of a message that has none. */
export function indexMessage(database: Database, generation: number, source: IndexedMessage): IndexExtent {
  const { words, signals } = indexTables(generation)
  const { chunks, traits } = toSignals(source)
  const filters = filterTokens(source).join(' ')
  let length = 0
  for (const [chunk, one] of chunks.entries()) {
    length += one.length
    const { content, summary, tags } = one.columns
    run(
      database,
      `INSERT INTO ${words} (rowid, content, summary, tags, filters) VALUES (?, ?, ?, ?, ?)`,
      source.sequence * CHUNKS_PER_DOCUMENT + chunk,
      content,
      summary,
      tags,
      filters,
    )
    run(
      database,
      `INSERT INTO ${signals} VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      source.session,
      source.place,
      chunk,
      source.sequence,
      one.start,
      one.chars,
      one.length,
      traits,
      one.terms,
    )
  }
  return { chunks: chunks.length, length }
}

/** Deletes the index rows of a message and returns their extent. */
export function unindexMessage(
  database: Database,
  generation: number,
  { sequence, session, place }: Pick<IndexedMessage, 'sequence' | 'session' | 'place'>,
): IndexExtent {
  const { words, signals } = indexTables(generation)
  const extent = row<IndexExtent>(
    database,
    `SELECT count(*) AS chunks, coalesce(sum(length), 0) AS length FROM ${signals} WHERE session = ? AND place = ?`,
    session,
    place,
  ) ?? { chunks: 0, length: 0 }
  // One by one: for a range of row numbers FTS5 also reads other rows, in a time that grows with the store.
  for (let chunk = 0; chunk < extent.chunks; chunk += 1) {
    run(database, `DELETE FROM ${words} WHERE rowid = ?`, sequence * CHUNKS_PER_DOCUMENT + chunk)
  }
  run(database, `DELETE FROM ${signals} WHERE session = ? AND place = ?`, session, place)
  return extent
}

/** Filter tokens of a message in the word index: a letter for the kind of filter and its value. */
function filterTokens({ session, memory_tier, memory_kind, tags }: IndexedMessage): string[] {
  return [sessionToken(session), tierToken(memory_tier), kindToken(memory_kind), ...new Set(tags.map(tagToken))]
}

export const sessionToken = (session: number): string => `s${session}`
export const tierToken = (tier: MemoryTier): string => `t${tier}`
export const kindToken = (kind: MemoryKind): string => `k${kind}`
export const tagToken = (tag: string): string => `g${hashWord(tag)}`
