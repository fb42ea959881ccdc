/**
 * The search of plain SQLite, to compare with: FTS5 with its porter tokenizer, any
 * word of the question, best by its own bm25(). Nothing else is done to the text.
 */
import { DatabaseSync } from 'node:sqlite'
import type { EvidenceQuestion, SetMessage } from './conversation-set.ts'

/** The ids of the `limit` best messages for a question, best first; only those of its session if it names one. */
export type PlainSearch = (question: Pick<EvidenceQuestion, 'text' | 'session'>, limit: number) => string[]

export function plainSearch(messages: readonly SetMessage[]): PlainSearch {
  const database = new DatabaseSync(':memory:')
  database.exec(`CREATE VIRTUAL TABLE words USING fts5(text, id UNINDEXED, session UNINDEXED, tokenize = 'porter')`)
  const insert = database.prepare('INSERT INTO words (text, id, session) VALUES (?, ?, ?)')
  for (const { text, id, session } of messages) insert.run(text, id, session)
  const find = database.prepare(
    'SELECT id FROM words WHERE words MATCH ? AND session = coalesce(?, session) ORDER BY bm25(words) LIMIT ?',
  )
  return ({ text, session }, limit) => {
    const words = text.match(/[\p{L}\p{N}]+/gu) ?? []
    const match = words.map((word) => `"${word}"`).join(' OR ')
    return match === '' ? [] : find.all(match, session ?? null, limit).map(({ id }) => String(id))
  }
}
