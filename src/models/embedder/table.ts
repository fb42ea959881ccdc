/**
 * The built-in embedder of conversations: the vector of a text is the sum of the
 * vectors of its English words, rare words counting more. No network, and about a
 * millisecond for a thousand words. It knows no other language and no names, so
 * it is used beside words and never alone.
 */
import { ok } from '../../base/result.ts'
import bytes from '../words/english.bin'
import { WordTable } from '../words/word-table.ts'
import { toUnit, type Embedder } from './embedder.ts'

/** Raise it when the table changes: vectors of messages are then made again. */
const TABLE_VERSION = 1

const WORD = /[a-z]+/g

let table: WordTable | undefined

/** `weight` is its share in the fused ranking. */
export function tableEmbedder(weight: number): Embedder {
  table ??= new WordTable(bytes)
  const words = table
  return {
    model: `table:${TABLE_VERSION}`,
    dimensions: words.dimensions,
    weight,
    embed: (texts) => Promise.resolve(ok(texts.map((text) => embedText(words, text)))),
  }
}

/** Undefined for a text without a known word. */
function embedText(words: WordTable, text: string): Float32Array | undefined {
  const sum = Array.from({ length: words.dimensions }, () => 0)
  for (const [word] of text.toLowerCase().matchAll(WORD)) words.add(word, sum)
  return toUnit(sum)
}
