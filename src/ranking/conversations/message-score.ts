/**
 * One message against the terms of a question: its own BM25, split by field,
 * and which of the terms it holds. The chunk that scores best stands for the
 * message; summary and tags, kept with the first chunk, count beside each.
 */
import { COUNT_CHARS } from '../../fts/packed-terms.ts'
import { saturation, type Bm25Shape } from '../bm25.ts'
import { FIELDS, unpackFields, type Field } from './message-signals.ts'

export interface StoredChunk {
  readonly length: number
  /** As message-signals.ts packs fields. */
  readonly terms: string
}

/** A chunk unpacked: key, count and field of each term, in parallel. */
export interface UnpackedChunk {
  readonly length: number
  readonly keys: Int32Array
  readonly counts: Float64Array
  readonly fields: Uint8Array
}

/** What a term tells, by its key. `at` is its place among the terms, from 0 without gaps. */
export type TermWeights = ReadonlyMap<number, { readonly at: number; readonly weight: number }>

export interface MessageScore {
  readonly score: number
  readonly breakdown: Readonly<Record<Field, number>>
  /** The chunk that stands for the message, by its place among those given. */
  readonly chunk: number
  /** Places of the terms that any of the chunks holds, each once. */
  readonly matched: readonly number[]
}

export const NO_MATCH: MessageScore = {
  score: 0,
  breakdown: { content: 0, summary: 0, tags: 0 },
  chunk: 0,
  matched: [],
}

/** The first chunk's summary and tags are read into every chunk. */
export function unpackChunks(chunks: readonly StoredChunk[]): UnpackedChunk[] {
  const unpacked = chunks.map(unpackChunk)
  const [first, ...others] = unpacked
  if (first === undefined || others.length === 0) return unpacked
  const beside = first.fields.findIndex((field) => field > 0)
  return beside < 0 ? unpacked : [first, ...others.map((chunk) => joined(chunk, first, beside))]
}

function unpackChunk({ length, terms }: StoredChunk): UnpackedChunk {
  const most = Math.floor(terms.length / COUNT_CHARS)
  const [keys, counts, fields] = [new Int32Array(most), new Float64Array(most), new Uint8Array(most)]
  let size = 0
  unpackFields(terms, (key, count, field) => {
    // What says nothing would be matched and score nothing.
    if (count === 0) return
    keys[size] = key
    counts[size] = count
    fields[size] = field
    size += 1
  })
  if (size === most) return { length, keys, counts, fields }
  return { length, keys: keys.subarray(0, size), counts: counts.subarray(0, size), fields: fields.subarray(0, size) }
}

/** A chunk with the terms of another from a place on. */
function joined(chunk: UnpackedChunk, other: UnpackedChunk, from: number): UnpackedChunk {
  return {
    length: chunk.length,
    keys: Int32Array.of(...chunk.keys, ...other.keys.subarray(from)),
    counts: Float64Array.of(...chunk.counts, ...other.counts.subarray(from)),
    fields: Uint8Array.of(...chunk.fields, ...other.fields.subarray(from)),
  }
}

/** Scores messages against the same terms, one after the other. */
export function messageScorer(
  weights: TermWeights,
  averageLength: number,
  shape: Bm25Shape,
): (chunks: readonly UnpackedChunk[]) => MessageScore {
  const width = FIELDS.length
  const telling = Float64Array.from(weights.values(), ({ weight }) => weight)
  // Counts of the chunk at hand, by term and field; all 0 between chunks.
  const counts = new Float64Array(weights.size * width)
  const marks = toKeyBits(weights.keys())

  const touch = ({ keys, counts: given, fields }: UnpackedChunk): number[] => {
    const touched: number[] = []
    for (let i = 0; i < keys.length; i += 1) {
      const key = keys[i]!
      if (marks[key & LAST_KEY_BIT] === 0) continue
      const at = weights.get(key)?.at
      if (at === undefined) continue
      if (!touched.includes(at)) touched.push(at)
      counts[at * width + fields[i]!]! += given[i]!
    }
    return touched
  }

  return (chunks) => {
    let best = NO_MATCH
    const matched: number[] = []
    for (const [at, chunk] of chunks.entries()) {
      const byField = FIELDS.map(() => 0)
      for (const term of touch(chunk)) {
        const from = term * width
        let whole = 0
        for (let field = 0; field < width; field += 1) whole += counts[from + field]!
        const part = telling[term]! * saturation(whole, chunk.length, averageLength, shape)
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

/** Marks are found by the last bits of a key. */
export const LAST_KEY_BIT = 4095

/** Marks for keys: most others find none, which is quicker to see than that a map has no such key. */
export function toKeyBits(keys: Iterable<number>): Uint8Array {
  const marks = new Uint8Array(LAST_KEY_BIT + 1)
  for (const key of keys) marks[key & LAST_KEY_BIT] = 1
  return marks
}
