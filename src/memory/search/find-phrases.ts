/**
 * Finds the messages that have all quoted phrases of a question: their words as
 * written, but for case and accents, in order and within one text (the content, the
 * summary or a tag). No other message is a result.
 */
import { CHUNKS_PER_DOCUMENT } from '../../fts/chunk-number.ts'
import type { Phrase } from '../../text/question/phrases.ts'
import { rows, type Database } from '../store/message-database.ts'
import type { PhraseFilter } from '../store/message-filters.ts'
import { indexTables } from '../store/message-index.ts'
import { readStore } from '../store/store-state.ts'

/** Undefined without a phrase. Each phrase costs one query of the word index. */
export function findPhrases(database: Database, phrases: readonly Phrase[]): PhraseFilter | undefined {
  if (phrases.length === 0) return undefined
  const { words } = indexTables(readStore(database).generation)
  const matches = phrases.map(phraseMatch)
  let common: readonly number[] | undefined
  for (const match of matches) {
    const found = rows<{ sequence: number }>(
      database,
      `SELECT DISTINCT rowid / ${CHUNKS_PER_DOCUMENT} AS sequence FROM ${words} WHERE ${words} MATCH ?`,
      match,
    )
    const sequences = new Set(found.map(({ sequence }) => sequence))
    common = (common ?? [...sequences]).filter((sequence) => sequences.has(sequence))
  }
  // Phrases of a long message may be in different chunks, so a candidate chunk has any of them.
  return { sequences: JSON.stringify(common), match: matches.map((match) => `(${match})`).join(' OR ') }
}

function phraseMatch(phrase: Phrase): string {
  return `{content summary tags} : (${phrase.map((run) => `"${run.join(' ')}"`).join(' AND ')})`
}
