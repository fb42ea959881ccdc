/**
 * Scores one message against the terms of a question: BM25 by field, and which
 * terms it contains. The score of a message is the score of its best chunk. Summary
 * and tags, stored with the first chunk, count for every chunk.
 */
import { SEARCHED_FIELDS, type SearchedField } from '../../base/vocabulary.ts'
import { COUNT_CHARS } from '../../fts/packed-terms.ts'
import { saturation, type Bm25Shape } from '../bm25.ts'
import { unpackFields } from './message-signals.ts'

export interface StoredChunk {
  readonly length: number
  /** Packed by packFields. */
  readonly terms: string
}

/** An unpacked chunk: key, count and field of each term, in parallel arrays. */
export interface UnpackedChunk {
  readonly length: number
  readonly keys: Int32Array
  readonly counts: Float64Array
  readonly fields: Uint8Array
}

/** Weight of each term, by its key. `at` numbers the terms from 0 without gaps. */
export type TermWeights = ReadonlyMap<number, { readonly at: number; readonly weight: number }>

export interface MessageScore {
  readonly score: number
  readonly breakdown: Readonly<Record<SearchedField, number>>
  /** Position of the best chunk among the given chunks. */
  readonly chunk: number
  /** Numbers (`at`) of the terms that any chunk contains, each once. */
  readonly matched: readonly number[]
}

export const NO_MATCH: MessageScore = {
  score: 0,
  breakdown: { content: 0, summary: 0, tags: 0 },
  chunk: 0,
  matched: [],
}

/** Unpacks chunks and adds the summary and tags of the first one to all. */
export function unpackChunks(chunks: readonly StoredChunk[]): UnpackedChunk[] {
  const unpacked = chunks.map(unpackChunk)
  const [first, ...others] = unpacked
  if (first === undefined || others.length === 0) return unpacked
  const beside = first.fields.findIndex((field) => field > 0)
  return beside < 0 ? unpacked : [first, ...others.map((chunk) => joined(chunk, first, beside))]
}

function unpackChunk({ length, terms }: StoredChunk): UnpackedChunk {
  const capacity = Math.floor(terms.length / COUNT_CHARS)
  const [keys, counts, fields] = [new Int32Array(capacity), new Float64Array(capacity), new Uint8Array(capacity)]
  let size = 0
  unpackFields(terms, (key, count, field) => {
    // A term with count 0 would match without a score.
    if (count === 0) return
    keys[size] = key
    counts[size] = count
    fields[size] = field
    size += 1
  })
  if (size === capacity) return { length, keys, counts, fields }
  return { length, keys: keys.subarray(0, size), counts: counts.subarray(0, size), fields: fields.subarray(0, size) }
}

/** A chunk with the terms of another chunk from position `from` on. */
function joined(chunk: UnpackedChunk, other: UnpackedChunk, from: number): UnpackedChunk {
  return {
    length: chunk.length,
    keys: Int32Array.of(...chunk.keys, ...other.keys.subarray(from)),
    counts: Float64Array.of(...chunk.counts, ...other.counts.subarray(from)),
    fields: Uint8Array.of(...chunk.fields, ...other.fields.subarray(from)),
  }
}

/** Returns a function that scores messages, one after another, against the same terms. */
export function messageScorer(
  weights: TermWeights,
  averageLength: number,
  shape: Bm25Shape,
): (chunks: readonly UnpackedChunk[]) => MessageScore {
  const width = SEARCHED_FIELDS.length
  const termWeights = Float64Array.from(weights.values(), ({ weight }) => weight)
  // Counts of the current chunk by term and field; all 0 between chunks.
  const counts = new Float64Array(weights.size * width)
  const bits = toKeyBits(weights.keys())

  const countTerms = ({ keys, counts: chunkCounts, fields }: UnpackedChunk): number[] => {
    const found: number[] = []
    for (let i = 0; i < keys.length; i += 1) {
      const key = keys[i]!
      if (bits[key & KEY_BITS_MASK] === 0) continue
      const at = weights.get(key)?.at
      if (at === undefined) continue
      if (!found.includes(at)) found.push(at)
      counts[at * width + fields[i]!]! += chunkCounts[i]!
    }
    return found
  }

  return (chunks) => {
    let best = NO_MATCH
    const matched: number[] = []
    for (const [at, chunk] of chunks.entries()) {
      const byField = SEARCHED_FIELDS.map(() => 0)
      for (const term of countTerms(chunk)) {
        const from = term * width
        let whole = 0
        for (let field = 0; field < width; field += 1) whole += counts[from + field]!
        const part = termWeights[term]! * saturation(whole, chunk.length, averageLength, shape)
        for (let field = 0; field < width; field += 1) byField[field]! += (part * counts[from + field]!) / whole
        counts.fill(0, from, from + width)
        if (!matched.includes(term)) matched.push(term)
      }
      const [content = 0, summary = 0, tags = 0] = byField
      const score = content + summary + tags
      if (score > best.score) best = { score, breakdown: { content, summary, tags }, chunk: at, matched }
    }
    return best
  }
}

/** Mask of the low 12 bits of a term key: the index in the table of toKeyBits. */
export const KEY_BITS_MASK = 4095

/** A table with 1 at the low bits of every given key. A 0 excludes a key faster than a lookup in a map. */
export function toKeyBits(keys: Iterable<number>): Uint8Array {
  const bits = new Uint8Array(KEY_BITS_MASK + 1)
  for (const key of keys) bits[key & KEY_BITS_MASK] = 1
  return bits
}
