/** Documents and vectors for tests of vector indexes: issue `n` has the random vector `n`. */
import type { Document } from '../../src/documents/document.ts'
import { readStored } from '../../src/index/documents/read-stored.ts'
import { beginGeneration, listPendingVectors, walkOn } from '../../src/index/vectors/pending-vectors.ts'
import type { VectorsOwner } from '../../src/index/vectors/vector-index.ts'
import { index, NOW, put as putLines } from './index-world.ts'
import { LINES } from './lines.ts'

const DIMENSIONS = 96

/** Issues, open and unlabelled unless a line says otherwise. */
export async function put(lines: readonly object[]): Promise<void> {
  const { labels: _, assignees: __, milestone: ___, author: ____, ...plain } = LINES.issue
  await putLines(lines.map((line) => ({ ...plain, repo_private: false, ...line })))
}

/** A vector of unit length, always the same for a number. */
export function vectorOf(seed: number | Document): Float32Array {
  let state = (typeof seed === 'number' ? seed : numberOf(seed)) * 2_654_435_761
  const values = Array.from({ length: DIMENSIONS }, () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 31 - 1
  })
  const length = Math.hypot(...values)
  return Float32Array.from(values, (value) => value / length)
}

function numberOf({ identity }: Document): number {
  return 'number' in identity ? identity.number : 0
}

/** Every document whose vectors of the model are pending, as the writer reads it. */
export async function pendingOf(model: string): Promise<{ owners: VectorsOwner[]; generation: number }> {
  const generation = await beginGeneration(index, model)
  while (await walkOn(index));
  const owners: VectorsOwner[] = []
  for (const { document, version, repository } of await listPendingVectors(index, generation, NOW, 5_000)) {
    const read = await readStored(index, document)
    if (!read) continue
    const { vectorId, createdAt, updatedAt } = read
    owners.push({
      document,
      vectorId,
      version,
      repository,
      attributes: { stored: read.document, createdAt, updatedAt },
    })
  }
  return { owners, generation }
}
