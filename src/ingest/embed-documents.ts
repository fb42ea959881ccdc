/**
 * Settling owed vectors: texts of owing documents to the embedder, its vectors
 * into the index. A document of which the embedder will not take a text is put
 * off and holds up no other; an embedder that does not answer puts off those it
 * was asked about and ends the run.
 */
import type { Log } from '../base/log.ts'
import type { Index } from '../index/sql/index-database.ts'
import { retryLater } from '../index/maintenance/pending.ts'
import { isGuardFailure } from '../index/sql/guards.ts'
import { readStored } from '../index/documents/read-stored.ts'
import { chunkTexts } from '../index/vectors/chunk-texts.ts'
import { isSlotTaken } from '../index/vectors/d1-vectors.ts'
import { beginGeneration, listPendingVectors, walkOn, type PendingVectors } from '../index/vectors/pending-vectors.ts'
import type { VectorIndex, VectorsOwner, VectorsWrite } from '../index/vectors/vector-index.ts'
import type { Embedder } from '../models/embedder/embedder.ts'

/** The two outside things that vectors need. */
export interface VectorParts {
  readonly embedder: Embedder
  readonly vectors: VectorIndex
}

export interface EmbedDependencies extends VectorParts {
  readonly index: Index
  readonly now: () => number
  readonly log: Log
}

/** Documents listed at a time, and the texts of one call to the embedder, unless one document has more. */
const BATCH = 40
const TEXTS = 256

/** What the embedder may take for one batch of texts, on a laptop without a graphics card too. */
const TIME_LIMIT_MS = 60_000

export interface EmbedSummary {
  readonly embedded: number
  readonly retried: number
  /** Something is owed still and may be tried at once. */
  readonly more: boolean
}

export async function embedDocuments(deps: EmbedDependencies): Promise<EmbedSummary> {
  const { index, embedder, now } = deps
  const generation = await beginGeneration(index, embedder.model)
  const walked = await walkOn(index)
  const owed = await listPendingVectors(index, generation, now(), BATCH)
  const total = { embedded: 0, retried: 0 }
  let rest = owed
  while (rest.length > 0) {
    const { taken, asked } = await readSome(index, rest)
    rest = rest.slice(taken)
    const done = await embedBatch(deps, asked, generation)
    total.embedded += done.embedded
    total.retried += done.retried
    if (done.isDown) return { ...total, more: false }
  }
  return { ...total, more: walked || owed.length === BATCH }
}

/** A document with the texts to embed; none where its vectors still hold. */
interface EmbedRequest {
  readonly owner: VectorsOwner
  readonly texts: readonly string[] | undefined
}

/** Reads documents up to a call's worth of texts; those that changed since they were listed wait for the next run. */
async function readSome(
  index: Index,
  owed: readonly PendingVectors[],
): Promise<{ taken: number; asked: EmbedRequest[] }> {
  const asked: EmbedRequest[] = []
  let [taken, texts] = [0, 0]
  for (const { document, version, repository, onlyAttributes } of owed) {
    if (texts >= TEXTS) break
    taken += 1
    const read = await readStored(index, document)
    if (read?.version !== version) continue
    const { vectorId, createdAt, updatedAt } = read
    const owner = {
      document,
      vectorId,
      version,
      repository,
      attributes: { stored: read.document, createdAt, updatedAt },
    }
    const own = onlyAttributes ? undefined : chunkTexts(read.document)
    texts += own?.length ?? 0
    asked.push({ owner, texts: own })
  }
  return { taken, asked }
}

async function embedBatch(deps: EmbedDependencies, asked: readonly EmbedRequest[], generation: number) {
  // An empty text says nothing, and is not sent.
  const texts = asked.flatMap((one) => one.texts ?? []).filter((text) => text !== '')
  const embedded = texts.length === 0 ? undefined : await deps.embedder.embed(texts, TIME_LIMIT_MS)
  if (embedded?.ok === false) {
    const waiting = asked.filter((one) => one.texts?.some((text) => text !== ''))
    const retried = await retryAllLater(deps, waiting, embedded.failure.message)
    return { embedded: 0, retried, isDown: true }
  }
  const given = embedded?.value ?? []
  const writes: VectorsWrite[] = []
  const refused: EmbedRequest[] = []
  let at = 0
  for (const one of asked) {
    const count = one.texts?.filter((text) => text !== '').length ?? 0
    const own = given.slice(at, (at += count))
    if (own.includes(undefined)) refused.push(one)
    else writes.push({ ...one.owner, vectors: one.texts && inPlace(one.texts, own) })
  }
  const retried = await retryAllLater(deps, refused, 'The embedder refuses a text of it.')
  const done = await write(deps, writes, generation)
  return { embedded: done.embedded, retried: retried + done.retried, isDown: false }
}

/** The vectors of the texts that say something, each at its text's place. */
function inPlace(texts: readonly string[], vectors: readonly (Float32Array | undefined)[]) {
  let at = 0
  return texts.map((text) => (text === '' ? undefined : vectors[at++]))
}

/** All documents at once, since each write writes packed rows anew; one by one where that fails. */
async function write(deps: EmbedDependencies, writes: readonly VectorsWrite[], generation: number) {
  if (writes.length === 0) return { embedded: 0, retried: 0 }
  try {
    await deps.vectors.put(writes, generation)
    return { embedded: writes.length, retried: 0 }
  } catch (error) {
    if (writes.length === 1) {
      // Rewritten meanwhile, or another run was first: it is owed still, or embedded.
      if (isGuardFailure(error) || isSlotTaken(error)) return { embedded: 0, retried: 0 }
      return { embedded: 0, retried: await retryAllLater(deps, [{ owner: writes[0]! }], error) }
    }
  }
  const sum = { embedded: 0, retried: 0 }
  for (const one of writes) {
    const done = await write(deps, [one], generation)
    sum.embedded += done.embedded
    sum.retried += done.retried
  }
  return sum
}

async function retryAllLater(
  { index, now, log }: EmbedDependencies,
  some: readonly { readonly owner: VectorsOwner }[],
  error: unknown,
): Promise<number> {
  for (const { owner } of some) await retryLater(index, 'vectors', owner.document, error, now())
  if (some.length > 0) log.error('vectors put off', { documents: some.length })
  return some.length
}
