/**
 * One message against the terms of a question: its own BM25, split by field,
 * and which of the terms it holds. The piece that scores best stands for the
 * message; summary and tags, kept with the first piece, count beside each.
 */
import { saturation, type Bm25Shape } from './bm25.ts'
import { FIELDS, unpackFields, type Field } from './message-signals.ts'

export interface StoredPiece {
  readonly length: number
  /** As message-signals.ts packs fields. */
  readonly terms: string
}

/** A piece unpacked: key, count and field of each term, in parallel. */
export interface UnpackedPiece {
  readonly length: number
  readonly keys: readonly number[]
  readonly counts: readonly number[]
  readonly fields: readonly number[]
}

/** What a term tells, by its key. `at` is its place among the terms. */
export type TermWeights = ReadonlyMap<number, { readonly at: number; readonly weight: number }>

export interface MessageScore {
  readonly score: number
  readonly breakdown: Readonly<Record<Field, number>>
  /** The piece that stands for the message, by its place among those given. */
  readonly piece: number
  /** Places of the terms that any of the pieces holds, each once. */
  readonly matched: readonly number[]
}

export const NO_MATCH: MessageScore = {
  score: 0,
  breakdown: { content: 0, summary: 0, tags: 0 },
  piece: 0,
  matched: [],
}

/** The first piece's summary and tags are read into every piece. */
export function unpackPieces(pieces: readonly StoredPiece[]): UnpackedPiece[] {
  const beside: { readonly key: number; readonly count: number; readonly field: number }[] = []
  return pieces.map(({ length, terms }, at) => {
    const [keys, counts, fields]: [number[], number[], number[]] = [[], [], []]
    const add = (key: number, count: number, field: number): void => {
      keys.push(key)
      counts.push(count)
      fields.push(field)
    }
    for (const { key, count, field } of beside) add(key, count, field)
    unpackFields(terms, (key, count, field) => {
      add(key, count, field)
      if (at === 0 && field > 0) beside.push({ key, count, field })
    })
    return { length, keys, counts, fields }
  })
}

export function scoreMessage(
  pieces: readonly UnpackedPiece[],
  weights: TermWeights,
  averageLength: number,
  shape: Bm25Shape,
): MessageScore {
  let best = NO_MATCH
  const matched = new Set<number>()
  for (const [at, piece] of pieces.entries()) {
    let score = 0
    const byField = FIELDS.map(() => 0)
    for (const [term, { weight, count, ofFields }] of countTerms(piece, weights)) {
      matched.add(term)
      const part = weight * saturation(count, piece.length, averageLength, shape)
      score += part
      for (const [field, own] of ofFields.entries()) byField[field]! += (part * own) / count
    }
    if (score <= best.score) continue
    const [content = 0, summary = 0, tags = 0] = byField
    best = { score, breakdown: { content, summary, tags }, piece: at, matched: [] }
  }
  return matched.size === 0 ? NO_MATCH : { ...best, matched: [...matched] }
}

interface TermCount {
  readonly weight: number
  count: number
  readonly ofFields: number[]
}

/** By the term's place: how often the piece holds it, in all and by field. */
function countTerms({ keys, counts, fields }: UnpackedPiece, weights: TermWeights): Map<number, TermCount> {
  const found = new Map<number, TermCount>()
  for (const [i, key] of keys.entries()) {
    const wanted = weights.get(key)
    if (wanted === undefined) continue
    const count = counts[i]!
    const known = found.get(wanted.at) ?? { weight: wanted.weight, count: 0, ofFields: FIELDS.map(() => 0) }
    known.count += count
    known.ofFields[fields[i]!]! += count
    found.set(wanted.at, known)
  }
  return found
}
